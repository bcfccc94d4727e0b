// SPDX-License-Identifier: Apache-2.0
import HTTPTypes
import TernRequests
import TestSupport
import Testing

@testable import TernDigests

@Suite("DigestField")
struct DigestFieldTests {
    /// The SHA-256 digest of `hello world`; the next constant is its SHA-512 digest.
    static let sha256 = "uU0nuZNNPgilLlLX2n2r+sSE7+N6U4DukIj3rOLvzek="
    static let sha512 = "MJ7MSJwS1utMxA9QyQLytNDtd+5RGnx6m808qG1M2G+YndNbxf9JlnDaNCVbRbDP2DDoH2Bdz33FVC6TrpzXbw=="

    private static func parse(_ lines: [String]) throws(DigestViolation) -> [HashAlgorithm: String] {
        try DigestField(parsing: lines.map { Array($0.utf8) }).digests.mapValues { Base64.encoded($0) }
    }

    private static func violation(_ lines: String...) -> DigestViolation? {
        do throws(DigestViolation) {
            _ = try Self.parse(lines)
            return nil
        } catch {
            return error
        }
    }

    // MARK: What is read

    static let readable: [Vector<[HashAlgorithm: String]>] = [
        Vector("RFC 9530 §2", "one digest", "sha-256=:\(sha256):", [.sha256: sha256]),
        Vector(
            "RFC 9530 §2",
            "several digests",
            "sha-256=:\(sha256):, sha-512=:\(sha512):",
            [.sha256: sha256, .sha512: sha512]
        ),
        Vector("RFC 9530 §5", "others are ignored", "md5=:AAAA:,sha-256=:\(sha256):,unixsum=:AA==:", [.sha256: sha256]),
        Vector("RFC 9530 §5", "only others", "sha=:AAAA:, id-sha-256=:\(sha256):", [:]),
        Vector("§4.2", "an empty value is an empty dictionary", "", [:]),
        Vector("§4.2", "spaces around it", "  sha-256=:\(sha256):  ", [.sha256: sha256]),
        Vector("§4.2.2", "blanks around commas", "sha-256=:\(sha256):\t ,\t sha=:AA==:\t", [.sha256: sha256]),
        Vector("§4.2.2", "the last of equal keys counts", "sha-256=:AAAA:, sha-256=:\(sha256):", [.sha256: sha256]),
        Vector("§4.2.7", "padding may be missing", "sha-256=:\(sha256.dropLast()):", [.sha256: sha256]),
        Vector(
            "§4.2.7",
            "bits behind the last byte are ignored",
            "sha-256=:\(sha256.dropLast(2))l=:",
            [.sha256: sha256]
        ),
        Vector(
            "§4.2.3.2",
            "parameters of every type are skipped",
            "sha-256=:\(sha256):;a;b=1;c=-1.125; d=\"x\\\"\\\\,\";e=tok/en:*;f=:AA==:;g=?0;h=@-1;i=%\"%c3%a4 \";*=?1,sha=:AA==:",
            [.sha256: sha256]
        ),
        Vector("§4.2.3.3", "keys of all kinds", "*a-b_c.d*9=:AA==:, sha-256=:\(sha256):", [.sha256: sha256]),
    ]

    @Test(arguments: readable)
    func `what may stand in the field is read`(_ vector: Vector<[HashAlgorithm: String]>) throws {
        #expect(try Self.parse([String(decoding: vector.bytes, as: UTF8.self)]) == vector.expected)
    }

    @Test func `lines are read as one list, wherever that was cut`() throws {
        let members = ["sha-256=:\(Self.sha256):", "sha=:AA==:", "sha-512=:\(Self.sha512):;a=\"1\"", "md5=:AAAA:"]
        for cut in 0...members.count {
            let lines = [members[..<cut], members[cut...]].filter { !$0.isEmpty }.map { $0.joined(separator: ",") }
            #expect(try Self.parse(lines) == [.sha256: Self.sha256, .sha512: Self.sha512])
        }
        #expect(try Self.parse(members) == [.sha256: Self.sha256, .sha512: Self.sha512])
    }

    @Test func `it is found in fields by its name alone`() throws {
        let fields: HTTPFields = [.contentDigest: "sha-256=:\(Self.sha256):", .reprDigest: "sha-512=:\(Self.sha512):"]
        #expect(try DigestField(.contentDigest, in: fields).digests.keys.map(\.self) == [.sha256])
        #expect(try DigestField(.reprDigest, in: fields).digests.keys.map(\.self) == [.sha512])
        #expect(try DigestField(.wantContentDigest, in: fields).digests.isEmpty)
    }

    // MARK: What is not

