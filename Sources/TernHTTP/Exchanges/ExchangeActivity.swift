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
    ///
    /// `lastSent` is the last instant at which the network took some of the bytes for whose sending the sender waits.
    func sendIdleStart(since start: ClockInstant, lastSent: ClockInstant?) -> ClockInstant?
}

extension ExchangeActivity {
    /// Waits for room on a connection; the idle timeout starts again as ``sendIdleStart(since:lastSent:)`` says.
    func waitForRoom(on connection: any Connection, for call: HTTPCall) async throws(ConnectionError) {
        try await call.waitForRoom(on: connection) { self.sendIdleStart(since: $0, lastSent: $1) }
    }
}

extension HTTPCall {
    /// Waits for room on a connection; when the idle timeout has passed, it starts again at the instant that `idleStart` returns,
    /// if any: by default, when the network last took some bytes.
    func waitForRoom(
        on connection: any Connection,
        _ idleStart: (_ start: ClockInstant, _ lastSent: ClockInstant?) -> ClockInstant? = Self.idleStart
    ) async throws(ConnectionError) {
        var start = self.clock.now
        while true {
            let silence = self.timeouts.idle.map { CallDeadline(.idle, limit: $0, from: start) }
            do throws(ConnectionError) {
                return try await connection.waitForRoom(deadline: .earlier(silence, self.deadline))
            } catch {
                let lastSent = (connection as? any MeasuredConnection)?.lastSent
                guard error.isIdleTimeout, let instant = idleStart(start, lastSent) else { throw error }
                start = instant
            }
        }
    }

    private static func idleStart(after start: ClockInstant, lastSent: ClockInstant?) -> ClockInstant? {
        lastSent.flatMap { $0 > start ? $0 : nil }
    }
}

extension ConnectionError {
    var isIdleTimeout: Bool {
        if case .timedOut(let deadline) = self { deadline.timeout == .idle } else { false }
    }
}
