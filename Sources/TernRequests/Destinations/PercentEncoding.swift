// SPDX-License-Identifier: Apache-2.0

/// Percent-encoding (RFC 3986 §2.1), and its variant for forms.
enum PercentEncoding {
    /// What stays as it is.
    enum Rule {
        /// Only the unreserved characters (RFC 3986 §2.3): right for a path component and for either side of a query
        /// item, because no delimiter survives, neither `/` nor `+`, `&`, `=` or `;`.
        case component
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
        String(decoding: [UInt8(ascii: "%"), self.digit(byte >> 4), self.digit(byte & 15)], as: UTF8.self)
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
