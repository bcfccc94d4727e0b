// SPDX-License-Identifier: Apache-2.0
import TernConnections

/// Decides when to ping a silent server, and when to give it up.
struct KeepAliveStateMachine: Sendable {
    /// The action to take when the timer has fired.
    enum Action: Equatable, Sendable {
        /// Do nothing until this instant.
        case wait(until: ClockInstant)
        /// Send a ping, and look again at this instant.
        case ping(until: ClockInstant)
        /// The server is gone: end the WebSocket.
        case giveUp
    }

    private enum State {
        /// The server has sent something recently. Left when it has been silent for the interval.
        case listening
        /// A ping was sent at this instant. Left when bytes arrive, or when the timeout passes without any.
        case asked(at: ClockInstant)
    }

    private var state = State.listening
    private let settings: WebSocketKeepAlive

    /// Creates a machine for a server that has just sent something.
    init(_ settings: WebSocketKeepAlive) { self.settings = settings }

    /// Decides what to do when the timer fires.
    ///
    /// - Parameters:
    ///   - now: The current instant.
    ///   - lastReceived: The instant at which bytes last arrived.
    ///   - isReading: Whether the reader is reading; it pauses while no task takes what has arrived.
    /// - Returns: The action to take.
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
