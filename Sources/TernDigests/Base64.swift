// SPDX-License-Identifier: Apache-2.0

/// Base64 for byte sequences (RFC 9651 §4.2.7), for which Foundation's is too strict ("parsers SHOULD NOT fail when '=' padding
/// is not present"), and too lax, because it accepts `====`, `AA=A` and `AAAA=` (Swift 6.3.1).
package enum Base64 {
    private static let digits = Array("ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/".utf8)

    /// Decodes a text, and ignores extra bits after the last byte; `nil` for an impossible length or another character.
    static func decoded(_ text: ArraySlice<UInt8>) -> [UInt8]? {
        var text = text
        if text.last == UInt8(ascii: "=") {
            guard text.count.isMultiple(of: 4) else { return nil }
            text = text.dropLast()
            if text.last == UInt8(ascii: "=") { text = text.dropLast() }
        }
        guard text.count % 4 != 1 else { return nil }
        var bytes: [UInt8] = []
        bytes.reserveCapacity(text.count / 4 * 3 + 2)
        var (bits, bitCount): (UInt32, Int) = (0, 0)
        for character in text {
            guard let digit = Self.value(of: character) else { return nil }
            bits = bits << 6 | digit
            bitCount += 6
            guard bitCount >= 8 else { continue }
            bitCount -= 8
            bytes.append(UInt8(truncatingIfNeeded: bits >> bitCount))
            bits &= (1 << bitCount) - 1
        }
        return bytes
    }

    /// Encodes bytes, with padding (RFC 9651 §4.1.8).
    package static func encoded(_ bytes: [UInt8]) -> String {
        var text: [UInt8] = []
        text.reserveCapacity((bytes.count + 2) / 3 * 4)
        var (bits, bitCount): (UInt32, Int) = (0, 0)
        for byte in bytes {
            bits = bits << 8 | UInt32(byte)
            bitCount += 8
            while bitCount >= 6 {
                bitCount -= 6
                text.append(Self.digits[Int(bits >> bitCount & 0x3F)])
            }
            bits &= (1 << bitCount) - 1
        }
        if bitCount > 0 { text.append(Self.digits[Int(bits << (6 - bitCount) & 0x3F)]) }
        while !text.count.isMultiple(of: 4) { text.append(UInt8(ascii: "=")) }
        return String(decoding: text, as: UTF8.self)
    }

    private static func value(of character: UInt8) -> UInt32? {
        switch character {
        case UInt8(ascii: "A")...UInt8(ascii: "Z"): UInt32(character - UInt8(ascii: "A"))
        case UInt8(ascii: "a")...UInt8(ascii: "z"): UInt32(character - UInt8(ascii: "a")) + 26
        case UInt8(ascii: "0")...UInt8(ascii: "9"): UInt32(character - UInt8(ascii: "0")) + 52
        case UInt8(ascii: "+"): 62
        case UInt8(ascii: "/"): 63
        default: nil
        }
    }
}
