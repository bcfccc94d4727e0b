// SPDX-License-Identifier: Apache-2.0

extension UInt8 {
    var isDigit: Bool { self &- UInt8(ascii: "0") < 10 }

    var isLetter: Bool { (self | 0x20) &- UInt8(ascii: "a") < 26 }

    var isSchemeByte: Bool { self.isLetter || self.isDigit || "+-.".utf8.contains(self) }

    /// Whether a label of a host name may have the byte; many names have an underscore, which the standard does not allow.
    var isNameByte: Bool { self.isLetter || self.isDigit || "-_".utf8.contains(self) }

    var isSpace: Bool { self == 0x20 || 0x09...0x0D ~= self }

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
    var trimmed: ArraySlice<UInt8> {
        var bytes = self[...]
        while bytes.first?.isSpace ?? false { bytes.removeFirst() }
        while bytes.last?.isSpace ?? false { bytes.removeLast() }
        return bytes
    }
}

enum PortNumber {
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

enum PercentDecoding {
    /// Returns the decoded text (RFC 3986 §2.1); `nil` if it is not UTF-8, because a repaired password would be a different one.
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
