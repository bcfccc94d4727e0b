// SPDX-License-Identifier: Apache-2.0
import TernAuthentication
import Testing

@Suite("Pin")
struct PinTests {
    /// The SHA-256 of empty data, in base64.
    static let digest = "47DEQpj8HBSa+/TImW+5JCeuQeRkm5NMpJWZG3hSuFU="

    @Test func `a pin is the digest of a key, in base64`() throws {
        let pin = KeyPin(subjectPublicKeyInfo: [])
        #expect(pin.description == "sha256/\(Self.digest)")
        #expect(pin.sha256.count == 32)
        #expect(try KeyPin(base64: Self.digest) == pin)
        #expect(try KeyPin(base64: "sha256/\(Self.digest)") == pin)
        #expect(try KeyPin(sha256: pin.sha256) == pin)
    }

    @Test(
        arguments: [
            "", "sha256/", "sha1/47DEQpj8HBSa+/TImW+5JCeuQeRkm5NMpJWZG3hSuFU=", "AAAA",
            "47DEQpj8HBSa+/TImW+5JCeuQeRkm5NMpJWZG3hSuFU", "SHA256/47DEQpj8HBSa+/TImW+5JCeuQeRkm5NMpJWZG3hSuFU=",
            "47DEQpj8HBSa-_TImW-5JCeuQeRkm5NMpJWZG3hSuFU=", " 47DEQpj8HBSa+/TImW+5JCeuQeRkm5NMpJWZG3hSuFU=",
            "sha256/sha256/47DEQpj8HBSa+/TImW+5JCeuQeRkm5NMpJWZG3hSuFU=",
        ]
    )
    func `anything else is none`(_ text: String) {
        #expect(throws: PinError.malformedPin) { try KeyPin(base64: text) }
    }

    @Test(arguments: [0, 20, 31, 33, 64])
    func `a digest has 32 bytes`(_ count: Int) {
        #expect(throws: PinError.malformedPin) { try KeyPin(sha256: Array(repeating: 0, count: count)) }
    }

    @Test func `each violation has a text of its own`() {
        let violations: [PinError] = [.malformedPin, .noPin, .noBackupPin, .backupInUse, .noHost]
        #expect(Set(violations.map(\.description)).count == violations.count)
    }
}
