// SPDX-License-Identifier: Apache-2.0

extension UInt8 {
    /// `0` to `9`.
    var isDigit: Bool { self &- UInt8(ascii: "0") < 10 }

    /// `A` to `Z`, `a` to `z`.
    var isLetter: Bool { (self | 0x20) &- UInt8(ascii: "a") < 26 }

    /// A control character other than the tab: "%x00-08 / %x0A-1F / %x7F" (RFC 6265bis §5.6).
    var isControl: Bool { self < 0x20 && self != 0x09 || self == 0x7F }

    /// A space or a tab.
    var isWhitespace: Bool { self == 0x20 || self == 0x09 }

    /// A letter of ASCII in lower case, anything else as it is.
    var lowercased: UInt8 { self &- UInt8(ascii: "A") < 26 ? self | 0x20 : self }
}

extension Span<UInt8> {
    /// The bytes as an array.
    var array: [UInt8] { self.withUnsafeBufferPointer { Array($0) } }

    /// The place of the first byte of this value in a range.
    func first(_ byte: UInt8, in range: Range<Int>) -> Int? {
        for index in range where self[index] == byte { return index }
        return nil
    }

    /// A range without the spaces and tabs at its ends.
    func trimmed(_ range: Range<Int>) -> Range<Int> {
        var (start, end) = (range.lowerBound, range.upperBound)
        while start < end, self[start].isWhitespace { start += 1 }
        while end > start, self[end - 1].isWhitespace { end -= 1 }
        return start..<end
    }

    /// Whether a range holds a word of lower-case ASCII letters, in any case.
    func isWord(_ word: StaticString, _ range: Range<Int>) -> Bool {
        guard range.count == word.utf8CodeUnitCount else { return false }
        for offset in 0..<range.count
        where self[range.lowerBound + offset].lowercased != word.utf8Start[offset] {
            return false
        }
        return true
    }
}

extension Collection<UInt8> {
    /// Whether it begins with a word of lower-case ASCII letters, in any case.
    func hasPrefix(ignoringCase word: String) -> Bool {
        self.lazy.map(\.lowercased).starts(with: word.utf8)
    }
}
