// SPDX-License-Identifier: Apache-2.0

/// Where the next line break of one chunk is.
///
/// The next LF and the next CR are looked for separately, and remembered until they are passed. Without that, a chunk
/// with a million LFs and no CR would be searched for a CR a million times.
struct LineBreaks: Sendable {
    private static let unknown = -1
    private var lineFeed = Self.unknown
    private var carriageReturn = Self.unknown

    /// How many bytes have been looked at since the beginning; tests hold it against twice the length of the input.
    private(set) var searchedByteCount = 0

    /// The end of the line that holds `offset`, and the start of the line after it.
    ///
    /// - Returns: `nil` if the chunk has no further break.
    mutating func next(in chunk: UnsafeRawBufferPointer, from offset: Int) -> (lineEnd: Int, nextLine: Int)? {
        if self.lineFeed < offset { self.lineFeed = self.search(for: .lineFeed, in: chunk, from: offset) }
        if self.carriageReturn < offset {
            self.carriageReturn = self.search(for: .carriageReturn, in: chunk, from: offset)
        }
        let lineEnd = min(self.lineFeed, self.carriageReturn)
        guard lineEnd < chunk.count else { return nil }
        let isPair = self.lineFeed == self.carriageReturn + 1 && self.lineFeed < chunk.count
        return (lineEnd, isPair ? lineEnd + 2 : lineEnd + 1)
    }

    /// Forgets what was found, because the chunk is used up.
    mutating func forgetChunk() {
        self.lineFeed = Self.unknown
        self.carriageReturn = Self.unknown
    }

    private mutating func search(for byte: UInt8, in chunk: UnsafeRawBufferPointer, from offset: Int) -> Int {
        let found = ByteSearch.firstOffset(of: byte, in: chunk, from: offset)
        self.searchedByteCount += min(found + 1, chunk.count) - offset
        return found
    }
}

extension UInt8 {
    /// LF, U+000A.
    static let lineFeed = UInt8(ascii: "\n")
    /// CR, U+000D.
    static let carriageReturn = UInt8(ascii: "\r")
}
