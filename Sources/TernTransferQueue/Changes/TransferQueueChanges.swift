// SPDX-License-Identifier: Apache-2.0
import TernConnections

/// The sequence of what happens in a queue, from the moment when the sequence is created.
///
/// The sequence gives the *present* value of each transfer that has changed since the sequence gave it last. So a slow
/// reader misses intermediate values, but never the last one, and the memory for it is bounded by the number of
/// transfers. The transfers come in the order of their first change since then.
///
/// Each use of ``TransferQueue/changes`` is a sequence of its own, for one reader. The sequence ends when the task of
/// its reader is cancelled, or when the queue is released.
public struct TransferQueueChanges: AsyncSequence, Sendable {
    /// Reads the changes.
    public struct AsyncIterator: AsyncIteratorProtocol, Sendable {
        fileprivate let reader: ChangeReader

        /// Returns the next change, and waits for it if necessary.
        ///
        /// - Parameter actor: The actor of the caller.
        /// - Returns: The change; `nil` if the task was cancelled, or if the queue was released.
        public mutating func next(isolation actor: isolated (any Actor)?) async -> TransferQueueChange? {
            await self.reader.next()
        }
    }

    /// The type of an element.
    public typealias Element = TransferQueueChange
    /// Reading does not fail.
    public typealias Failure = Never

    private let reader: ChangeReader

    init(_ state: QueueState) { self.reader = ChangeReader(state) }

    /// Returns the iterator; all iterators of the sequence share its elements.
    public func makeAsyncIterator() -> AsyncIterator { AsyncIterator(reader: self.reader) }
}

/// One reader of the changes of a queue.
private final class ChangeReader: Sendable {
    private let state: QueueState
    private let number: UInt64

    init(_ state: QueueState) {
        self.state = state
        self.number = state.use { $0.readers.add(knowing: $0.items.keys) }
    }

    deinit { self.state.use { [number] in $0.readers.remove(number) } }

    func next() async -> TransferQueueChange? {
        while !Task.isCancelled {
            let (change, wait) = self.state.use { [number] book in
                let change = book.takeChange(number)
                return (change, change == nil ? book.readers.wait(number) : nil)
            }
            if let change { return change }
            guard let wait, await wait.wait(onCancel: false) else { return nil }
        }
        return nil
    }
}

extension TransferBook {
    /// Takes the first pending change of a reader; `nil` if none is pending.
    fileprivate mutating func takeChange(_ number: UInt64) -> TransferQueueChange? {
        let key = self.readers.take(number) { [items] id in items[id] != nil }
        switch key {
        case .transfer(let id): return self.transfer(id).map { .transfer($0) } ?? .removed(id)
        case .network: return .network(isAvailable: self.schedule.outage == nil)
        case .queue: return .queue(isPaused: self.schedule.isPaused)
        case nil: return nil
        }
    }
}
