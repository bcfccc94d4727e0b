// SPDX-License-Identifier: Apache-2.0
import TernErrors
import TernRetry
import TernWebSocketCore

/// Settings that determine when, and after which ends, a ``ReconnectingWebSocket`` connects again.
///
/// Before that, the sequence waits a random time between zero and a bound ("full jitter"), so that the clients of a server that
/// restarts do not all return at the same moment. The bound doubles with each attempt in a row, up to a maximum. If a response
/// with one of `ClientError.transientStatusCodes` has `Retry-After`, the sequence adds this time, at most a minute.
public struct ReconnectionPolicy: Sendable {
    package var initialDelay: Duration
    package var maximumDelay: Duration
    package var maximumAttemptCount: Int?
    package var stableDuration: Duration
    package var isFinal: @Sendable (WebSocketDisconnection) -> Bool

    /// Creates a policy.
    ///
    /// - Parameters:
    ///   - initialDelay: The bound of the first pause.
    ///   - maximumDelay: The maximum of the bound of a pause. Beyond it, the bound does not double.
    ///   - maximumAttemptCount: The maximum number of times in a row that the sequence connects again. Beyond it, the sequence ends
    ///     with the last error, if there is one. `nil` sets no limit.
    ///   - stableDuration: The time for which the sequence must use a WebSocket so that the bound and the count of attempts start
    ///     again. It keeps the pauses growing for a server that accepts a WebSocket and closes it at once.
    ///   - isFinal: Returns whether a failure or a close is final: if it is, the sequence ends.
    public init(
        initialDelay: Duration = .seconds(1),
        maximumDelay: Duration = .seconds(30),
        maximumAttemptCount: Int? = nil,
        stableDuration: Duration = .seconds(5),
        isFinal: @escaping @Sendable (WebSocketDisconnection) -> Bool = Self.isFinalByDefault
    ) {
        self.initialDelay = initialDelay
        self.maximumDelay = maximumDelay
        self.maximumAttemptCount = maximumAttemptCount
        self.stableDuration = stableDuration
        self.isFinal = isFinal
    }

    /// Returns whether the end of a WebSocket is final: connecting again would not help.
    ///
    /// Final ends are, for example, a close with the code 1000, 1002, 1003 or 1007 to 1010; a response to the handshake or to
    /// CONNECT whose status is not one of `ClientError.transientStatusCodes`; a broken rule or a message that is too large; a
    /// redirect that cannot be followed; most failures of TLS or of a proxy; credentials that cannot be used; a call that was
    /// cancelled or cannot be sent; and a client that was shut down.
    ///
    /// Other ends are not final, for example a broken connection, a passed time limit, a token that could not be refreshed, and a
    /// request that could not be signed.
    public static func isFinalByDefault(_ disconnection: WebSocketDisconnection) -> Bool {
        if let error = disconnection.error { return error.isFinalForReconnecting }
        guard let code = disconnection.closeCode?.rawValue else { return false }
        return code == 1000 || code == 1002 || code == 1003 || 1007...1010 ~= code
    }

    /// Returns a random time from zero to the bound of the pause with this number, from 1.
    package func delay(before attempt: Int, using generator: inout some RandomNumberGenerator) -> Duration {
        Backoff(initialDelay: self.initialDelay, maximumDelay: self.maximumDelay)
            .delay(before: attempt, using: &generator)
    }
}
