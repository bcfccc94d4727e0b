// SPDX-License-Identifier: Apache-2.0
import TernErrors
import Synchronization
import TernConnections

/// The last activity in each direction of an exchange, while a body is sent: the idle timeout ends when both are
/// silent.
final class ExchangeActivity: Sendable {
    private struct State {
        var lastSent: ClockInstant?
        /// The instant at which bytes of the response last arrived, or a task last began to wait for them.
        var lastReceived: ClockInstant?
        /// Whether a task waits for the response: initially the exchange itself, for the head.
        var isReading = true
    }

    private let state = Mutex(State())
    private let clock: any TransportClock

    init(_ clock: any TransportClock) { self.clock = clock }

    /// The connection accepted a part of the request.
    func didSend() {
        let now = self.clock.now
        self.state.withLock { $0.lastSent = now }
    }

    /// A task starts to wait for the response, or stops because it has received something.
    func isReading(_ isReading: Bool) {
        let now = self.clock.now
        self.state.withLock { state in
            state.isReading = isReading
            // While no task read, the server may have been unable to send: its silence counts only from now on.
            state.lastReceived = now
        }
    }

    /// Returns the instant at which the idle time of reading starts, if the request moved after `start`; `nil` if it
    /// did not.
    func readIdleStart(since start: ClockInstant) -> ClockInstant? {
        self.state.withLock { $0.lastSent.flatMap { $0 > start ? $0 : nil } }
    }

    /// Returns the instant from which to wait again after a wait to send has failed, if an idle limit ended it although
    /// the response moved; `nil` if the failure counts.
    ///
    /// - Parameters:
    ///   - error: The error of the wait.
    ///   - start: The instant at which the wait began.
    /// - Returns: The instant.
    func excuses(_ error: ConnectionError, since start: ClockInstant) -> ClockInstant? {
        guard case .timedOut(let deadline) = error, deadline.timeout == .idle else { return nil }
        return self.sendIdleStart(since: start)
    }

    /// Returns the instant at which the idle time of sending starts, if the response moved, or a task began to wait for
    /// it, after `start`; `nil` if not.
    ///
    /// A response that no task reads blocks a server that sends while it receives; that is not a reason to give up on
    /// it.
    func sendIdleStart(since start: ClockInstant) -> ClockInstant? {
        let now = self.clock.now
        return self.state.withLock { state in
            if !state.isReading { return now }
            return state.lastReceived.flatMap { $0 > start ? $0 : nil }
        }
    }
}
