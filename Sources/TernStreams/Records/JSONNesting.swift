// SPDX-License-Identifier: Apache-2.0

/// Follows the strings, escapes and brackets of a JSON text to find its end, without validating it.
struct JSONNesting: Sendable {
    private var depth = 0
    private var isInString = false
    private var isEscaped = false

    /// Whether no string, array or object is open.
    var isClosed: Bool { self.depth <= 0 && !self.isInString }

    mutating func pass(_ byte: UInt8) {
        guard !self.isInString else {
            if self.isEscaped {
                self.isEscaped = false
            } else if byte == UInt8(ascii: "\\") {
                self.isEscaped = true
            } else if byte == UInt8(ascii: "\"") {
                self.isInString = false
            }
            return
        }
        switch byte {
        case UInt8(ascii: "\""): self.isInString = true
        case UInt8(ascii: "{"), UInt8(ascii: "["): self.depth += 1
        case UInt8(ascii: "}"), UInt8(ascii: "]"): self.depth -= 1
        default: break
        }
    }
}

extension UInt8 {
    /// RS, which starts each record of a JSON text sequence.
    static let recordSeparator: UInt8 = 0x1E

    /// Whether the byte is white space of JSON (RFC 8259 §2).
    var isJSONWhitespace: Bool { self == 0x20 || self == 0x09 || self == .lineFeed || self == .carriageReturn }

    var opensJSONValue: Bool { self == UInt8(ascii: "{") || self == UInt8(ascii: "[") || self == UInt8(ascii: "\"") }
}
