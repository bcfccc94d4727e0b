// SPDX-License-Identifier: Apache-2.0

/// The bytes of one buffer, read without bounds checks in release builds.
///
/// Code creates and uses a view only inside a closure that lends it the bytes, and passes offsets with
/// `0 <= from <= to <= count`. The type is public, so that the compiler can inline its methods into other modules.
@_spi(CrossModuleInlining) public struct ByteView {
    @usableFromInline let bytes: UnsafeRawBufferPointer

    @inlinable public init(_ bytes: UnsafeRawBufferPointer) { self.bytes = bytes }

    @inlinable public var count: Int { self.bytes.count }

    @inlinable public subscript(offset: Int) -> UInt8 { self.bytes[offset] }

    @inlinable public func dropFirst(_ offset: Int) -> ByteView {
        ByteView(UnsafeRawBufferPointer(rebasing: self.bytes[offset...]))
    }

    @inlinable public func copy(_ range: Range<Int>) -> [UInt8] {
        [UInt8](UnsafeRawBufferPointer(rebasing: self.bytes[range]))
    }

    /// Returns a part as text, with U+FFFD in place of invalid UTF-8.
    @inlinable public func string(_ range: Range<Int>) -> String { String(decoding: self.part(range), as: UTF8.self) }

    /// Returns a part without copying it; the result is valid only as long as the view.
    @inlinable public func part(_ range: Range<Int>) -> UnsafeRawBufferPointer {
        UnsafeRawBufferPointer(rebasing: self.bytes[range])
    }

    /// Returns a range without the spaces and tabs at its ends (`OWS`, RFC 9110 §5.6.3).
    @inlinable public func trimmed(_ range: Range<Int>) -> Range<Int> {
        var (lower, upper) = (range.lowerBound, range.upperBound)
        while lower < upper, Self.isBlank(self[lower]) { lower += 1 }
        while lower < upper, Self.isBlank(self[upper - 1]) { upper -= 1 }
        return lower..<upper
    }

    /// Returns the offset at which the text of a line ends, before its CRLF or LF.
    @inlinable public func endOfLine(lineFeed: Int) -> Int {
        lineFeed > 0 && self[lineFeed - 1] == UInt8(ascii: "\r") ? lineFeed - 1 : max(lineFeed, 0)
    }

    /// Returns whether the bytes before `end` begin with a literal; if they are fewer, whether the literal begins with them.
    @inlinable public func hasPrefix(_ literal: StaticString, to end: Int) -> Bool {
        let count = min(end, literal.utf8CodeUnitCount)
        return self.part(0..<count).elementsEqual(UnsafeBufferPointer(start: literal.utf8Start, count: count))
    }

    @inlinable public func equals(_ other: UnsafeRawBufferPointer) -> Bool {
        let count = self.count
        guard other.count == count else { return false }
        var offset = 0
        while offset + 8 <= count {
            let one = self.bytes.loadUnaligned(fromByteOffset: offset, as: UInt64.self)
            if one != other.loadUnaligned(fromByteOffset: offset, as: UInt64.self) { return false }
            offset += 8
        }
        while offset < count {
            if self.bytes[offset] != other[offset] { return false }
            offset += 1
        }
        return true
    }

    /// Returns whether a part equals a literal, ignoring bit 5 of each byte, which is the case of a letter.
    ///
    /// A CR counts as a hyphen, but names contain no CR, and values only before an LF.
    @inlinable @inline(__always)
    public func matches(_ literal: StaticString, _ range: Range<Int>) -> Bool {
        let count = literal.utf8CodeUnitCount
        guard range.count == count else { return false }
        let expected = UnsafeRawPointer(literal.utf8Start)
        var offset = 0
        while offset + 8 <= count {
            let word = self.word(at: range.lowerBound + offset) | 0x2020_2020_2020_2020
            let other = UInt64(littleEndian: expected.loadUnaligned(fromByteOffset: offset, as: UInt64.self))
            if word != other | 0x2020_2020_2020_2020 { return false }
            offset += 8
        }
        while offset < count {
            if self[range.lowerBound + offset] | 0x20 != expected.load(fromByteOffset: offset, as: UInt8.self) | 0x20 {
                return false
            }
            offset += 1
        }
        return true
    }
}

@available(*, unavailable)  // a pointer that is valid only within a closure
extension ByteView: Sendable {}

// MARK: Searching

// Searches eight bytes at a time, as a word, where that is faster. `bytes(below:in:)` and `bytes(equalTo:in:)` mark
// each byte that they find by its highest bit. Only the lowest mark is always exact: a borrow may add a wrong mark
// above that.

extension ByteView {
    @inlinable public static func isBlank(_ byte: UInt8) -> Bool { byte == 0x20 || byte == 0x09 }

