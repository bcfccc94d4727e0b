// SPDX-License-Identifier: Apache-2.0
import Synchronization
import TernConnections

/// A ``TransferBook`` behind a lock, and the wait of the runner; an object, because readers of changes must not retain the queue.
final class QueueState: Sendable {
    private struct Locked: Sendable {
        var book: TransferBook
        var hasNews = false
        var wait: Suspension<Bool>?
    }

    private let locked: Mutex<Locked>

    init(_ book: TransferBook) { self.locked = Mutex(Locked(book: book)) }

    func use<Value: Sendable>(_ body: (inout TransferBook) -> Value) -> Value {
        self.locked.withLock { body(&$0.book) }
    }

    /// Changes the book, and wakes the task that performs the transfers.
    func update<Value: Sendable>(_ body: (inout TransferBook) -> Value) -> Value {
        let (value, wait) = self.locked.withLock { locked in
            let value = body(&locked.book)
            locked.hasNews = true
            return (value, locked.wait.take())
        }
        wait?.resume(with: true)
        return value
    }

    func wake() { self.update { _ in } }

    /// Uses the book in the task that performs the transfers, and marks all changes so far as seen.
    func look<Value: Sendable>(_ body: (inout TransferBook) -> Value) -> Value {
        self.locked.withLock { locked in
            locked.hasNews = false
            return body(&locked.book)
        }
    }

    /// Waits until something has changed since the last ``look(_:)``, until an instant, or until the task is cancelled.
    func waitForNews(until instant: ClockInstant?, on clock: any TransportClock) async {
        let suspension = Suspension<Bool>()
        let hasNews = self.locked.withLock { locked in
            if !locked.hasNews { locked.wait = suspension }
            return locked.hasNews
        }
        guard !hasNews else { return }
        _ = await suspension.wait(until: instant, on: clock, onTimeout: true, onCancel: false)
    }
}
