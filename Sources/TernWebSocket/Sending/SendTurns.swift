// SPDX-License-Identifier: Apache-2.0
import DequeModule
import TernConnections

/// Gives out turns to send messages that take a while, one at a time, in the order in which tasks ask.
///
/// A message in fragments must not be interrupted by another (RFC 6455 §5.4), and the compressor has one window.
struct SendTurns: Sendable {
    /// The result of waiting for a turn.
    enum Grant: Sendable {
        case granted
        case closed
        case cancelled
    }

    /// A task's wait for its turn.
    typealias Waiter = Suspension<Grant>

    /// Whether a task has the turn.
    private(set) var isTaken = false
    private var waiters = Deque<Waiter>()

    /// Takes the turn and returns `nil`, or returns what to wait for if the turn is taken.
    mutating func take() -> Waiter? {
        guard self.isTaken else {
            self.isTaken = true
            return nil
        }
        let waiter = Waiter()
        self.waiters.append(waiter)
        return waiter
    }

    /// Passes the turn on to the first task that still wants it.
    mutating func release() {
        while let next = self.waiters.popFirst() {
            if next.resume(with: .granted) { return }
        }
        self.isTaken = false
    }

    /// Ends all waits, because nothing more can be sent.
    mutating func close() {
        while let next = self.waiters.popFirst() { next.resume(with: .closed) }
    }
}
