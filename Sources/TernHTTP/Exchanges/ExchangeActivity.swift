// SPDX-License-Identifier: Apache-2.0
import TernConnections
import TernErrors
import TernRequests
import TernTransport

/// An exchange, as the task that sends its body sees it.
///
/// The idle timeout passes only when both directions are silent.
protocol ExchangeActivity: AnyObject, Sendable {
    func didSend()

    /// Records that the next bytes that the connection gets are the end of the body.
    func willQueueEnd()

    /// Returns the new start of the sender's idle time; `nil` if the idle time goes on.
    func sendIdleStart(since start: ClockInstant) -> ClockInstant?
}

extension ExchangeActivity {
    /// Returns the new start of a wait to send that the idle limit has ended, if bytes of the response arrived during the wait,
    /// or no task reads the response; otherwise `nil`.
    func excuses(_ error: ConnectionError, since start: ClockInstant) -> ClockInstant? {
        guard case .timedOut(let deadline) = error, deadline.timeout == .idle else { return nil }
        return self.sendIdleStart(since: start)
    }

    /// Waits for room on a connection, and starts the idle timeout again if ``excuses(_:since:)`` returns an instant.
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
