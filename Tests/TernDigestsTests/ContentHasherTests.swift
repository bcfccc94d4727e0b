// SPDX-License-Identifier: Apache-2.0
import TernRequests
import TestSupport
import Testing

@testable import TernDigests

@Suite("ContentHasher")
struct ContentHasherTests {
    private static func field(_ pieces: [ArraySlice<UInt8>], _ algorithms: [HashAlgorithm]) -> DigestField {
        var hasher = ContentHasher(algorithms)
        for piece in pieces { piece.withUnsafeBytes { hasher.update($0) } }
        return hasher.finalize()
    }

    @Test(arguments: [
        // The example of RFC 9530, Appendix B, with and without the line feed.
        ("{\"hello\": \"world\"}\n", "sha-256=:RK/0qy18MlBSVnWgjwz6lZEWjP/lF5HF9bvEF8FabDg=:"),
        ("{\"hello\": \"world\"}", "sha-256=:X48E9qOokqqrvdts8nOJRJN3OWDUoyWxBf7kbu9DBPE=:"),
        ("", "sha-256=:47DEQpj8HBSa+/TImW+5JCeuQeRkm5NMpJWZG3hSuFU=:"),
    ])
    func `the digests are those of the document`(content: String, text: String) {
        #expect(Self.field([Array(content.utf8)[...]], [.sha256]).text == text)
    }

    @Test func `pieces are hashed as the whole, wherever it was cut`() {
        let bytes = Array("hello world".utf8)
        let text = "sha-256=:\(DigestFieldTests.sha256):, sha-512=:\(DigestFieldTests.sha512):"
        let deprecated = "sha=:Kq5sNclPz7QV2+lfQIuc6R7oRu0=:, md5=:XrY7u+Ae7tCTyyK7j1rNww==:"
        for pieces in everySplit(of: bytes) {
            #expect(Self.field(pieces, HashAlgorithm.active).text == text)
            #expect(Self.field(pieces, HashAlgorithm.allCases).text == "\(text), \(deprecated)")
        }
        #expect(Self.field([[], bytes[...], []], [.sha512]).text == "sha-512=:\(DigestFieldTests.sha512):")
        #expect(Self.field([bytes[...]], []).text.isEmpty)
    }
}
