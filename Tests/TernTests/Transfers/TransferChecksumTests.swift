// SPDX-License-Identifier: Apache-2.0
import ClientTestSupport
import Crypto
import HTTPTypes
import Tern
import TernErrors
import TernFoundation
import TernTesting
import TernTransfers
import TestSupport
import Testing

@Suite("The checksum of a durable download", .hangLimit)
struct TransferChecksumTests {
    /// Returns the checksum of bytes, computed without the client's code.
    private static func checksum(_ algorithm: HashAlgorithm, of bytes: [UInt8]) throws -> Checksum {
        let hash: [UInt8]? =
            switch algorithm {
            case .sha256: Array(SHA256.hash(data: bytes))
            case .sha512: Array(SHA512.hash(data: bytes))
            case .sha1: Array(Insecure.SHA1.hash(data: bytes))
            case .md5: Array(Insecure.MD5.hash(data: bytes))
            @unknown default: nil
            }
        return try #require(hash.flatMap { Checksum(algorithm, $0) })
    }

    /// Returns a field with the SHA-256 of bytes (RFC 9530 §2).
    private static func digest(of bytes: [UInt8]) -> String {
        "sha-256=:\(Data(SHA256.hash(data: bytes)).base64EncodedString()):"
    }

    private static let reprDigest = HTTPField.Name("Repr-Digest")
    private static let contentDigest = HTTPField.Name("Content-Digest")
    /// The fault of a file that does not have the server's hash.
    private static let mismatch = Fault.digestFailed(
        .mismatch(algorithm: "sha-256", field: "Repr-Digest or Content-Digest")
    )

    // MARK: From the caller

    @Test(arguments: HashAlgorithm.allCases)
    func `a file with the expected hash is complete, also after an interruption`(
        algorithm: HashAlgorithm
    ) async throws {
        let scene = try TransferScene(.cut(afterBodyByteCount: 40))
        let checksum = try Self.checksum(algorithm, of: scene.content)
        #expect(await scene.failure(expecting: checksum) != nil)
        #expect(try scene.storedRecord().digest == checksum.digest)
        #expect(try await scene.download(expecting: checksum).resumedByteCount == 40)
        scene.expectComplete()
    }

    @Test(arguments: HashAlgorithm.allCases, [true, false])
    func `a file with another hash is deleted`(algorithm: HashAlgorithm, isInterrupted: Bool) async throws {
        let scene = try TransferScene(isInterrupted ? .cut(afterBodyByteCount: 40) : .honest)
        try scene.folder.write("old", to: TransferScene.file)
        let checksum = try Self.checksum(algorithm, of: scene.content + [0])
        if isInterrupted { #expect(await scene.failure() != nil) }
        let expected = Fault.digestFailed(.unexpected(algorithm: checksum.digest.algorithm.rawValue))
        #expect(await scene.fault(expecting: checksum) == expected)
        #expect(try scene.folder.names == [TransferScene.file])
        #expect(try scene.folder.text(of: TransferScene.file) == "old")
        _ = try await scene.download()
        scene.expectComplete()
    }

    @Test func `a long file is checked as a whole`() async throws {
        let resource = RangeServer(RangeServer.content(2_500_000))
        let scene = try TransferScene(.cut(afterBodyByteCount: 1_500_000), resource: resource)
        let checksum = try Self.checksum(.sha256, of: resource.content)
        _ = try await scene.download(expecting: checksum)
        scene.expectComplete()
        var wrong = resource.content
        wrong[2_499_999] ^= 1
        let failing = try TransferScene(resource: resource)
        #expect(
            try await failing.fault(expecting: Self.checksum(.sha256, of: wrong))
                == .digestFailed(.unexpected(algorithm: "sha-256"))
        )
        #expect(try failing.folder.names == [])
    }

