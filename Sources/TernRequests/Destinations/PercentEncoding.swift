// SPDX-License-Identifier: Apache-2.0

/// Percent-encoding (RFC 3986 §2.1), and its variant for forms.
enum PercentEncoding {
    /// The characters that are not encoded.
    enum Rule {
        /// Only the unreserved characters (RFC 3986 §2.3).
        ///
        /// Use this rule for a path component, and for the name and the value of a query item: it encodes every
        /// delimiter, including `/`, `+`, `&`, `=` and `;`.
        case component
        /// The unreserved characters and slashes.
        ///
        /// Use this rule for a path.
        case path
        /// The characters that HTML forms leave unencoded (WHATWG URL §5.2).
        ///
        /// Differs from `component` in three characters: `*` stays, `~` is encoded, and a space becomes `+`.
        case form
    }

    /// Appends the encoded form of `text` to `output`.
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

    /// Returns the percent-encoded form of a byte, even if the byte is unreserved.
    static func encode(_ byte: UInt8) -> String {
        var bytes: [UInt8] = []
        self.append(byte, to: &bytes)
        return String(decoding: bytes, as: UTF8.self)
    }

    /// Appends the percent-encoded form of a byte, even if the byte is unreserved.
    static func append(_ byte: UInt8, to output: inout [UInt8]) {
        output += [UInt8(ascii: "%"), self.digit(byte >> 4), self.digit(byte & 15)]
    }

    /// Returns the encoded form of `text`.
    static func encode(_ text: String, as rule: Rule = .component) -> String {
        var output = ""
        output.reserveCapacity(text.utf8.count)
        self.append(text, to: &output, as: rule)
        return output
    }

    /// Returns the decoded form of `bytes`.
    ///
    /// A percent sign that is not followed by two hexadecimal digits stays. U+FFFD replaces bytes that are not UTF-8.
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
    /// Returns whether a text contains a step; the text must be percent-decoded, or not encoded yet.
    ///
    /// Many servers decode a path before they look for steps, so `..%2Fadmin` leads up. Some treat a backslash as a
    /// slash. Servers that support parameters in components (RFC 3986 §3.3) also treat `..;v=1` as a step.
    static func isIn(_ text: String) -> Bool {
        // Compare scalars, because a slash and a combining mark are one `Character`.
        text.unicodeScalars.split { $0 == "/" || $0 == "\\" }.contains { piece in
            let name = piece.prefix { $0 != ";" }
            return name.elementsEqual(".".unicodeScalars) || name.elementsEqual("..".unicodeScalars)
        }
    }
}

extension UInt8 {
    /// Whether the byte is `0` to `9`.
    var isDigit: Bool { self &- UInt8(ascii: "0") < 10 }

    /// Whether the byte is `A` to `Z` or `a` to `z`.
    var isLetter: Bool { (self | 0x20) &- UInt8(ascii: "a") < 26 }

    /// Whether the byte is `0` to `9`, `A` to `F` or `a` to `f`.
    var isHexDigit: Bool { self.isDigit || (self | 0x20) &- UInt8(ascii: "a") < 6 }

    /// Whether the byte may be part of a scheme (RFC 3986 §3.1).
    var isSchemeByte: Bool {
        self.isLetter || self.isDigit || self == UInt8(ascii: "+") || self == UInt8(ascii: "-")
            || self == UInt8(ascii: ".")
    }

    /// Whether the byte may be part of a label of a host name.
    ///
    /// The standard does not allow an underscore, but many host names have one.
    var isNameByte: Bool {
        self.isLetter || self.isDigit || self == UInt8(ascii: "-") || self == UInt8(ascii: "_")
    }

    /// Whether the byte never needs percent-encoding (RFC 3986 §2.3).
    var isUnreserved: Bool { self.isNameByte || self == UInt8(ascii: ".") || self == UInt8(ascii: "~") }

    /// The value of a hexadecimal digit; `nil` for any other byte.
    var hexValue: UInt8? {
        if self.isDigit { return self - UInt8(ascii: "0") }
        return self.isHexDigit ? (self | 0x20) - UInt8(ascii: "a") + 10 : nil
    }
}

extension String {
    /// Creates a string from bytes in UTF-8, with U+FFFD in place of invalid bytes.
    init(copying bytes: borrowing Span<UInt8>) {
        self = bytes.withUnsafeBufferPointer { String(decoding: $0, as: UTF8.self) }
    }

    /// Creates a string from ASCII bytes, and converts its letters to lower case.
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
