// SPDX-License-Identifier: Apache-2.0
import TernErrors
import TernRetry
import TernWebSocketCore

/// Settings that determine when, and after which failures, a ``ReconnectingWebSocket`` connects again.
///
/// A ``ReconnectingWebSocket`` is a sequence. Before it connects again, it waits a random time between zero and a bound
/// ("full jitter"). So the clients of a server that restarts do not all return at the same moment. The bound doubles
/// from one pause to the next, up to a maximum. If the server refuses a WebSocket with `Retry-After`, the sequence waits
/// for this time, too, but at most a minute.
public struct ReconnectionPolicy: Sendable {
    /// The bound of the first pause.
    ///
    /// Defaults to 1 second.
    package var initialDelay: Duration
    /// The maximum of the bound.
    ///
    /// Defaults to 30 seconds.
    package var maximumDelay: Duration
    /// The maximum number of times in a row that the sequence connects again.
    ///
    /// Defaults to `nil`, which sets no limit.
    package var maximumAttemptCount: Int?
    /// The time a WebSocket must stay open so that the bound and the count of attempts start again from the beginning.
    ///
    /// Defaults to 5 seconds.
    ///
    /// Some servers accept a WebSocket and close it at once. Without this time, the client would connect to such a
    /// server again and again, with only the shortest pauses.
    package var stableDuration: Duration
    /// Returns whether the end of a WebSocket, or the failure to open it, is final.
    ///
    /// Defaults to ``isFinalByDefault(_:)``.
    package var isFinal: @Sendable (WebSocketDisconnection) -> Bool

    /// Creates a policy.
    ///
    /// The defaults suit most programs.
    ///
    /// - Parameters:
    ///   - initialDelay: The bound of the first pause. Defaults to 1 second.
    ///   - maximumDelay: The maximum of the bound of a pause. Defaults to 30 seconds.
    ///   - maximumAttemptCount: The maximum number of times in a row that the sequence connects again. Defaults to
    ///     `nil`, which sets no limit.
    ///   - stableDuration: The time a WebSocket must stay open so that the bound and the count of attempts start
    ///     again from the beginning. Defaults to 5 seconds.
    ///   - isFinal: Returns whether a failure or a close is final: if it is, the sequence ends. Defaults to
    ///     ``isFinalByDefault(_:)``.
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
    /// | how the WebSocket ended, or why it was not opened | final |
    /// | --- | --- |
    /// | the server closed with 1000, 1002, 1003 or 1007 to 1010 | yes |
    /// | the server closed with another code, or the connection broke | no |
    /// | the response to the handshake, or to a proxy's CONNECT, has one of `ClientError.transientStatusCodes` | no |
    /// | the response has another status that does not open a WebSocket, or breaks a rule of the handshake | yes |
    /// | a redirect cannot be followed | yes |
    /// | the server or the proxy broke the protocol, or sent a message that is too large | yes |
    /// | the server is not trusted, or does not trust this client | yes |
    /// | the server does not speak TLS, or has no TLS version or cipher in common | yes |
    /// | the proxy cannot be used, rejects the credentials, or does not allow or support the connection | yes |
    /// | a connection could not be made for another reason, or a time limit passed | no |
    /// | the credentials cannot be used, or the challenge was cancelled | yes |
    /// | a token could not be refreshed, or a request could not be signed | no |
    /// | the call was cancelled, the client was shut down, or the request cannot be sent | yes |
    ///
    /// - Parameter disconnection: The end of the WebSocket, or the failure to open it.
    /// - Returns: `true` if the sequence ends and does not connect again.
    public static func isFinalByDefault(_ disconnection: WebSocketDisconnection) -> Bool {
        if let error = disconnection.error { return error.isFinalForReconnecting }
        guard let code = disconnection.closeCode?.rawValue else { return false }
        return code == 1000 || code == 1002 || code == 1003 || 1007...1010 ~= code
    }

    /// Returns a random time to wait before connecting again.
    ///
    /// - Parameters:
    ///   - attempt: The number of the pause, from 1. The bound doubles with each number, up to the maximum.
    ///   - generator: The source of randomness.
    /// - Returns: A time from zero to the bound.
    package func delay(before attempt: Int, using generator: inout some RandomNumberGenerator) -> Duration {
        Backoff(initialDelay: self.initialDelay, maximumDelay: self.maximumDelay)
            .delay(before: attempt, using: &generator)
    }
}
