// SPDX-License-Identifier: Apache-2.0
public import TernErrors
import TernRetry
public import TernWebSocketCore

/// When, how long and after which failures a ``ReconnectingWebSocket`` connects again.
///
/// Before each attempt it waits a random time between zero and a bound ("full jitter", so that the clients of a server
/// that restarts do not come back all at once). The bound doubles with each attempt, up to a cap.
public struct ReconnectionPolicy: Sendable {
    /// The bound before the first attempt; 1 second by default.
    public var initialDelay: Duration
    /// The cap of the bound; 30 seconds by default.
    public var maximumDelay: Duration
    /// How many attempts may follow each other without success; `nil`, any number, by default.
    public var maximumAttemptCount: Int?
    /// How long a WebSocket must stay open for the attempts to be counted anew; 5 seconds by default.
    ///
    /// Otherwise a server that accepts and closes at once would be asked again and again without a pause.
    public var stableDuration: Duration
    /// Whether a failure is final; ``isFinalByDefault(_:)`` by default.
    public var isFinal: @Sendable (WebSocketDisconnection) -> Bool

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

    /// Whether another attempt cannot help: the server said good-bye (1000) or that something is wrong with what was sent
    /// (1002, 1003, 1007 to 1010), refused the handshake for good (4xx but 408, 425 and 429), broke the protocol, is not
    /// trusted or does not trust this client, or the request cannot be sent.
    public static func isFinalByDefault(_ disconnection: WebSocketDisconnection) -> Bool {
        switch disconnection.error {
        case nil:
            guard let code = disconnection.closeCode?.rawValue else { return false }
            return code == 1000 || code == 1002 || code == 1003 || 1007...1010 ~= code
        case .cancelled?, .invalidRequest?, .protocolViolation?, .messageTooLarge?, .connectionLost(.shutDown, _)?:
            return true
        case .webSocketRefused(.status(let code), _)?:
            return 400..<500 ~= code && code != 408 && code != 425 && code != 429
        case .webSocketRefused?:
            return true
        case .tlsFailed(let failure, _)?:
            switch failure {
            case .configuration, .clientCertificateRequired, .clientCertificateRefused, .versionNotSupported,
                .unsupportedProtocol:
                return true
            default: return failure.isTrust
            }
        default:
            return false
        }
    }

    /// How long to wait before an attempt.
    ///
    /// - Parameters:
    ///   - attempt: which attempt, from 1.
    ///   - generator: where the jitter comes from.
    /// - Returns: a time from zero to the bound.
    public func delay(before attempt: Int, using generator: inout some RandomNumberGenerator) -> Duration {
        Backoff(initialDelay: self.initialDelay, maximumDelay: self.maximumDelay)
            .delay(before: attempt, using: &generator)
    }
}

/// How one WebSocket of a ``ReconnectingWebSocket`` ended, or could not be opened.
public struct WebSocketDisconnection: Sendable {
    /// What went wrong; `nil` if the WebSocket was closed in order.
    public var error: ClientError?
    /// The server's close code; `nil` if it sent none.
    public var closeCode: CloseCode?
    /// The server's close reason; empty if it sent none.
    public var closeReason: String
    /// After which time the next attempt is made; `nil` if there is none, and the sequence ends.
    public var retryDelay: Duration?

    /// Creates a value.
    public init(
        error: ClientError? = nil,
        closeCode: CloseCode? = nil,
        closeReason: String = "",
        retryDelay: Duration? = nil
    ) {
        self.error = error
        self.closeCode = closeCode
        self.closeReason = closeReason
        self.retryDelay = retryDelay
    }
}