    static let malformed: [Vector<DigestViolation>] = [
        Vector("§4.2.3.3", "no key", "=:AA==:", .invalidKey),
        Vector("§4.2.3.3", "a key in capitals", "SHA-256=:\(sha256):", .invalidKey),
        Vector("§4.2.3.3", "a key that begins with a digit", "256=:\(sha256):", .invalidKey),
        Vector("§4.2", "a byte outside ASCII", "sha-256=:\(sha256):, ä=:AA==:", .invalidKey),
        Vector("RFC 9530 §2", "a Boolean", "sha-256", .notByteSequence),
        Vector("RFC 9530 §2", "an integer", "sha-256=1", .notByteSequence),
        Vector("RFC 9530 §2", "a token, as the field Digest had it", "sha-256=\(sha256)", .notByteSequence),
        Vector("RFC 9530 §2", "a string", "sha-256=\"\(sha256)\"", .notByteSequence),
        Vector("RFC 9530 §2", "a list", "sha-256=(:AA==:)", .notByteSequence),
        Vector("RFC 9530 §2", "no value", "sha-256=", .notByteSequence),
        Vector("RFC 9530 §2", "another type with another algorithm", "sha=?1, sha-256=:\(sha256):", .notByteSequence),
        Vector("§4.2.7", "not closed", "sha-256=:\(sha256)", .invalidByteSequence),
        Vector("§4.2.7", "not Base64", "sha-256=:\(sha256.dropLast(2))_=:", .invalidByteSequence),
        Vector("§4.2.7", "a space", "sha-256=: \(sha256):", .invalidByteSequence),
        Vector("§4.2.7", "padding in the middle", "sha=:AA==AAAA:", .invalidByteSequence),
        Vector("§4.2.7", "too much padding", "sha=:A===:", .invalidByteSequence),
        Vector("§4.2.7", "padding alone", "sha=:====:", .invalidByteSequence),
        Vector("§4.2.7", "padding before a digit", "sha=:AA=A:", .invalidByteSequence),
        Vector("§4.2.7", "padding behind a whole group", "sha=:AAAA=:", .invalidByteSequence),
        Vector("§4.2.7", "six bits", "sha=:A:", .invalidByteSequence),
        Vector("§4.2.2", "a comma at the end", "sha-256=:\(sha256):,", .invalidSeparator),
        Vector("§4.2.2", "no comma", "sha-256=:\(sha256): sha=:AA==:", .invalidSeparator),
        Vector("§4.2.2", "two commas", "sha=:AA==:,, sha-256=:\(sha256):", .invalidKey),
        Vector("§4.2.3.2", "a parameter without a name", "sha-256=:\(sha256):;", .invalidParameter),
        Vector("§4.2.4", "a number that is too long", "sha=:AA==:;a=1234567890123456", .invalidParameter),
        Vector("§4.2.4", "a decimal without a fraction", "sha=:AA==:;a=1.", .invalidParameter),
        Vector("§4.2.4", "a sign alone", "sha=:AA==:;a=-", .invalidParameter),
        Vector("§4.2.5", "a string that is not closed", "sha=:AA==:;a=\"x", .invalidParameter),
        Vector("§4.2.5", "an escape of another character", "sha=:AA==:;a=\"\\x\"", .invalidParameter),
        Vector("§4.2.8", "a Boolean of another digit", "sha=:AA==:;a=?2", .invalidParameter),
        Vector("§4.2.9", "a date with a fraction", "sha=:AA==:;a=@1.5", .invalidParameter),
        Vector("§4.2.10", "digits in capitals", "sha=:AA==:;a=%\"%C3\"", .invalidParameter),
        Vector("RFC 9530 §5", "a digest that is too short", "sha-256=:AAAA:", .wrongLength(.sha256)),
        Vector("RFC 9530 §5", "the digest of the other algorithm", "sha-512=:\(sha256):", .wrongLength(.sha512)),
    ]

    @Test(arguments: malformed)
    func `what may not stand in the field is a violation`(_ vector: Vector<DigestViolation>) {
        let violation = Self.violation(String(decoding: vector.bytes, as: UTF8.self))
        #expect(violation == vector.expected)
        #expect(violation?.section.hasPrefix("RFC ") == true)
    }

    @Test func `no beginning of a field traps`() {
        for vector in Self.readable + [Vector("", "", Self.malformed.flatMap(\.bytes), [:])] {
            for count in 0...vector.bytes.count {
                _ = Self.violation(String(decoding: vector.bytes.prefix(count), as: UTF8.self))
            }
        }
    }

    // MARK: Limits

    @Test func `members are counted`() {
        let limit = ByteSequenceDictionary.maximumMemberCount
        let members = (0..<limit).map { "a\($0)=:AA==:" }.joined(separator: ",")
        #expect(Self.violation(members) == nil)
        #expect(Self.violation(members, "a=:AA==:") == .tooManyMembers(limit: limit))
        #expect(Self.violation(members, "a0=:AAAA:") == nil)
    }

    @Test func `bytes are counted over all lines`() {
        let limit = StructuredFieldScanner.maximumByteCount
        let half = "a=:" + String(repeating: "A", count: limit / 2 - 8) + ":"
        #expect(half.utf8.count == limit / 2 - 4)
        #expect(Self.violation(half, half) == nil)
        #expect(Self.violation(half, half, "b=:AA:") == .tooLong(limit: limit))
        #expect(Self.violation(String(repeating: " ", count: limit)) == nil)
        #expect(Self.violation(String(repeating: " ", count: limit + 1)) == .tooLong(limit: limit))
    }

    // MARK: What is written

    @Test func `what is written is read again`() throws {
        var generator = SeededGenerator(seed: 9530)
        for _ in 0..<200 {
            var digests: [HashAlgorithm: [UInt8]] = [:]
            for algorithm in HashAlgorithm.active where Bool.random(using: &generator) {
                digests[algorithm] = (0..<algorithm.byteCount).map { _ in .random(in: .min ... .max, using: &generator)
                }
            }
            let field = DigestField(digests)
            #expect(try DigestField(parsing: [Array(field.text.utf8)]) == field)
        }
    }

    @Test func `Base64 is written with its padding`() {
        let texts = ["": "", "f": "Zg==", "fo": "Zm8=", "foo": "Zm9v", "foob": "Zm9vYg==", "fooba": "Zm9vYmE="]
        for (bytes, text) in texts {
            #expect(Base64.encoded(Array(bytes.utf8)) == text)
            #expect(Base64.decoded(Array(text.utf8)[...]) == Array(bytes.utf8))
        }
        for byte in UInt8.min ... .max {
            let text = Base64.encoded([byte, 255])
            #expect(Base64.decoded(Array(text.utf8)[...]) == [byte, 255])
        }
    }
}
