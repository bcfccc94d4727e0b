// SPDX-License-Identifier: Apache-2.0

/// Percent-encoding (RFC 3986 §2.1), and its variant for forms.
enum PercentEncoding {
    enum Rule {
        /// Only the unreserved characters stay (RFC 3986 §2.3): for a path component, and the name and the value of a query item.
        case component
        case path
        /// As in HTML forms (WHATWG URL §5.2): `*` stays, `~` is encoded, and a space becomes `+`.
        case form
    }

    static func append(_ text: String, to output: inout String, as rule: Rule) {
        for byte in text.utf8 {
            switch (byte, rule) {
            case (UInt8(ascii: " "), .form): output.append("+")
            case (UInt8(ascii: "*"), .form): output.append("*")
            case (UInt8(ascii: "~"), .form): output.append("%7E")
            case (UInt8(ascii: "/"), .path): output.append("/")
            case _ where byte.isUnreserved: output.unicodeScalars.append(Unicode.Scalar(byte))
            default:
                output.append("%")
                output.unicodeScalars.append(Unicode.Scalar(self.digit(byte >> 4)))
                output.unicodeScalars.append(Unicode.Scalar(self.digit(byte & 15)))
            }
        }
    }

    static func encode(_ byte: UInt8) -> String {
        var bytes: [UInt8] = []
        self.append(byte, to: &bytes)
        return String(decoding: bytes, as: UTF8.self)
    }

    static func append(_ byte: UInt8, to output: inout [UInt8]) {
        output += [UInt8(ascii: "%"), self.digit(byte >> 4), self.digit(byte & 15)]
    }

    static func encode(_ text: String, as rule: Rule = .component) -> String {
        var output = ""
        output.reserveCapacity(text.utf8.count)
        self.append(text, to: &output, as: rule)
        return output
    }

    /// Returns the decoded form; an incomplete percent-encoding stays, and U+FFFD replaces bytes that are not UTF-8.
    static func decode(_ bytes: borrowing Span<UInt8>) -> String {
        var output: [UInt8] = []
        output.reserveCapacity(bytes.count)
        var index = 0
        while index < bytes.count {
            if bytes[index] == UInt8(ascii: "%"), index + 2 < bytes.count,
                let high = bytes[index + 1].hexValue, let low = bytes[index + 2].hexValue
            {
                output.append(high << 4 | low)
                index += 3
            } else {
                output.append(bytes[index])
                index += 1
            }
        }
        return String(decoding: output, as: UTF8.self)
    }

    private static func digit(_ value: UInt8) -> UInt8 {
        value < 10 ? UInt8(ascii: "0") + value : UInt8(ascii: "A") + value - 10
    }
}

/// Detects `.` and `..` in a path, which servers treat as steps in the tree.
enum PathStep {
    /// Returns whether a percent-decoded text contains a step; some servers accept `\` for `/`, and `..;v=1` for `..`.
    static func isIn(_ text: String) -> Bool {
        // Compare scalars, because a slash and a combining mark are one `Character`.
        text.unicodeScalars.split { $0 == "/" || $0 == "\\" }.contains { piece in
            let name = piece.prefix { $0 != ";" }
            return name.elementsEqual(".".unicodeScalars) || name.elementsEqual("..".unicodeScalars)
        }
    }
}

extension UInt8 {
    var isDigit: Bool { self &- UInt8(ascii: "0") < 10 }

    var isLetter: Bool { (self | 0x20) &- UInt8(ascii: "a") < 26 }

    var isHexDigit: Bool { self.isDigit || (self | 0x20) &- UInt8(ascii: "a") < 6 }

    var isSchemeByte: Bool {
        self.isLetter || self.isDigit || self == UInt8(ascii: "+") || self == UInt8(ascii: "-")
            || self == UInt8(ascii: ".")
    }

    /// Whether a label of a host name may contain the byte; many names have an underscore, which the standard does not allow.
    var isNameByte: Bool {
        self.isLetter || self.isDigit || self == UInt8(ascii: "-") || self == UInt8(ascii: "_")
    }

    var isUnreserved: Bool { self.isNameByte || self == UInt8(ascii: ".") || self == UInt8(ascii: "~") }

    var hexValue: UInt8? {
        if self.isDigit { return self - UInt8(ascii: "0") }
        return self.isHexDigit ? (self | 0x20) - UInt8(ascii: "a") + 10 : nil
    }
}

extension String {
    init(copying bytes: borrowing Span<UInt8>) {
        self = bytes.withUnsafeBufferPointer { String(decoding: $0, as: UTF8.self) }
    }

    init(lowercasing bytes: borrowing Span<UInt8>) {
        self = bytes.withUnsafeBufferPointer { source in
            String(unsafeUninitializedCapacity: source.count) { target in
                for index in source.indices {
                    let isUppercase = source[index] &- UInt8(ascii: "A") < 26
                    target.initializeElement(at: index, to: isUppercase ? source[index] | 0x20 : source[index])
                }
                return source.count
            }
        }
    }
}
