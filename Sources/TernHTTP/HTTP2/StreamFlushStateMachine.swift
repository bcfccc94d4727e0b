// SPDX-License-Identifier: Apache-2.0

/// Says who hands the queued bytes of an ``HTTP2StreamConnection`` to the session: at most one thread or task at a time.
struct StreamFlushStateMachine: Sendable {
    private enum State {
        /// Everything was handed over. Exits: `sending`, `closed`.
        case resting
        /// A thread hands over. Exits: `resting`, `waiting`, `closing`.
        case sending
        /// A task waits until the session can take more. Exits: `sending`, `closed`.
        case waiting
        /// The connection was closed while a thread hands over, which ends the stream afterwards. Exit: `closed`.
        case closing
        case closed
    }

    private var state = State.resting

    /// Bytes were queued; returns whether the caller hands them over, or else another thread or task does already.
    mutating func begins() -> Bool {
        guard case .resting = self.state else { return false }
        self.state = .sending
        return true
    }

    /// The session takes no more now; returns whether to wait, or else the connection was closed: the caller hands over what the
    /// session takes at once, and then calls ``rests()``.
    mutating func waits() -> Bool {
        guard case .sending = self.state else { return false }
        self.state = .waiting
        return true
    }

    /// The wait has ended; returns whether the caller hands over the rest.
    mutating func resumes() -> Bool {
        guard case .waiting = self.state else { return false }
        self.state = .sending
        return true
    }

    /// Nothing is left to hand over, or the session takes no more after a close; returns whether the caller ends the stream.
    mutating func rests() -> Bool {
        guard case .closing = self.state else {
            self.state = .resting
            return false
        }
        self.state = .closed
        return true
    }

    /// The connection was closed; returns whether the caller ends the stream, or else the thread that hands over does it.
    mutating func closes() -> Bool {
        switch self.state {
        case .resting, .waiting:
            self.state = .closed
            return true
        case .sending:
            self.state = .closing
            return false
        case .closing, .closed: return false
        }
    }
}
