// SPDX-License-Identifier: Apache-2.0
import TernConnections

/// Decides when to ping a silent server, and when to end the WebSocket because the server does not answer.
struct KeepAliveStateMachine: Sendable {
    /// The action to take when the timer has fired.
    enum Action: Equatable, Sendable {
        /// Do nothing now, and set the timer to this instant.
        case wait(until: ClockInstant)
        /// Send a ping, and set the timer to this instant.
        case ping(until: ClockInstant)
        /// End the WebSocket, because the server has sent nothing since the ping.
        case giveUp
    }

    private enum State {
        /// The server has sent something recently. The state ends when the server has been silent for the interval.
        case listening
        /// A ping was sent at this instant. The state ends when bytes arrive, or when the timeout passes.
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
    ///   - isReading: Whether the reader is reading. The reader pauses while the queue of messages is full.
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
