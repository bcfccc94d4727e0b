// SPDX-License-Identifier: Apache-2.0
import TernRequests
import HTTPTypes
import TernTransfers
import Testing

@Suite("UploadProblem: RFC 9457")
struct UploadProblemTests {
    private static let registry = "https://iana.org/assignments/http-problem-types#"

    private static func problem(_ type: String, _ more: String = "") -> UploadProblem? {
        UploadProblem(decoding: Array("{\"type\":\"\(self.registry)\(type)\"\(more)}".utf8))
    }

    @Test func `the three types of the draft`() {
        let offsets = ",\"title\":\"a\",\"expected-offset\":100,\"provided-offset\":200"
        #expect(
            Self.problem("mismatching-upload-offset", offsets) == .mismatchingOffset(expected: 100, provided: 200)
        )
        #expect(Self.problem("mismatching-upload-offset") == .mismatchingOffset(expected: nil, provided: nil))
        #expect(Self.problem("completed-upload", ",\"status\":400") == .completed)
        #expect(Self.problem("inconsistent-upload-length") == .inconsistentLength)
    }

    @Test func `a member of another type is ignored`() {
        let offsets = ",\"expected-offset\":\"100\",\"provided-offset\":1.5"
        #expect(
            Self.problem("mismatching-upload-offset", offsets) == .mismatchingOffset(expected: nil, provided: nil)
        )
    }

    @Test(arguments: [
        "", "[]", "{", "{}", "{\"type\":1}", "{\"type\":\"about:blank\"}", "{\"type\":\"completed-upload\"}",
    ])
    func `other bodies are not a problem of the draft`(_ body: String) {
        #expect(UploadProblem(decoding: Array(body.utf8)) == nil)
    }

    @Test func `a body that is too long, or has an unknown type, is not read`() {
        #expect(Self.problem("another") == nil)
        #expect(Self.problem("completed-upload", String(repeating: " ", count: 64 << 10)) == nil)
    }

    @Test(
        arguments: [
            (400, "application/problem+json", true), (409, "Application/Problem+JSON; charset=utf-8", true),
            (410, "application/problem+json ;a=b", true), (200, "application/problem+json", false),
            (403, "application/problem+json", false), (499, "application/problem+json", false),
            (500, "application/problem+json", false), (400, "application/json", false),
            (400, "application/problem+jsonx", false), (400, nil, false),
            (400, "application/problem+json, application/problem+json", true),
            (400, "application/problem+json, text/html", false), (400, "application/problem+json;a=b c", true),
        ] as [(Int, String?, Bool)]
    )
    func `only a body that may describe a problem is read`(_ status: Int, _ type: String?, _ isExpected: Bool) {
        let fields: HTTPFields = type.map { [.contentType: $0] } ?? [:]
        #expect(UploadProblem.isExpected(status: status, fields: fields) == isExpected)
    }
}

@Suite("FileIdentity")
struct FileIdentityTests {
    private static let now = UploadSamples.identity()

    @Test(
        arguments: [
            (UploadSamples.identity(), nil), (UploadSamples.identity(999), .byteCount),
            (UploadSamples.identity(modified: 1_700_000_000_123_456_788), .modification),
            (UploadSamples.identity(number: 8), .identity), (UploadSamples.identity(number: 8, device: 4), .identity),
            // The system may number its devices in another order after a restart.
            (UploadSamples.identity(device: 4), nil),
        ] as [(FileIdentity, FileChange?)]
    )
    func `a file has changed if its length, its time or its number has`(_ earlier: FileIdentity, _ change: FileChange?)
    {
        #expect(Self.now.change(from: earlier) == change)
    }

    @Test func `a length is not negative`() {
        #expect(FileIdentity(byteCount: -1, modificationNanoseconds: 0, number: 0, device: 0) == nil)
    }
}

@Suite("UploadPartHasher: tus 1.0.0, Checksum")
struct UploadPartHasherTests {
    /// `sha1` and its value are from the text of the protocol.
    @Test(
        arguments: [
            (.sha1, "sha1 Kq5sNclPz7QV2+lfQIuc6R7oRu0="), (.md5, "md5 XrY7u+Ae7tCTyyK7j1rNww=="),
            (.sha256, "sha256 uU0nuZNNPgilLlLX2n2r+sSE7+N6U4DukIj3rOLvzek="),
            (
                .sha512,
                "sha512 MJ7MSJwS1utMxA9QyQLytNDtd+5RGnx6m808qG1M2G+YndNbxf9JlnDaNCVbRbDP2DDoH2Bd"
                    + "z33FVC6TrpzXbw=="
            ),
        ] as [(HashAlgorithm, String)]
    )
    func `the value has the name of the algorithm and the hash`(_ checksum: HashAlgorithm, _ value: String) {
        var hasher = UploadPartHasher(checksum)
        for piece in ["hello", "", " world"] { Array(piece.utf8).withUnsafeBytes { hasher.update($0) } }
        #expect(hasher.fieldValue == value)
    }
}

@Suite("TusOptions: tus 1.0.0, Creation")
struct TusOptionsTests {
    @Test(arguments: ["", "a b", "a,b", "é", "a\u{0}", "a\t"])
    func `a key that is not allowed is refused`(_ key: String) { #expect(TusOptions.Metadata(key, "x".utf8) == nil) }
}
