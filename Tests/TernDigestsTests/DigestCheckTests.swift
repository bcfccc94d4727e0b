// SPDX-License-Identifier: Apache-2.0
import HTTPTypes
import TernErrors
import TernRequests
import TestSupport
import Testing

@testable import TernDigests

@Suite("DigestCheck")
struct DigestCheckTests {
    /// The result of checking a response.
    enum Ending: Equatable {
        /// The client does not check the response.
        case passed
        /// The content matches its digest.
        case verified
        /// The client refuses the response because of its head.
        case refused(DigestFailure)
        /// The client refuses the response because of its content.
        case failed(DigestFailure)
    }

    private static let bytes = Array("hello world".utf8)
    private static let good = "sha-256=:\(DigestFieldTests.sha256):"
    private static let good512 = "sha-512=:\(DigestFieldTests.sha512):"
    private static let bad = "sha-256=:47DEQpj8HBSa+/TImW+5JCeuQeRkm5NMpJWZG3hSuFU=:"
    private static let unknown = "sha=:AAAA:"
    private static let malformed = "sha-256=AAAA"
    private static let mismatch = DigestFailure.mismatch(algorithm: "sha-256", field: "Content-Digest")

    private static func ending(
        _ checking: DigestChecking,
        method: HTTPRequest.Method = .get,
        status: Int = 200,
        _ head: HTTPFields = [:],
        trailers: HTTPFields? = nil,
        canHaveTrailers: Bool? = nil,
        _ pieces: [ArraySlice<UInt8>] = [Self.bytes[...]]
    ) -> Ending {
        let plan = DigestCheck.plan(
            checking,
            method: method,
            statusCode: status,
            head: head,
            canHaveTrailers: canHaveTrailers ?? (trailers != nil)
        )
        switch plan {
        case .pass: return .passed
        case .refuse(let failure): return .refused(failure)
        case .check(var check):
            for piece in pieces { piece.withUnsafeBytes { check.update($0) } }
            do throws(DigestFailure) {
                try check.finish(trailers: trailers)
                return .verified
            } catch {
                return .failed(error)
            }
        }
    }

    // MARK: In the head

    @Test func `a digest in the head is compared, wherever the content was cut`() {
        for pieces in everySplit(of: Self.bytes) {
            for checking in [DigestChecking.ifPresent, .required] {
                #expect(Self.ending(checking, [.contentDigest: Self.good], pieces) == .verified)
                #expect(Self.ending(checking, [.contentDigest: Self.bad], pieces) == .failed(Self.mismatch))
            }
        }
    }

