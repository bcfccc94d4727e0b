// SPDX-License-Identifier: Apache-2.0

/// Finds the line breaks of a chunk, one after the other.
///
/// The type searches blocks of 64 bytes for LF and CR at once, and remembers all breaks of the last block. Therefore,
/// it does not search a block again for each of its lines.
struct LineBreaks: Sendable {
    /// The LFs and CRs of the block at `blockStart` that have not been returned; the lowest bit is the first byte.
    private var breaks: UInt64 = 0
    private var blockStart = 0
    /// The end of the bytes that have been searched.
    private var blockEnd = 0

    /// An offset at and after which all searched bytes are below 128.
    ///
    /// A line that starts at or after this offset, and whose end has been found, is ASCII.
    private(set) var nonASCIIEnd = 0

    /// The number of bytes that were searched since the start of the input.
    ///
    /// A block that contains a break counts twice, because it is also searched for the position of the break. Tests
    /// check that the number is at most twice the length of the input.
    private(set) var searchedByteCount = 0

    /// Returns the end of the line that contains `offset`, without its line break, and the start of the next line.
    ///
    /// - Parameters:
    ///   - chunk: The chunk; the same bytes in every call, until ``forgetChunk()``.
    ///   - offset: The position in the chunk; not before the position of the last call.
    /// - Returns: The two offsets; `nil` if the chunk has no further line break.
    @inline(__always)
    mutating func next(in chunk: UnsafeRawBufferPointer, from offset: Int) -> (lineEnd: Int, nextLine: Int)? {
        if offset > self.blockStart {
            let passedCount = offset &- self.blockStart
            self.breaks = passedCount < ByteBlock.byteCount ? self.breaks & (~0 &<< UInt64(passedCount)) : 0
        }
        if self.breaks == 0 {
            self.search(chunk, from: max(offset, self.blockEnd))
            guard self.breaks != 0 else { return nil }
        }
        let lineEnd = self.blockStart &+ self.breaks.trailingZeroBitCount
        let nextLine = lineEnd &+ 1
        guard lineEnd < chunk.count else { return nil }
        guard chunk[lineEnd] == .carriageReturn, nextLine < chunk.count, chunk[nextLine] == .lineFeed else {
            return (lineEnd, nextLine)
        }
        return (lineEnd, nextLine &+ 1)
    }

    /// Discards the remembered positions at the end of a chunk.
    mutating func forgetChunk() {
        self.breaks = 0
        self.blockStart = 0
        self.blockEnd = 0
        self.nonASCIIEnd = 0
    }

    /// Searches for the next block with a break; without one, `breaks` remains 0.
    @inline(__always)
    private mutating func search(_ chunk: UnsafeRawBufferPointer, from start: Int) {
        guard let bytes = chunk.baseAddress else { return }
        var position = start
        var union = SIMD2<UInt64>()
        while chunk.count &- position >= ByteBlock.byteCount {
            let block = ByteBlock(bytes + position)
            position &+= ByteBlock.byteCount
            union |= block.union
            guard block.containsBreak else { continue }
            self.breaks = block.breaks
            self.blockStart = position &- ByteBlock.byteCount
            self.blockEnd = position
            self.searchedByteCount &+= position &- start &+ ByteBlock.byteCount
            if Self.containsHighBit(union) { self.nonASCIIEnd = position }
            return
        }
        if Self.containsHighBit(union) { self.nonASCIIEnd = position }
        self.blockStart = position
        self.blockEnd = chunk.count
        self.searchedByteCount &+= self.blockEnd &- start
        self.searchTail(UnsafeRawBufferPointer(rebasing: chunk[position...]))
    }

    @inline(__always)
    private static func containsHighBit(_ words: SIMD2<UInt64>) -> Bool {
        (words[0] | words[1]) & 0x8080_8080_8080_8080 != 0
    }

    /// Searches the last bytes of a chunk, which are fewer than a block.
    private mutating func searchTail(_ bytes: UnsafeRawBufferPointer) {
        var bit: UInt64 = 1
        var union: UInt8 = 0
        for byte in bytes {
            if byte == .lineFeed || byte == .carriageReturn { self.breaks |= bit }
            union |= byte
            bit &<<= 1
        }
        if union >= 0x80 { self.nonASCIIEnd = self.blockEnd }
    }
}

extension UInt8 {
    /// LF, U+000A.
    static let lineFeed = UInt8(ascii: "\n")
    /// CR, U+000D.
    static let carriageReturn = UInt8(ascii: "\r")
}
