// SPDX-License-Identifier: Apache-2.0
import Synchronization
import TernConnections
import TernErrors
import TernRequests
import TernTransport

/// Tracks the last activity of an exchange that sends a body, in each direction, and whether the connection has the
/// whole body.
///
/// The idle timeout passes only when both directions are silent: the exchange goes on while the server sends or accepts
/// bytes.
final class ExchangeActivity: Sendable {
    private struct State {
        var lastSent: ClockInstant?
        /// The instant at which bytes of the response last arrived, or a task last began to wait for them.
        var lastReceived: ClockInstant?
        /// Whether a task waits for the response.
        ///
        /// At first, the exchange itself waits for the head.
        var isReading = true
        var isBodyQueued = false
    }

    private let state = Mutex(State())
    private let clock: any TransportClock

    init(_ clock: any TransportClock) { self.clock = clock }

    /// Records that the connection accepted a part of the request.
    func didSend() {
        let now = self.clock.now
        self.state.withLock { $0.lastSent = now }
    }

    /// Records that the next bytes that the connection gets are the end of the body.
    ///
    /// The record comes first, because the server may read these bytes and answer before the task that sends them
    /// continues.
    func willQueueEnd() { self.state.withLock { $0.isBodyQueued = true } }

    /// Whether the connection has the last bytes of the body, or is about to get them.
    var isBodyQueued: Bool { self.state.withLock { $0.isBodyQueued } }

    /// Records that a task starts or stops waiting for the response.
    func isReading(_ isReading: Bool) {
        let now = self.clock.now
        self.state.withLock { state in
            state.isReading = isReading
            // While no task was reading, the server may have been unable to send. So the server's silence counts only
            // from now on.
            state.lastReceived = now
        }
    }

    /// Returns the new start of the idle time of a task that reads.
    ///
    /// - Parameter start: The instant at which the idle time started.
    /// - Returns: The last instant at which a part of the request was sent, if that was after `start`; otherwise `nil`.
    func readIdleStart(since start: ClockInstant) -> ClockInstant? {
        self.state.withLock { $0.lastSent.flatMap { $0 > start ? $0 : nil } }
    }

    /// Returns the instant at which a failed wait to send starts again; `nil` if the wait must not start again.
    ///
    /// The wait starts again if the idle limit ended it, and either bytes of the response arrived during the wait, or
    /// no task reads the response.
    ///
    /// - Parameters:
    ///   - error: The error of the wait.
    ///   - start: The instant at which the wait began.
    /// - Returns: The instant.
    func excuses(_ error: ConnectionError, since start: ClockInstant) -> ClockInstant? {
        guard case .timedOut(let deadline) = error, deadline.timeout == .idle else { return nil }
        return self.sendIdleStart(since: start)
    }

    /// Returns the new start of the idle time of a task that sends.
    ///
    /// While no task reads the response, the server may be unable to send, and may therefore stop receiving. This is
    /// not a reason to give up.
    ///
    /// - Parameter start: The instant at which the idle time started.
    /// - Returns: The current instant if no task reads the response. Otherwise the last instant at which bytes of the
    ///   response arrived or a task began to wait for them; `nil` if that instant is not after `start`.
    func sendIdleStart(since start: ClockInstant) -> ClockInstant? {
        let now = self.clock.now
        return self.state.withLock { state in
            if !state.isReading { return now }
            return state.lastReceived.flatMap { $0 > start ? $0 : nil }
        }
    }

    /// Waits for room on a connection.
    ///
    /// After the idle timeout, the wait starts again if bytes of the response arrived during the wait, or if no task
    /// reads the response.
    ///
    /// - Parameters:
    ///   - connection: The connection.
    ///   - call: The call, whose time limits apply.
    /// - Throws: `ConnectionError` if the connection is lost, a limit has passed, or the task is cancelled.
    func waitForRoom(on connection: any Connection, for call: HTTPCall) async throws(ConnectionError) {
        var start = call.clock.now
        while true {
            let silence = call.timeouts.idle.map { CallDeadline(.idle, limit: $0, from: start) }
            do throws(ConnectionError) {
                return try await connection.waitForRoom(deadline: .earlier(silence, call.deadline))
            } catch {
                guard let instant = self.excuses(error, since: start) else { throw error }
                start = instant
            }
        }
    }
}
