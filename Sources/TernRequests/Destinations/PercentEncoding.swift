// SPDX-License-Identifier: Apache-2.0

/// Percent-encoding (RFC 3986 §2.1), and its variant for forms.
enum PercentEncoding {
    /// What stays as it is.
    enum Rule {
        /// Only the unreserved characters (RFC 3986 §2.3): right for a path component and for either side of a query
        /// item, because no delimiter survives, neither `/` nor `+`, `&`, `=` or `;`.
        case component
        /// The same, but slashes stay: right for a path.
        case path
        /// As HTML forms are encoded (WHATWG URL §5.2): also `*`, not `~`, and a space becomes `+`.
        case form
    }

    /// Appends `text`, encoded, to `output`.
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

    /// The encoded form of one byte, whatever it is.
    static func encode(_ byte: UInt8) -> String {
        var bytes: [UInt8] = []
        self.append(byte, to: &bytes)
        return String(decoding: bytes, as: UTF8.self)
    }

    /// Appends the encoded form of one byte, whatever it is.
    static func append(_ byte: UInt8, to output: inout [UInt8]) {
        output += [UInt8(ascii: "%"), self.digit(byte >> 4), self.digit(byte & 15)]
    }

    /// The encoded form of `text`.
    static func encode(_ text: String, as rule: Rule = .component) -> String {
        var output = ""
        output.reserveCapacity(text.utf8.count)
        self.append(text, to: &output, as: rule)
        return output
    }

    /// The text that `bytes` stand for.
    ///
    /// A percent sign without two digits stays; what is not UTF-8 is repaired.
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

/// `.` and `..` in a path, which servers take for steps in the tree.
enum PathStep {
    /// Whether there is one in a text that is, or will be, decoded.
    ///
    /// Many servers decode first and look for steps then, so that `..%2Fadmin` leads up; some take a backslash for a slash;
    /// and those that know parameters of a component (RFC 3986 §3.3) take `..;v=1` for a step, too.
    static func isIn(_ text: String) -> Bool {
        // By scalars: a slash and a combining mark behind it are one `Character`.
        text.unicodeScalars.split { $0 == "/" || $0 == "\\" }.contains { piece in
            let name = piece.prefix { $0 != ";" }
            return name.elementsEqual(".".unicodeScalars) || name.elementsEqual("..".unicodeScalars)
        }
    }
}

extension UInt8 {
    /// `0` to `9`.
    var isDigit: Bool { self &- UInt8(ascii: "0") < 10 }

    /// `A` to `Z`, `a` to `z`.
    var isLetter: Bool { (self | 0x20) &- UInt8(ascii: "a") < 26 }

    /// `0` to `9`, `A` to `F`, `a` to `f`.
    var isHexDigit: Bool { self.isDigit || (self | 0x20) &- UInt8(ascii: "a") < 6 }

    /// What a scheme is made of (RFC 3986 §3.1).
    var isSchemeByte: Bool {
        self.isLetter || self.isDigit || self == UInt8(ascii: "+") || self == UInt8(ascii: "-")
            || self == UInt8(ascii: ".")
    }

    /// What the label of a host name is made of; the underscore is no letter of a host name, but many have one.
    var isNameByte: Bool {
        self.isLetter || self.isDigit || self == UInt8(ascii: "-") || self == UInt8(ascii: "_")
    }

    /// What never needs percent-encoding (RFC 3986 §2.3).
    var isUnreserved: Bool { self.isNameByte || self == UInt8(ascii: ".") || self == UInt8(ascii: "~") }

    /// The value of a hexadecimal digit.
    var hexValue: UInt8? {
        if self.isDigit { return self - UInt8(ascii: "0") }
        return self.isHexDigit ? (self | 0x20) - UInt8(ascii: "a") + 10 : nil
    }
}

extension String {
    /// Creates a string from bytes that are UTF-8; what is not is repaired.
    init(copying bytes: borrowing Span<UInt8>) {
        self = bytes.withUnsafeBufferPointer { String(decoding: $0, as: UTF8.self) }
    }

    /// Creates a string from ASCII bytes, with its letters in lower case.
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
