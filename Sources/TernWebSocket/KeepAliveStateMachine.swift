// SPDX-License-Identifier: Apache-2.0
import TernConnections

/// Decides when a silent server is asked whether it is there, and when it is given up.
struct KeepAliveStateMachine: Sendable {
    /// What to do when the timer has fired.
    enum Action: Equatable, Sendable {
        /// Nothing until then.
        case wait(until: ClockInstant)
        /// Send a ping, and look again then.
        case ping(until: ClockInstant)
        /// The server is gone.
        case giveUp
    }

    private enum State {
        /// The server was heard of lately enough. Left when it has been silent for the interval.
        case listening
        /// It was asked at this instant. Left when anything comes, or nothing in time.
        case asked(at: ClockInstant)
    }

    private var state = State.listening
    private let settings: WebSocketKeepAlive

    /// Creates a machine for a server that was heard of just now.
    init(_ settings: WebSocketKeepAlive) { self.settings = settings }

    /// The timer fired.
    ///
    /// - Parameters:
    ///   - now: the present instant.
    ///   - lastReceived: when something last came.
    ///   - isReading: whether anything could come: nothing is read while no task takes what has arrived.
    /// - Returns: what to do.
    mutating func timerFired(now: ClockInstant, lastReceived: ClockInstant, isReading: Bool) -> Action {
        if case .asked(let instant) = self.state, isReading, lastReceived <= instant {
            let end = instant.advanced(by: self.settings.timeout)
            return now < end ? .wait(until: end) : .giveUp
        }
        let due = lastReceived.advanced(by: self.settings.interval)
        self.state = .listening
        guard isReading else { return .wait(until: now.advanced(by: self.settings.interval)) }
        guard now >= due else { return .wait(until: due) }
        self.state = .asked(at: now)
        return .ping(until: now.advanced(by: self.settings.timeout))
    }
}
