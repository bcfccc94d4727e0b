// SPDX-License-Identifier: Apache-2.0

/// The sequence of what happens in a queue, from the moment when the sequence is created.
///
/// Each iterator gets the *present* value of each transfer that has changed since the iterator returned it last. So a
/// slow reader misses intermediate values, but never the last one, and the memory for it is bounded by the number of
/// transfers. Changes of different transfers arrive in the order of their first change since then.
///
/// The sequence ends when the task of its reader is cancelled, or when the queue is released.
public struct TransferQueueChanges: AsyncSequence, Sendable {
    /// Reads the changes for one reader.
    public struct AsyncIterator: AsyncIteratorProtocol, Sendable {
        /// Returns the next change, and waits for it if necessary.
        ///
        /// - Returns: The change; `nil` if the task was cancelled, or if the queue was released.
        public mutating func next(isolation actor: isolated (any Actor)?) async -> TransferQueueChange? { nil }
    }

    /// The type of an element.
    public typealias Element = TransferQueueChange
    /// Reading does not fail.
    public typealias Failure = Never

    /// Creates a reader.
    public func makeAsyncIterator() -> AsyncIterator { AsyncIterator() }
}
