// SPDX-License-Identifier: Apache-2.0

#if canImport(FoundationEssentials)
public import FoundationEssentials
#else
public import Foundation
#endif

extension RequestBody {
    /// A body that comes in pieces.
    public struct Stream: Sendable {
        /// How many bytes all pieces are together; `nil` if that is not known.
        public let length: Int64?
        /// Whether ``makeReader()`` may be called more than once.
        public let isReplayable: Bool

        private let make: @Sendable () -> Reader

        /// Creates a stream.
        ///
        /// - Parameters:
        ///   - length: how many bytes all pieces are together; not negative; `nil` if that is not known.
        ///   - isReplayable: whether `makeSequence` gives the same bytes every time.
        ///   - makeSequence: gives the pieces; called once for each ``makeReader()``.
        public init<S: AsyncSequence & SendableMetatype>(
            length: Int64?,
            isReplayable: Bool,
            _ makeSequence: @escaping @Sendable () -> S
        ) where S.Element: Sequence<UInt8> {
            precondition(length ?? 0 >= 0, "the length of a body is not negative")
            self.length = length
            self.isReplayable = isReplayable
            self.make = { SequenceReader(makeSequence()) }
        }

        /// Begins to read.
        ///
        /// - Returns: a reader at the start of the stream.
        /// - Important: Call it once only, unless the stream ``isReplayable``.
        public func makeReader() -> Reader { self.make() }
    }

    /// Gives the pieces of a stream, one after the other.
    ///
    /// - Important: A reader is not `Sendable`: it belongs to the task that made it. Releasing it releases the iterator.
    public class Reader {
        fileprivate init() {}

        /// The next piece, which may be empty; `nil` at the end of the stream.
        ///
        /// - Parameter isolation: the caller's actor, where the iterator runs; left to its default.
        /// - Returns: the bytes, or `nil` once there are no more.
        /// - Throws: whatever the sequence throws; after that, or after `nil`, do not call it again.
        /// - Important: How it answers cancellation is up to the sequence.
        public func next(isolation: isolated (any Actor)? = #isolation) async throws -> Data? { nil }
    }
}

@available(*, unavailable)
extension RequestBody.Reader: Sendable {}

/// Boxes an iterator; it is made by the task that reads, so that it need not be `Sendable`.
private final class SequenceReader<S: AsyncSequence>: RequestBody.Reader where S.Element: Sequence<UInt8> {
    private var iterator: S.AsyncIterator

    init(_ sequence: S) {
        self.iterator = sequence.makeAsyncIterator()
        super.init()
    }

    override func next(isolation: isolated (any Actor)? = #isolation) async throws -> Data? {
        guard let piece = try await self.iterator.next(isolation: isolation) else { return nil }
        return piece as? Data ?? Data(piece)
    }
}
