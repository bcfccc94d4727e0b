// SPDX-License-Identifier: Apache-2.0
import TernErrors
import TernRetry
import TernWebSocketCore

/// When, how long and after which failures a ``ReconnectingWebSocket`` connects again.
///
/// Before each attempt it waits a random time between zero and a bound ("full jitter", so that the clients of a server
/// that restarts do not come back all at once). The bound doubles with each attempt, up to a cap.
public struct ReconnectionPolicy: Sendable {
    /// The bound before the first attempt; 1 second by default.
    package var initialDelay: Duration
    /// The cap of the bound; 30 seconds by default.
    package var maximumDelay: Duration
    /// How many attempts may follow each other without success; `nil`, any number, by default.
    package var maximumAttemptCount: Int?
    /// How long a WebSocket must stay open before the count of attempts starts again; defaults to 5 seconds.
    ///
    /// Otherwise a server that accepts and closes at once would be asked again and again without a pause.
    package var stableDuration: Duration
    /// Whether a failure is final; ``isFinalByDefault(_:)`` by default.
    package var isFinal: @Sendable (WebSocketDisconnection) -> Bool

    /// Creates a policy; without arguments, one that suits most programs.
    ///
    /// - Parameters:
    ///   - initialDelay: the bound before the first attempt; 1 second by default.
    ///   - maximumDelay: the cap of the bound; 30 seconds by default.
    ///   - maximumAttemptCount: how many attempts may fail in a row; any number by default.
    ///   - stableDuration: how long a WebSocket must stay open to count as a success; 5 seconds by default.
    ///   - isFinal: whether a failure is final; ``isFinalByDefault(_:)`` by default.
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

    /// Whether another attempt cannot help.
    ///
    /// | how the WebSocket ended, or was not opened | final |
    /// | --- | --- |
    /// | the server closed with 1000, 1002, 1003 or 1007 to 1010 | yes |
    /// | it closed with another code, or the connection broke | no |
    /// | the answer to the handshake, or to a proxy's CONNECT, has one of `ClientError.transientStatusCodes` | no |
    /// | the answer has another status, 200 and 302 among them, or is a wrong 101 | yes |
    /// | a redirect cannot be followed | yes |
    /// | the server or the proxy broke the protocol, or sent a message that is too large | yes |
    /// | the server is not trusted, does not trust this client, does not speak TLS, or supports nothing that this client does | yes |
    /// | a connection could not be made, or a limit of time passed | no |
    /// | the credentials cannot be used, or the challenge was cancelled | yes |
    /// | the call was cancelled, the client was shut down, or the request cannot be sent | yes |
    ///
    /// - Parameter disconnection: How the WebSocket ended.
    /// - Returns: `true` if the sequence ends with it.
    public static func isFinalByDefault(_ disconnection: WebSocketDisconnection) -> Bool {
        switch disconnection.error {
        case nil:
            guard let code = disconnection.closeCode?.rawValue else { return false }
            return code == 1000 || code == 1002 || code == 1003 || 1007...1010 ~= code
        case let error? where error.isRetryable:
            return false
        case .cancelled?, .invalidRequest?, .protocolViolation?, .messageTooLarge?, .connectionLost(.shutDown, _)?,
            .webSocketRefused?, .redirectFailed?, .validationFailed?:
            return true
        case .authenticationFailed(let failure, _)?: return self.isFinal(failure)
        case .proxyFailed(let failure, _)?: return self.isFinal(failure)
        case .tlsFailed(let failure, _)?: return self.isFinal(failure)
        default:
            return false
        }
    }

    private static func isFinal(_ failure: AuthenticationFailure) -> Bool {
        switch failure {
        // The source of tokens, or the signer, may have asked a server that could not be reached.
        case .refreshFailed, .signingFailed: false
        default: true
        }
    }

    private static func isFinal(_ failure: ProxyFailure) -> Bool {
        switch failure {
        case .socks(.notAllowed), .socks(.commandNotSupported), .socks(.addressTypeNotSupported): true
        case .socks: false
        default: true
        }
    }

    private static func isFinal(_ failure: TLSFailure) -> Bool {
        switch failure {
        // Something on the way, such as the page of a hotel's network, may have answered in place of the server.
        case .handshake, .closed: false
        default: true
        }
    }

    /// How long to wait before an attempt.
    ///
    /// - Parameters:
    ///   - attempt: which attempt, from 1.
    ///   - generator: where the jitter comes from.
    /// - Returns: a time from zero to the bound.
    package func delay(before attempt: Int, using generator: inout some RandomNumberGenerator) -> Duration {
        Backoff(initialDelay: self.initialDelay, maximumDelay: self.maximumDelay)
            .delay(before: attempt, using: &generator)
    }
}
