// SPDX-License-Identifier: Apache-2.0
import TernFoundation

enum EncryptedKey {
    /// The object identifier of scrypt, 1.3.6.1.4.1.11591.4.11 (RFC 7914 §7), in DER form.
    private static let scrypt: [UInt8] = [0x06, 0x09, 0x2B, 0x06, 0x01, 0x04, 0x01, 0xDA, 0x47, 0x04, 0x0B]
    /// The number of characters at the start of the key, which contain the names of its algorithms (RFC 5958 §3).
    private static let headLength = 1024

    /// Returns whether scrypt derives the key of a block `ENCRYPTED PRIVATE KEY` (RFC 7468 §11) from the passphrase.
    static func usesScrypt(_ pem: String) -> Bool {
        guard let start = pem.firstRange(of: "-----BEGIN ENCRYPTED PRIVATE KEY-----") else { return false }
        let text = pem[start.upperBound...].utf8.prefix { $0 != UInt8(ascii: "-") }
            .filter { $0 > UInt8(ascii: " ") }.prefix(Self.headLength)
        // Base64 without padding has a multiple of four characters.
        let whole = text.prefix(text.count / 4 * 4)
        guard let head = Data(base64Encoded: Data(whole)) else { return false }
        return Array(head).firstRange(of: Self.scrypt) != nil
    }
}
