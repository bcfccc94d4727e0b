// SPDX-License-Identifier: Apache-2.0
import TernConnections

/// Decides when to ping a silent server, and when to end the WebSocket because the server does not answer.
struct KeepAliveStateMachine: Sendable {
    enum Action: Equatable, Sendable {
        case wait(until: ClockInstant)
        case ping(until: ClockInstant)
        case giveUp
    }

    private enum State: Sendable {
        /// There is no keep-alive. This state is final.
        case off
        /// The server counts as alive. Ends when the timer fires after an interval of silence, unless the reader pauses.
        case listening(timer: ClockInstant)
        /// A ping was queued. Ends when the timer fires, if bytes have arrived or the reader pauses.
        case asked(at: ClockInstant, timer: ClockInstant)
    }

    private var state = State.off
    private(set) var lastReceived: ClockInstant
    /// Whether the reader is reading; while it pauses, no byte can show that the server is alive.
    private(set) var isReading = true
    private let settings: WebSocketKeepAlive

    /// Creates a machine for a server that has just sent something; without settings, it never asks the server.
    init(_ settings: WebSocketKeepAlive?, now: ClockInstant) {
        self.settings = settings ?? WebSocketKeepAlive()
        self.lastReceived = now
        if let settings { self.state = .listening(timer: now.advanced(by: settings.interval)) }
    }

    var armedInstant: ClockInstant? {
        switch self.state {
        case .off: nil
        case .listening(let timer), .asked(_, let timer): timer
        }
    }

    var timeout: Duration { self.settings.timeout }

    mutating func received(at now: ClockInstant) { self.lastReceived = now }

    mutating func readerPaused(_ isPaused: Bool) { self.isReading = !isPaused }

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
