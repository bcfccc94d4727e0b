// SPDX-License-Identifier: Apache-2.0

extension UInt8 {
    /// Whether the byte is `0` to `9`.
    var isDigit: Bool { self &- UInt8(ascii: "0") < 10 }

    /// Whether the byte is `A` to `Z` or `a` to `z`.
    var isLetter: Bool { (self | 0x20) &- UInt8(ascii: "a") < 26 }

    /// Whether the byte may be part of a scheme (RFC 3986 §3.1).
    var isSchemeByte: Bool { self.isLetter || self.isDigit || "+-.".utf8.contains(self) }

    /// Whether the byte may be part of a label of a host name.
    ///
    /// The standard does not allow an underscore, but many host names have one.
    var isNameByte: Bool { self.isLetter || self.isDigit || "-_".utf8.contains(self) }

    /// Whether the byte is a space, a tab or a line break.
    var isSpace: Bool { self == 0x20 || 0x09...0x0D ~= self }

    /// The value of a hexadecimal digit; `nil` for any other byte.
    var hexValue: UInt8? {
        if self.isDigit { return self - UInt8(ascii: "0") }
        let letter = (self | 0x20) &- UInt8(ascii: "a")
        return letter < 6 ? letter + 10 : nil
    }
}

extension Sequence<UInt8> {
    /// Whether the bytes are a decimal number, or a hexadecimal number after `0x`, as resolvers accept them.
    var isNumber: Bool {
        let bytes = Array(self)
        guard let first = bytes.first, first.isDigit else { return false }
        guard bytes.count > 1, first == UInt8(ascii: "0"), bytes[1] | 0x20 == UInt8(ascii: "x") else {
            return bytes.allSatisfy(\.isDigit)
        }
        return bytes.dropFirst(2).allSatisfy { $0.hexValue != nil }
    }
}

extension [UInt8] {
    /// The bytes without spaces, tabs and line breaks at the beginning and the end.
    var trimmed: ArraySlice<UInt8> {
        var bytes = self[...]
        while bytes.first?.isSpace ?? false { bytes.removeFirst() }
        while bytes.last?.isSpace ?? false { bytes.removeLast() }
        return bytes
    }
}

/// A port number as text.
enum PortNumber {
    /// Returns the number that decimal digits spell; `nil` for other text, and for a number outside 1 to 65535.
    static func read(_ bytes: some Sequence<UInt8>) -> Int? {
        var port = 0
        for byte in bytes {
            guard byte.isDigit else { return nil }
            port = port * 10 + Int(byte - UInt8(ascii: "0"))
            guard port <= 65535 else { return nil }
        }
        return port > 0 ? port : nil
    }
}

/// Percent-decoding (RFC 3986 §2.1), for the user and the password in a URL.
enum PercentDecoding {
    /// Returns the decoded text; `nil` if the result is not UTF-8, because a repaired password would be a different
    /// one.
    ///
    /// A percent sign that is not followed by two hexadecimal digits stays.
    static func decode(_ bytes: ArraySlice<UInt8>) -> String? {
        var output: [UInt8] = []
        output.reserveCapacity(bytes.count)
        var rest = bytes
        while let byte = rest.popFirst() {
            if byte == UInt8(ascii: "%"), rest.count >= 2,
                let high = rest[rest.startIndex].hexValue, let low = rest[rest.startIndex + 1].hexValue
            {
                output.append(high << 4 | low)
                rest = rest.dropFirst(2)
            } else {
                output.append(byte)
            }
        }
        return String(validating: output, as: UTF8.self)
    }
}
