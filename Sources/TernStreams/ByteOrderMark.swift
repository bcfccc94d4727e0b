// SPDX-License-Identifier: Apache-2.0

/// Skips one byte order mark at the start of an input, even if the mark is split between chunks.
struct ByteOrderMark: Sendable {
    static let bytes: [UInt8] = [0xEF, 0xBB, 0xBF]

    private var matchedCount = 0

    /// Whether the input so far is empty or the beginning of a mark.
    private(set) var isPossible = true

    /// The bytes so far, if they may be the beginning of a mark; otherwise empty.
    var held: ArraySlice<UInt8> { self.isPossible ? Self.bytes[..<self.matchedCount] : [] }

    /// Moves a position past the mark, and returns bytes of earlier chunks that were held but do not belong to a mark.
    mutating func skip(in chunk: UnsafeRawBufferPointer, from offset: inout Int) -> ArraySlice<UInt8> {
        let held = self.held
        var position = offset
        while self.matchedCount < Self.bytes.count {
            guard position < chunk.count else {
                offset = position
                return []
            }
            guard chunk[position] == Self.bytes[self.matchedCount] else {
                self.isPossible = false
                return held
            }
            position += 1
            self.matchedCount += 1
        }
        self.isPossible = false
        offset = position
        return []
    }
}
