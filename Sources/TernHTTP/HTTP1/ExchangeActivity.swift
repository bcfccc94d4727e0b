// SPDX-License-Identifier: Apache-2.0
import Synchronization
import TernConnections

/// When each direction of an exchange moved last, while a body is sent: the limit of silence is over when neither does.
final class ExchangeActivity: Sendable {
    private struct State {
        var lastSent: ClockInstant?
        var lastReceived: ClockInstant?
        /// Whether a task waits for the response: at first the exchange itself, for the head.
        var isReading = true
    }

    private let state = Mutex(State())
    private let clock: any TransportClock

    init(_ clock: any TransportClock) { self.clock = clock }

    /// The connection took a part of the request.
    func didSend() {
        let now = self.clock.now
        self.state.withLock { $0.lastSent = now }
    }

    /// A task waits for the response, or has got some of it and does not.
    func isReading(_ isReading: Bool) {
        let now = self.clock.now
        self.state.withLock { state in
            state.isReading = isReading
            if !isReading { state.lastReceived = now }
        }
    }

    /// Since when reading has to be silent: the request moved then, after `start`; `nil` if it did not.
    func readingGoesOn(since start: ClockInstant) -> ClockInstant? {
        self.state.withLock { $0.lastSent.flatMap { $0 > start ? $0 : nil } }
    }

    /// Since when sending has to be silent: the response moved then, after `start`; `nil` if it did not.
    ///
    /// A response that no task reads holds up a server that sends while it receives, and is no reason to give up on it.
    func sendingGoesOn(since start: ClockInstant) -> ClockInstant? {
        let now = self.clock.now
        return self.state.withLock { state in
            if !state.isReading { return now }
            return state.lastReceived.flatMap { $0 > start ? $0 : nil }
        }
    }
}
