// SPDX-License-Identifier: Apache-2.0

/// The words of field values (RFC 9110 §5.6).
enum Token {
    /// Whether a byte may stand in a token (`tchar`).
    static func isAllowed(_ byte: UInt8) -> Bool {
        switch byte {
        case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"): true
        case UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "!"), UInt8(ascii: "#")...UInt8(ascii: "'"): true
        case UInt8(ascii: "*"), UInt8(ascii: "+"), UInt8(ascii: "-"), UInt8(ascii: "."): true
        case UInt8(ascii: "^")...UInt8(ascii: "`"), UInt8(ascii: "|"), UInt8(ascii: "~"): true
        default: false
        }
    }

    /// Whether a text is a token.
    static func isToken(_ text: some StringProtocol) -> Bool {
        !text.isEmpty && text.utf8.allSatisfy(Self.isAllowed)
    }

    /// Whether a byte is a space or a tab.
    static func isBlank(_ byte: UInt8) -> Bool { byte == UInt8(ascii: " ") || byte == UInt8(ascii: "\t") }

    /// A text without spaces and tabs at its ends.
    static func trimmed(_ text: some StringProtocol) -> String {
        var bytes = Array(text.utf8)[...]
        while let byte = bytes.first, Self.isBlank(byte) { bytes.removeFirst() }
        while let byte = bytes.last, Self.isBlank(byte) { bytes.removeLast() }
        return String(decoding: bytes, as: UTF8.self)
    }

    /// Whether a text equals another of lower-case ASCII letters, but for the case of ASCII letters.
    static func matches(_ text: some StringProtocol, _ lowercased: StaticString) -> Bool {
        let expected = UnsafeBufferPointer(start: lowercased.utf8Start, count: lowercased.utf8CodeUnitCount)
        return text.utf8.lazy
            .map { UInt8(ascii: "A")...UInt8(ascii: "Z") ~= $0 ? $0 | 0x20 : $0 }
            .elementsEqual(expected)
    }
}
