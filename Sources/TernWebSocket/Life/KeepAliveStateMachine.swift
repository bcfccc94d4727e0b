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

    private enum State: Sendable {
        /// The options ask for no keep-alive. This state never ends.
        case off
        /// The server has sent something recently. The state ends when the server has been silent for the interval.
        case listening(timer: ClockInstant)
        /// A ping was sent at this instant. The state ends when bytes arrive, or when the timeout passes.
        case asked(at: ClockInstant, timer: ClockInstant)
    }

    private var state = State.off
    /// The instant at which bytes last arrived.
    private(set) var lastReceived: ClockInstant
    /// Whether the reader is reading.
    ///
    /// The reader pauses while the queue of messages is full. Until it goes on, no byte can show that the server is
    /// alive.
    private(set) var isReading = true
    private let settings: WebSocketKeepAlive

    /// Creates a machine for a server that has just sent something.
    ///
    /// - Parameters:
    ///   - settings: The settings, or `nil` for a machine that never asks the server.
    ///   - now: The current instant.
    init(_ settings: WebSocketKeepAlive?, now: ClockInstant) {
        self.settings = settings ?? WebSocketKeepAlive()
        self.lastReceived = now
        if let settings { self.state = .listening(timer: now.advanced(by: settings.interval)) }
    }

    /// The instant at which to call ``timerFired(now:)``; `nil` without keep-alive.
    var armedInstant: ClockInstant? {
        switch self.state {
        case .off: nil
        case .listening(let timer), .asked(_, let timer): timer
        }
    }

    /// The time that the server has to answer a ping.
    var timeout: Duration { self.settings.timeout }

    /// Records that bytes have arrived.
    mutating func received(at now: ClockInstant) { self.lastReceived = now }

    /// Records that the reader pauses, or that it reads again.
    mutating func readerPaused(_ isPaused: Bool) { self.isReading = !isPaused }

    /// Decides what to do when the timer fires.
    ///
    /// - Parameter now: The current instant.
    /// - Returns: The action to take; `nil` without keep-alive.
    mutating func timerFired(now: ClockInstant) -> Action? {
        switch self.state {
        case .off: return nil
        case .asked(let instant, _) where self.isReading && self.lastReceived <= instant:
            let end = instant.advanced(by: self.settings.timeout)
            guard now < end else { return .giveUp }
            self.state = .asked(at: instant, timer: end)
            return .wait(until: end)
        case .asked, .listening:
            let due = self.lastReceived.advanced(by: self.settings.interval)
            guard self.isReading else { return self.listen(until: now.advanced(by: self.settings.interval)) }
            guard now >= due else { return self.listen(until: due) }
            let end = now.advanced(by: self.settings.timeout)
            self.state = .asked(at: now, timer: end)
            return .ping(until: end)
        }
    }

    private mutating func listen(until instant: ClockInstant) -> Action {
        self.state = .listening(timer: instant)
        return .wait(until: instant)
    }
}