    /// Returns whether a token may contain a byte (`tchar`, RFC 9110 §5.6.2).
    @inlinable @inline(__always)
    public static func isTokenByte(_ byte: UInt8) -> Bool {
        let allowed: UInt64 = byte < 64 ? 0x03FF_6CFA_0000_0000 : 0x57FF_FFFF_C7FF_FFFE
        return byte < 128 && allowed &>> UInt64(byte & 63) & 1 == 1
    }

    /// Returns the offset of the first byte that no token may contain; `end` if there is none.
    @inlinable @inline(__always)
    public func endOfToken(from start: Int, to end: Int) -> Int {
        var offset = start
        while offset < end, Self.isTokenByte(self[offset]) { offset += 1 }
        return offset
    }

    /// Returns the offset of the first control character other than the tab; `end` if there is none.
    @inlinable @inline(__always)
    public func endOfText(from start: Int, to end: Int) -> Int {
        var offset = start
        while offset < end {
            if offset + 8 <= end {
                let word = self.word(at: offset)
                let marks = Self.bytes(below: 0x20, in: word) | Self.bytes(equalTo: 0x7F, in: word)
                offset += marks == 0 ? 8 : marks.trailingZeroBitCount / 8
                if marks == 0 { continue }
            }
            let byte = self[offset]
            if byte < 0x20 && byte != 0x09 || byte == 0x7F { return offset }
            offset += 1
        }
        return end
    }

    @inlinable public func endOfVisibleASCII(from start: Int, to end: Int) -> Int {
        var offset = start
        while offset + 8 <= end {
            let word = self.word(at: offset)
            let marks = Self.bytes(below: 0x21, in: word) | Self.bytes(equalTo: 0x7F, in: word)
            if (marks | word) & 0x8080_8080_8080_8080 != 0 { break }
            offset += 8
        }
        while offset < end, 0x21...0x7E ~= self[offset] { offset += 1 }
        return offset
    }

    @inlinable public func isASCII(_ range: Range<Int>) -> Bool {
        var (offset, union): (Int, UInt64) = (range.lowerBound, 0)
        while offset + 8 <= range.upperBound {
            union |= self.word(at: offset)
            offset += 8
        }
        while offset < range.upperBound {
            union |= UInt64(self[offset])
            offset += 1
        }
        return union & 0x8080_8080_8080_8080 == 0
    }

    @inlinable public func firstLineFeed(from start: Int, to end: Int) -> Int? {
        self.first(UInt8(ascii: "\n"), from: start, to: end)
    }

    @inlinable @inline(__always)
    public func first(_ byte: UInt8, from start: Int, to end: Int) -> Int? {
        var offset = start
        while offset + 8 <= end {
            let marks = Self.bytes(equalTo: byte, in: self.word(at: offset))
            if marks != 0 { return offset + marks.trailingZeroBitCount / 8 }
            offset += 8
        }
        while offset < end {
            if self[offset] == byte { return offset }
            offset += 1
        }
        return nil
    }

    @inlinable @inline(__always)
    public func word(at offset: Int) -> UInt64 {
        UInt64(littleEndian: self.bytes.loadUnaligned(fromByteOffset: offset, as: UInt64.self))
    }

    @inlinable @inline(__always)
    public static func bytes(below limit: UInt8, in word: UInt64) -> UInt64 {
        (word &- UInt64(limit) &* 0x0101_0101_0101_0101) & ~word & 0x8080_8080_8080_8080
    }

    @inlinable @inline(__always)
    public static func bytes(equalTo byte: UInt8, in word: UInt64) -> UInt64 {
        Self.bytes(below: 1, in: word ^ UInt64(byte) &* 0x0101_0101_0101_0101)
    }
}

@_spi(CrossModuleInlining) @inlinable @inline(__always)
public func withBytes<Result>(of text: String, _ body: (UnsafeRawBufferPointer) -> Result) -> Result {
    if let result = text.utf8.withContiguousStorageIfAvailable({ body(UnsafeRawBufferPointer($0)) }) { return result }
    return Array(text.utf8).withUnsafeBytes { body($0) }
}

// The rules for the texts of a request's head.

extension ByteView {
    package static func check(_ text: String, _ rule: (ByteView) -> Bool) -> Bool {
        withBytes(of: text) { rule(ByteView($0)) }
    }

    package var isToken: Bool { self.count > 0 && self.endOfToken(from: 0, to: self.count) == self.count }

    package var isVisibleASCII: Bool { self.endOfVisibleASCII(from: 0, to: self.count) == self.count }

    /// Whether the text is a request target, which contains no fragment (RFC 9110 §7.1).
    package var isRequestTarget: Bool {
        self.count > 0 && self.isVisibleASCII && self.first(UInt8(ascii: "#"), from: 0, to: self.count) == nil
    }
}
