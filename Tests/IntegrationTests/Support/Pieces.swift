// SPDX-License-Identifier: Apache-2.0
import ClientTestSupport

/// A body that consists of pieces of the same size.
struct Pieces: AsyncSequence, Sendable {
    struct Broken: Error {}

    var count: Int
    var byteCount: Int
    /// The number of pieces after which the sequence throws; `nil` if it never throws.
    var failsAfter: Int?

    func makeAsyncIterator() -> Iterator { Iterator(pieces: self) }

    struct Iterator: AsyncIteratorProtocol {
        let pieces: Pieces
        var position = 0

        mutating func next() async throws -> [UInt8]? {
            if self.position == self.pieces.failsAfter { throw Broken() }
            guard self.position < self.pieces.count else { return nil }
            defer { self.position += 1 }
            return [UInt8](repeating: UInt8(truncatingIfNeeded: self.position), count: self.pieces.byteCount)
        }
    }
}
