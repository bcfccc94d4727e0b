// SPDX-License-Identifier: Apache-2.0

/// Finds the line breaks of a chunk, one after the other.
///
/// The system's search looks for one byte at a time. So the type searches for the next LF, the next CR and the next byte
/// above 127 separately, and remembers the place of each until the lines have passed it. Text without CR or above 127 is
/// therefore searched only once for them, and not again for each line.
struct LineBreaks: Sendable {
    /// The offset of the next LF; the length of the chunk if there is none; before the position if it is not known.
    private var lineFeed = -1
    /// The offset of the next CR, like `lineFeed`.
    private var carriageReturn = -1
    /// The offset of the next byte above 127, like `lineFeed`.
    private var nonASCII = -1

    /// The number of bytes that were searched for breaks since the start of the input.
    ///
    /// Each byte counts twice: for LF and for CR. Tests check that the number is not larger.
    private(set) var searchedByteCount = 0

    /// Returns the end of the line that contains `offset`, without its line break, and the start of the next line.
    ///
    /// - Parameters:
    ///   - chunk: The chunk; the same bytes in every call, until ``forgetChunk()``.
    ///   - offset: The position in the chunk; not before the position of the last call.
    /// - Returns: The two offsets; `nil` if the chunk has no further line break.
    @inline(__always)
    mutating func next(in chunk: UnsafeRawBufferPointer, from offset: Int) -> (lineEnd: Int, nextLine: Int)? {
        if self.lineFeed < offset { self.lineFeed = self.find(.lineFeed, in: chunk, from: offset) }
        if self.carriageReturn < offset { self.carriageReturn = self.find(.carriageReturn, in: chunk, from: offset) }
        let lineEnd = min(self.lineFeed, self.carriageReturn)
        guard lineEnd < chunk.count else { return nil }
        let isPair = lineEnd == self.carriageReturn && self.lineFeed == lineEnd &+ 1 && self.lineFeed < chunk.count
        return (lineEnd, isPair ? lineEnd &+ 2 : lineEnd &+ 1)
    }

    /// Returns whether the bytes of a range are all below 128.
    ///
    /// - Parameters:
    ///   - range: The range, which begins at the position of the last call of ``next(in:from:)``.
    ///   - chunk: The chunk of that call.
    /// - Returns: `true` for an empty range.
    @inline(__always)
    mutating func isASCII(_ range: Range<Int>, in chunk: UnsafeRawBufferPointer) -> Bool {
        if self.nonASCII < range.lowerBound {
            self.nonASCII = ByteSearch.firstNonASCIIOffset(in: chunk, from: range.lowerBound)
        }
        return self.nonASCII >= range.upperBound
    }

    /// Discards the remembered positions at the end of a chunk.
    mutating func forgetChunk() { (self.lineFeed, self.carriageReturn, self.nonASCII) = (-1, -1, -1) }

    @inline(__always)
    private mutating func find(_ byte: UInt8, in chunk: UnsafeRawBufferPointer, from offset: Int) -> Int {
        let found = ByteSearch.firstOffset(of: byte, in: chunk, from: offset)
        self.searchedByteCount &+= min(found &+ 1, chunk.count) &- offset
        return found
    }
}

extension UInt8 {
    /// LF, U+000A.
    static let lineFeed = UInt8(ascii: "\n")
    /// CR, U+000D.
    static let carriageReturn = UInt8(ascii: "\r")
}