    @Test func `every digest that is known must be right`() {
        let both = "\(Self.bad), \(Self.good512)"
        #expect(Self.ending(.ifPresent, [.contentDigest: "\(Self.good512), \(Self.unknown)"]) == .verified)
        #expect(Self.ending(.ifPresent, [.contentDigest: both]) == .failed(Self.mismatch))
        #expect(
            Self.ending(.ifPresent, [.contentDigest: Self.good, .reprDigest: Self.bad])
                == .failed(.mismatch(algorithm: "sha-256", field: "Repr-Digest"))
        )
        #expect(Self.ending(.required, [.reprDigest: Self.good512]) == .verified)
    }

    @Test func `without a digest only one that is required is missed`() {
        for head: HTTPFields in [[:], [.contentDigest: Self.unknown], [.contentDigest: ""], [.eTag: "\"1\""]] {
            #expect(Self.ending(.ifPresent, head) == .passed)
            #expect(Self.ending(.required, head) == .refused(.missing))
            #expect(Self.ending(.off, head) == .passed)
        }
        #expect(Self.ending(.off, [.contentDigest: Self.bad, .reprDigest: Self.malformed]) == .passed)
    }

    @Test func `a field that cannot be read is refused`() {
        for checking in [DigestChecking.ifPresent, .required] {
            #expect(
                Self.ending(checking, [.contentDigest: Self.malformed, .reprDigest: Self.good])
                    == .refused(.malformed(field: "Content-Digest"))
            )
            #expect(
                Self.ending(checking, [.contentDigest: Self.good, .reprDigest: Self.malformed])
                    == .refused(.malformed(field: "Repr-Digest"))
            )
        }
    }

    // MARK: Which responses

    @Test(arguments: [206, 226, 201, 404, 500])
    func `the digest of a representation is not compared with a part of it, or with another`(status: Int) {
        #expect(Self.ending(.ifPresent, status: status, [.reprDigest: Self.bad]) == .passed)
        #expect(Self.ending(.ifPresent, status: status, [.reprDigest: Self.malformed]) == .passed)
        #expect(Self.ending(.required, status: status, [.reprDigest: Self.good]) == .refused(.missing))
        #expect(Self.ending(.required, status: status, [.contentDigest: Self.good]) == .verified)
        #expect(Self.ending(.ifPresent, status: status, [.contentDigest: Self.bad]) == .failed(Self.mismatch))
    }

    @Test func `a 200 with Content-Range may have only a part of the representation`() {
        let range: HTTPFields = [.contentRange: "bytes 1-9/10", .reprDigest: Self.bad]
        #expect(Self.ending(.ifPresent, status: 200, range) == .passed)
        let mismatch = DigestFailure.mismatch(algorithm: "sha-256", field: "Repr-Digest")
        #expect(Self.ending(.ifPresent, status: 200, [.reprDigest: Self.bad]) == .failed(mismatch))
    }

    @Test(arguments: [DigestChecking.ifPresent, .required])
    func `a response without content passes`(_ checking: DigestChecking) {
        for status in [101, 103, 204, 304] {
            #expect(Self.ending(checking, status: status, [.contentDigest: Self.bad], []) == .passed)
        }
        #expect(Self.ending(checking, method: .head, [.reprDigest: Self.bad], []) == .passed)
    }

    @Test func `content that is empty has a digest, too`() {
        #expect(Self.ending(.required, [:], []) == .refused(.missing))
        #expect(Self.ending(.required, [.contentDigest: Self.bad], []) == .verified)
    }

    // MARK: Behind the body

    @Test func `a digest behind the body is compared, announced or not`() {
        for head: HTTPFields in [[:], [.trailer: "X-One, content-digest"], [.trailer: "X-One"]] {
            for checking in [DigestChecking.ifPresent, .required] {
                for pieces in everySplit(of: Self.bytes) {
                    let right = Self.ending(checking, head, trailers: [.contentDigest: Self.good], pieces)
                    #expect(right == .verified)
                    let wrong = Self.ending(checking, head, trailers: [.contentDigest: Self.bad], pieces)
                    #expect(wrong == .failed(Self.mismatch))
                }
                #expect(Self.ending(checking, head, trailers: [.contentDigest: Self.good512]) == .verified)
                #expect(
                    Self.ending(checking, head, trailers: [.contentDigest: Self.malformed])
                        == .failed(.malformed(field: "Content-Digest"))
                )
            }
        }
    }

    @Test func `one that is required and does not come is missed at the end`() {
        for trailers: HTTPFields? in [nil, [:], [.eTag: "\"1\""], [.contentDigest: Self.unknown]] {
            #expect(Self.ending(.required, trailers: trailers, canHaveTrailers: true) == .failed(.missing))
            #expect(Self.ending(.ifPresent, trailers: trailers, canHaveTrailers: true) == .verified)
        }
    }

    @Test func `one in the head and one behind the body are both compared`() {
        let head: HTTPFields = [.contentDigest: Self.good, .trailer: "Content-Digest"]
        #expect(Self.ending(.ifPresent, head, trailers: [.contentDigest: Self.good512]) == .verified)
        #expect(Self.ending(.ifPresent, head, trailers: [.contentDigest: Self.bad]) == .failed(Self.mismatch))
        // The server does not announce this digest and the client does not require it, so the client does not compute
        // it.
        let bare: HTTPFields = [.contentDigest: Self.good]
        #expect(Self.ending(.required, bare, trailers: [.contentDigest: Self.good512]) == .verified)
    }
}
