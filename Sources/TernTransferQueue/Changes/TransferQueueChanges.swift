// SPDX-License-Identifier: Apache-2.0
import TernConnections

/// The changes of a queue since the moment when the sequence was created, for one reader.
///
/// A slow reader gets only the *present* value of each transfer that has changed, in the order of the first changes. The sequence
/// ends when its reader's task is cancelled, or after the last change of a queue that was released.
public struct TransferQueueChanges: AsyncSequence, Sendable {
    /// Reads the changes.
    public struct AsyncIterator: AsyncIteratorProtocol, Sendable {
        fileprivate let reader: ChangeReader

        /// Returns the next change, for which it waits if necessary.
        ///
        /// - Parameter actor: The actor of the caller.
        /// - Returns: The change; `nil` if the task was cancelled, or after the last change of a queue that was released.
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
