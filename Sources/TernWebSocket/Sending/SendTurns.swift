// SPDX-License-Identifier: Apache-2.0
import DequeModule
import TernConnections

/// Lets one task at a time send a long or compressed message, in the order in which the tasks ask.
///
/// The task that may send has the *turn*. There is only one turn, because no other message may come between the
/// fragments of a message (RFC 6455 §5.4), and because all messages share one compressor.
struct SendTurns: Sendable {
    /// The result of waiting for a turn.
    enum Grant: Sendable {
        case granted
        case closed
        case cancelled
    }

    /// A task's wait for its turn.
    typealias Waiter = Suspension<Grant>

    /// Whether a task has the turn now.
    private(set) var isTaken = false
    private var waiters = Deque<Waiter>()

    /// Takes the turn, or joins the tasks that wait for it.
    ///
    /// - Returns: `nil` if the caller has the turn now. If another task has the turn, a waiter on which the caller must
    ///   wait.
    mutating func take() -> Waiter? {
        guard self.isTaken else {
            self.isTaken = true
            return nil
        }
        let waiter = Waiter()
        self.waiters.append(waiter)
        return waiter
    }

    /// Passes the turn on to the task that has waited longest and was not cancelled; frees the turn if no task waits.
    mutating func release() {
        while let next = self.waiters.popFirst() {
            if next.resume(with: .granted) { return }
        }
        self.isTaken = false
    }

    /// Ends all waits with `.closed`, because nothing more can be sent.
    mutating func close() {
        while let next = self.waiters.popFirst() { next.resume(with: .closed) }
    }
}
