// SPDX-License-Identifier: Apache-2.0
import TernConnections
import TernTransport

/// Decides when to ask a silent server whether it is still there, with PING (RFC 9113 §6.7).
///
/// If nothing arrives for `HTTP2KeepAlive.interval` while streams are open, or idle connections are kept alive, the session sends
/// a PING. If nothing arrives for `HTTP2KeepAlive.timeout` after that, the connection is dead. It is also dead if nothing arrives
/// for this time after the server has reported an error, because the server must close it then (RFC 9113 §5.4.1).
struct KeepAliveStateMachine: Sendable {
    enum Action: Equatable {
        case arm(ClockInstant)
        case ping(ClockInstant)
        case fail
        case rest
    }

    private enum State: Equatable {
        /// No stream is open, or the session never sends a PING. Exits: `watching`, `awaitingClose`.
        case resting
        /// Streams are open, or idle connections are kept alive. Exits: `resting`, `asked`, `awaitingClose`.
        case watching
        /// A PING was sent. Exits: `watching`, `resting`, `awaitingClose`, `failed`.
        case asked(at: ClockInstant)
        /// The server has reported an error, and must close the connection. Exit: `failed`.
        case awaitingClose
        /// The server was silent for too long.
        case failed
    }

    /// The settings; `nil` if the session never sends a PING.
    private let settings: HTTP2KeepAlive?
    private let timeout: Duration
    private var state = State.resting
    private var lastReceived: ClockInstant?
    private(set) var armedInstant: ClockInstant?

    init(_ settings: HTTP2KeepAlive?) {
        self.settings = settings
        self.timeout = (settings ?? HTTP2KeepAlive()).timeout
    }

    var hasFailed: Bool { self.state == .failed }

    /// Records that streams were opened or closed; returns the instant for the timer if it must be set.
    mutating func streamsChanged(to count: Int, now: ClockInstant) -> ClockInstant? {
        guard let settings = self.settings, !self.isEnding else { return nil }
        guard count > 0 || settings.pingsIdleConnections else {
            self.state = .resting
            return nil
        }
        guard self.state == .resting else { return nil }
        self.state = .watching
        self.lastReceived = now  // the silence before the stream was opened does not count
        guard self.armedInstant == nil else { return nil }
        self.armedInstant = now.advanced(by: settings.interval)
        return self.armedInstant
    }

    /// Records that the server has reported an error that ends the connection; returns the instant for the timer.
    mutating func serverFailed(now: ClockInstant) -> ClockInstant? {
        guard !self.isEnding else { return nil }
        self.state = .awaitingClose
        self.lastReceived = now
        let due = now.advanced(by: self.timeout)
        if let armedInstant = self.armedInstant, armedInstant <= due { return nil }
        return self.armed(due)
    }

    mutating func received(now: ClockInstant) {
        self.lastReceived = now
        if case .asked = self.state { self.state = .watching }
    }

    mutating func ended() { self.armedInstant = nil }

    mutating func timerFired(now: ClockInstant) -> Action {
        self.armedInstant = nil
        switch self.state {
        case .resting, .failed: return .rest
        case .awaitingClose:
            let end = (self.lastReceived ?? now).advanced(by: self.timeout)
            guard end <= now else { return .arm(self.armed(end)) }
            self.state = .failed
            return .fail
        case .asked(let instant):
            let end = instant.advanced(by: self.timeout)
            guard end <= now else { return .arm(self.armed(end)) }
            self.state = .failed
            return .fail
        case .watching:
            guard let settings = self.settings else { return .rest }
            let due = (self.lastReceived ?? now).advanced(by: settings.interval)
            guard due <= now else { return .arm(self.armed(due)) }
            self.state = .asked(at: now)
            return .ping(self.armed(now.advanced(by: self.timeout)))
        }
    }

    private var isEnding: Bool { self.state == .awaitingClose || self.state == .failed }

    private mutating func armed(_ instant: ClockInstant) -> ClockInstant {
        self.armedInstant = instant
        return instant
    }
}
