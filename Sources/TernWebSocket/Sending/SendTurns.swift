// SPDX-License-Identifier: Apache-2.0
import DequeModule
import TernConnections

/// Lets one task at a time send a long or compressed message, in the order in which the tasks ask.
///
/// No other message may come between fragments (RFC 6455 §5.4), and all messages share one compressor. Resume the returned waiters
/// without a lock.
struct SendTurns: Sendable {
    enum Grant: Sendable {
        case granted
        case closed
        case cancelled
    }

    typealias Waiter = Suspension<Grant>

    private enum State: Sendable {
        /// No task has the turn. Ends when one takes it.
        case free
        /// A task has the turn. Ends when it releases the turn, and no task waits.
        case taken(waiting: Deque<Waiter>)
    }

    private var state = State.free

    var isFree: Bool {
        if case .free = self.state { true } else { false }
    }

    /// Takes the turn, or returns a waiter on which the caller must wait.
    mutating func take() -> Waiter? {
        guard case .taken(var waiting) = self.state else {
            self.state = .taken(waiting: Deque())
            return nil
        }
        self.state = .taken(waiting: Deque())  // so that the queue is not copied
        let waiter = Waiter()
        waiting.append(waiter)
        self.state = .taken(waiting: waiting)
        return waiter
    }

    /// Passes the turn to the returned task, or frees it; for a cancelled task, call this method again.
    mutating func release() -> Waiter? {
        guard case .taken(var waiting) = self.state, !waiting.isEmpty else {
            self.state = .free
            return nil
        }
        self.state = .taken(waiting: Deque())
        let next = waiting.popFirst()
        self.state = .taken(waiting: waiting)
        return next
    }

    /// Ends all waits, and returns the tasks to resume with `.closed`.
    mutating func close() -> Deque<Waiter> {
        guard case .taken(let waiting) = self.state else { return Deque() }
        self.state = .taken(waiting: Deque())
        return waiting
    }
}
