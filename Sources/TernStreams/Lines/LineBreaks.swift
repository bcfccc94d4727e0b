// SPDX-License-Identifier: Apache-2.0

/// Finds the line breaks of a chunk, one after the other.
///
/// It remembers the next LF, the next CR and the next byte above 127, so that it searches text without CR only once for CR.
struct LineBreaks: Sendable {
    /// The offset of the next LF; the length of the chunk if there is none; before the position if it is not known.
    private var lineFeed = -1
    private var carriageReturn = -1
    private var nonASCII = -1

    /// The number of bytes that were searched since the start of the input; each may count twice, for LF and for CR.
    private(set) var searchedByteCount = 0

    /// Returns the end of the line that contains `offset`, and the start of the next line; `nil` without a further line break.
    @inline(__always)
    mutating func next(in chunk: UnsafeRawBufferPointer, from offset: Int) -> (lineEnd: Int, nextLine: Int)? {
        if self.lineFeed < offset { self.lineFeed = self.find(.lineFeed, in: chunk, from: offset) }
        if self.carriageReturn < offset { self.carriageReturn = self.find(.carriageReturn, in: chunk, from: offset) }
        let lineEnd = min(self.lineFeed, self.carriageReturn)
        guard lineEnd < chunk.count else { return nil }
        let isPair = lineEnd == self.carriageReturn && self.lineFeed == lineEnd &+ 1 && self.lineFeed < chunk.count
        return (lineEnd, isPair ? lineEnd &+ 2 : lineEnd &+ 1)
    }

    /// Returns whether a range, which begins at the position of the last call of ``next(in:from:)``, is ASCII.
    @inline(__always)
    mutating func isASCII(_ range: Range<Int>, in chunk: UnsafeRawBufferPointer) -> Bool {
        if self.nonASCII < range.lowerBound {
            self.nonASCII = ByteSearch.firstNonASCIIOffset(in: chunk, from: range.lowerBound)
        }
        return self.nonASCII >= range.upperBound
    }

    mutating func forgetChunk() { (self.lineFeed, self.carriageReturn, self.nonASCII) = (-1, -1, -1) }

    @inline(__always)
    private mutating func find(_ byte: UInt8, in chunk: UnsafeRawBufferPointer, from offset: Int) -> Int {
        let found = ByteSearch.firstOffset(of: byte, in: chunk, from: offset)
        self.searchedByteCount &+= min(found &+ 1, chunk.count) &- offset
        return found
    }
}

extension UInt8 {
    static let lineFeed = UInt8(ascii: "\n")
    static let carriageReturn = UInt8(ascii: "\r")
}
