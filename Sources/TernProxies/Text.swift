// SPDX-License-Identifier: Apache-2.0

extension UInt8 {
    /// `0` to `9`.
    var isDigit: Bool { self &- UInt8(ascii: "0") < 10 }

    /// `A` to `Z`, `a` to `z`.
    var isLetter: Bool { (self | 0x20) &- UInt8(ascii: "a") < 26 }

    /// What a scheme is made of (RFC 3986 §3.1).
    var isSchemeByte: Bool { self.isLetter || self.isDigit || "+-.".utf8.contains(self) }

    /// What the label of a host name is made of; the underscore is no letter of a host name, but many have one.
    var isNameByte: Bool { self.isLetter || self.isDigit || "-_".utf8.contains(self) }

    /// A space, a tab or a line break.
    var isSpace: Bool { self == 0x20 || 0x09...0x0D ~= self }

    /// The value of a hexadecimal digit.
    var hexValue: UInt8? {
        if self.isDigit { return self - UInt8(ascii: "0") }
        let letter = (self | 0x20) &- UInt8(ascii: "a")
        return letter < 6 ? letter + 10 : nil
    }
}

extension Sequence<UInt8> {
    /// Whether this is a decimal number or a hexadecimal one with `0x`, as resolvers read them.
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
    /// The bytes without spaces at either end.
    var trimmed: ArraySlice<UInt8> {
        var bytes = self[...]
        while bytes.first?.isSpace ?? false { bytes.removeFirst() }
        while bytes.last?.isSpace ?? false { bytes.removeLast() }
        return bytes
    }
}

/// A port as text.
enum PortNumber {
    /// Reads decimal digits; `nil` unless they are a number from 1 to 65535.
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

/// Percent-decoding (RFC 3986 §2.1), as of the user and the password in the URL of a request.
enum PercentDecoding {
    /// The text that bytes stand for; `nil` if that is not UTF-8, for a password that is repaired is another one.
    ///
    /// A percent sign without two digits stays.
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
