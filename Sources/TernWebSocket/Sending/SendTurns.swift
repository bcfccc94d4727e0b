// SPDX-License-Identifier: Apache-2.0
import DequeModule
import TernConnections

/// Lets one task at a time send a long or compressed message, in the order in which the tasks ask.
///
/// The task that may send has the *turn*. There is only one turn, because no other message may come between the
/// fragments of a message (RFC 6455 §5.4), and because all messages share one compressor.
///
/// Resuming a task may run it at once, so the caller resumes the waiters that the methods return after it has released
/// its lock.
struct SendTurns: Sendable {
    /// The result of waiting for a turn.
    enum Grant: Sendable {
        case granted
        case closed
        case cancelled
    }

    /// A task's wait for its turn.
    typealias Waiter = Suspension<Grant>

    private enum State: Sendable {
        /// No task sends. The state ends when a task takes the turn.
        case free
        /// A task has the turn, and others wait for it. The state ends when the task releases the turn, and no task
        /// waits.
        case taken(waiting: Deque<Waiter>)
    }

    private var state = State.free

    /// Whether no task has the turn.
    var isFree: Bool {
        if case .free = self.state { true } else { false }
    }

    /// Takes the turn, or joins the tasks that wait for it.
    ///
    /// - Returns: `nil` if the caller has the turn now. If another task has the turn, a waiter on which the caller must
    ///   wait.
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

    /// Passes the turn on, or frees it if no task waits.
    ///
    /// - Returns: The task that has waited longest, to resume with `.granted`. If it was cancelled, it does not take
    ///   the turn; then call this method again.
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

    /// Ends all waits, because nothing more can be sent.
    ///
    /// - Returns: The tasks to resume with `.closed`.
    mutating func close() -> Deque<Waiter> {
        guard case .taken(let waiting) = self.state else { return Deque() }
        self.state = .taken(waiting: Deque())
        return waiting
    }
}