    @Test func `the caller's hash takes precedence over the server's`() async throws {
        let name = try #require(Self.reprDigest)
        let scene = try TransferScene(resource: RangeServer([.eTag: "\"v1\"", name: Self.digest(of: [1])]))
        _ = try await scene.download(expecting: try Self.checksum(.sha256, of: scene.content))
        scene.expectComplete()
    }

    // MARK: From the server

    private func scene(_ field: HTTPField.Name?, of bytes: [UInt8], _ conducts: Conduct) throws -> TransferScene {
        let name = try #require(field)
        return try TransferScene(
            conducts,
            resource: RangeServer([.eTag: "\"v1\"", name: Self.digest(of: bytes)])
        )
    }

    @Test(arguments: [0, 40])
    func `the server's hash of the resource is checked`(byteCount: Int) async throws {
        let cut = byteCount > 0 ? Conduct.cut(afterBodyByteCount: byteCount) : .honest
        let right = try self.scene(Self.reprDigest, of: RangeServer.content(100), cut)
        _ = try await right.download()
        right.expectComplete()
        let wrong = try self.scene(Self.reprDigest, of: [1], cut)
        #expect(await wrong.fault(TransferScene.url, .immediate) == Self.mismatch)
        #expect(try wrong.folder.names == [])
    }

    @Test func `the partial file and the record of an earlier call are deleted, too`() async throws {
        let scene = try self.scene(Self.reprDigest, of: [1], .cut(afterBodyByteCount: 40))
        #expect(await scene.failure() != nil)
        try scene.expectUnfinished(40)
        #expect(await scene.fault() == Self.mismatch)
        #expect(try scene.folder.names == [])
    }

    @Test func `the hash of a whole content counts, and that of a part does not`() async throws {
        let name = try #require(Self.contentDigest)
        let whole = try TransferScene(resource: RangeServer([.eTag: "\"v1\"", name: Self.digest(of: [1])]))
        #expect(await whole.fault() == Self.mismatch)
        let folder = try await TransferScene.interrupted(after: 40)
        let part = try TransferScene(
            Conduct { server, request in
                var server = server
                server.fields[name] = Self.digest(of: Array(server.content[40...]))
                return server.answer(request)
            },
            in: folder
        )
        _ = try await part.download()
        part.expectComplete()
    }

    @Test func `a hash in the trailers is checked, too`() async throws {
        let name = try #require(Self.reprDigest)
        for (text, isRight) in [("hello", true), ("hallo", false)] {
            let digest = Self.digest(of: Array(text.utf8))
            let response = ScriptedResponse.chunked(["hel", "lo"], fields: [.eTag: "\"v1\""], trailers: [name: digest])
            let scene = try TransferScene(.respond(response), resource: RangeServer(Array("hello".utf8)))
            let fault = await scene.fault()
            #expect(fault == (isRight ? nil : Self.mismatch))
            if isRight { scene.expectComplete() } else { #expect(try scene.folder.names == []) }
        }
    }

    @Test(arguments: [100, 3_000_000])
    func `a part whose own hash is wrong is not kept`(byteCount: Int) async throws {
        let name = try #require(Self.contentDigest)
        let resource = RangeServer(RangeServer.content(byteCount))
        let folder = try await TransferScene.interrupted(after: 40, resource)
        var configuration = Client.Configuration()
        configuration.digestChecking = .ifPresent
        let damaged = Conduct { server, request in
            var server = server
            server.fields[name] = Self.digest(of: Array(server.content[40...]))
            server.content[70] ^= 1
            return server.answer(request)
        }
        let scene = try TransferScene(
            damaged,
            resource: resource,
            in: folder,
            plan: .accept(toClient: [.drip(bytesPerPiece: 50_000)]),
            configuration: configuration
        )
        #expect(await scene.fault() == .digestFailed(.mismatch(algorithm: "sha-256", field: "Content-Digest")))
        // A short part is refused before a byte of it is written. Bytes of a long one are in the file already.
        if byteCount == 100 { try scene.expectUnfinished(40) } else { #expect(try folder.names == []) }
        _ = try await scene.download()
        scene.expectComplete()
    }
}
