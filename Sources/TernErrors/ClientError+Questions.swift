// SPDX-License-Identifier: Apache-2.0
public import HTTPTypes

extension ClientError {
    /// Whether this error is ``cancelled(_:)``.
    public var isCancellation: Bool {
        if case .cancelled = self { true } else { false }
    }

    /// Returns whether an error means cancellation: it is ``cancelled(_:)`` or `CancellationError`.
    public static func isCancellation(_ error: any Error) -> Bool {
        (error as? ClientError)?.isCancellation ?? (error is CancellationError)
    }

    /// Whether one of the time limits in ``Timeout`` passed.
    public var isTimeout: Bool {
        switch self {
        case .timedOut: true
        case .interceptorFailed(let error as ClientError, _): error.isTimeout
        default: false
        }
    }

    /// Whether the client could not connect because this device seems to be offline: no route, or no answer of a name server.
    ///
    /// For a refused port, an unknown host name and a silent server, it is `false`; see ``isConnectivity``.
    public var isOffline: Bool {
        switch self {
        case .connectionFailed(.noNetwork, _), .connectionFailed(.resolution(isTemporary: true), _): true
        case .interceptorFailed(let error as ClientError, _): error.isOffline
        default: false
        }
    }

    /// Whether the client could not connect, the connection or response broke off, or the server was silent; not after a shutdown.
    ///
    /// Of the time limits, only `connect`, `firstByte`, `idle` and `pong` count; `proxyFailed` and `tlsFailed` do not count.
    public var isConnectivity: Bool {
        switch self {
        case .connectionFailed(.shutDown, _), .connectionLost(.shutDown, _): false
        case .connectionFailed, .connectionLost, .truncated: true
        case .timedOut(let timeout, _, _):
            timeout == .connect || timeout == .idle || timeout == .firstByte || timeout == .pong
        case .interceptorFailed(let error as ClientError, _): error.isConnectivity
        default: false
        }
    }

    /// The status of the response in the ``context``, if there is one.
    public var status: HTTPResponse.Status? { self.context.response?.status }
}

// MARK: Repeating a call

extension ClientError {
    /// The statuses after which the same request may succeed later: 408, 425, 429, 500, 502, 503 and 504.
    ///
    /// ``isRetryable`` uses this list; by default, so do `RetryPolicy`, `ResumptionPolicy`, `ReconnectionPolicy` and
    /// `EventReconnectionPolicy`. A `TransferQueue`, which may wait for hours, also tries again after other statuses.
    ///
    /// The request came too slowly (408, RFC 9110 §15.5.9) or before the handshake ended (425, RFC 8470 §5.2); the server asks to
    /// wait (429, RFC 6585 §4; 503, RFC 9110 §15.6.4), or failed in one of many instances (500); or a gateway got no valid answer,
    /// as during a deployment (502, 504). Other statuses, such as 501 (Not Implemented), are more often permanent.
    public static let transientStatusCodes: Set<Int> = [408, 425, 429, 500, 502, 503, 504]

    /// Whether the same request may succeed if the client sends it again; the server may then act on it twice (RFC 9110 §9.2.2).
    ///
    /// `true` for most network failures, for every time limit except that of the whole call, and for one of the
    /// ``transientStatusCodes`` that broke a validation rule, refused a WebSocket or was a proxy's answer to CONNECT.
    /// `false`, for example, for an invalid request, a peer that breaks the protocol, an untrusted certificate, and cancellation.
    public var isRetryable: Bool {
        switch self {
        case .connectionFailed(let failure, _):
            switch failure {
            case .refused, .reset, .unreachable, .noNetwork, .resolution(isTemporary: true), .tooManyOpenFiles,
                .interrupted:
                true
            default: false
            }
        case .connectionLost(.shutDown, _): false
        case .connectionLost, .truncated, .tlsFailed(.closed, _): true
        case .timedOut(let timeout, _, _): timeout != .call
        case .validationFailed(let failure, _):
            if case .status(let code) = failure.rule { Self.transientStatusCodes.contains(code) } else { false }
        case .webSocketRefused(let refusal, _):
            if case .status(let code) = refusal.reason { Self.transientStatusCodes.contains(code) } else { false }
        case .proxyFailed(.refused(let code), _): Self.transientStatusCodes.contains(code)
        // The token provider may succeed if it is asked again.
        case .interceptorFailed(let error as ClientError, _): error.isRetryable
        default: false
        }
    }
}
