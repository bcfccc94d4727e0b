// SPDX-License-Identifier: Apache-2.0

/// A parameter's value with its charset (RFC 8187 §3.2.1, which follows RFC 5987).
enum ExtendedValue {
    /// A text as UTF-8, percent-encoded, without a language: `UTF-8''J%C3%A4s`.
    static func encode(_ text: String) -> String {
        let digits = Array("0123456789ABCDEF".utf8)
        var bytes = Array("UTF-8''".utf8)
        for byte in text.utf8 {
            if self.isAllowed(byte) {
                bytes.append(byte)
            } else {
                bytes += [UInt8(ascii: "%"), digits[Int(byte >> 4)], digits[Int(byte & 15)]]
            }
        }
        return String(decoding: bytes, as: UTF8.self)
    }

    /// `attr-char`: those of a token, "except ( "*" / "'" / "%" )".
    private static func isAllowed(_ byte: UInt8) -> Bool {
        FieldText.isTokenByte(byte) && byte != UInt8(ascii: "*") && byte != UInt8(ascii: "'")
            && byte != UInt8(ascii: "%")
    }
}
