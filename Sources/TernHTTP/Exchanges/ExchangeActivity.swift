// SPDX-License-Identifier: Apache-2.0
import TernConnections
import TernErrors
import TernRequests
import TernTransport

/// An exchange, as the task that sends its body sees it.
///
/// The idle timeout passes only when both directions are silent: the exchange goes on while the server sends or accepts
/// bytes.
protocol ExchangeActivity: AnyObject, Sendable {
    /// Records that the connection accepted a part of the request.
    func didSend()

    /// Records that the next bytes that the connection gets are the end of the body.
    func willQueueEnd()

    /// Returns the new start of the idle time of the task that sends.
    ///
    /// - Parameter start: The instant at which the idle time started.
    /// - Returns: The instant; `nil` if the idle time goes on.
    func sendIdleStart(since start: ClockInstant) -> ClockInstant?
}

extension ExchangeActivity {
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
