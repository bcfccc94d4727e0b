// SPDX-License-Identifier: Apache-2.0
public import HTTPTypes

extension ClientError {
    /// Whether the call ended because it was cancelled.
    ///
    /// Tern throws ``cancelled(_:)`` where other code throws `CancellationError`. To recognize both, use
    /// ``isCancellation(_:)``.
    public var isCancellation: Bool {
        if case .cancelled = self { true } else { false }
    }

    /// Returns whether an error means cancellation: it is ``cancelled(_:)`` or `CancellationError`.
    ///
    /// A task that mixes a client's calls with other work can receive either error.
    ///
    /// - Parameter error: Any error.
    /// - Returns: `true` for a cancellation, `false` for every other error.
    public static func isCancellation(_ error: any Error) -> Bool {
        (error as? ClientError)?.isCancellation ?? (error is CancellationError)
    }

    /// Whether the call ended because a time limit passed.
    public var isTimeout: Bool {
        switch self {
        case .timedOut: true
        case .interceptorFailed(let error as ClientError, _): error.isTimeout
        default: false
        }
    }

    /// Whether this device seems to be offline: it has no route to the server, or no name server answered.
    ///
    /// Tell users that they seem to be offline only when this is `true`. For a refused port, an unknown host name and a
    /// silent server, this is `false` and ``isConnectivity`` is `true`, because the device may well be online.
    public var isOffline: Bool {
        switch self {
        case .connectionFailed(.noNetwork, _), .connectionFailed(.resolution(isTemporary: true), _): true
        case .interceptorFailed(let error as ClientError, _): error.isOffline
        default: false
        }
    }

    /// Whether the client could not connect, the connection broke, or the server stayed silent.
    ///
    /// `false` if the program shut the client down.
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

    /// The status of the response, if its head arrived before the failure.
    public var status: HTTPResponse.Status? { self.context.response?.status }
}

// MARK: Repeating a call

extension ClientError {
    /// The statuses after which the same request may succeed later: 408, 425, 429, 500, 502, 503 and 504.
    ///
    /// ``isRetryable``, `RetryPolicy`, `ResumptionPolicy`, `ReconnectionPolicy` and `EventReconnectionPolicy` use this
    /// list by default. Only a `TransferQueue`, which may wait for hours, also tries again after other statuses.
    ///
    /// | status | why it is in the list |
    /// | --- | --- |
    /// | 408 Request Timeout | "the client MAY repeat that request" (RFC 9110 §15.5.9) |
    /// | 425 Too Early | the client sends the request once more after the handshake (RFC 8470 §5.2) |
    /// | 429 Too Many Requests | the server asks to wait (RFC 6585 §4) |
    /// | 500 Internal Server Error | "an unexpected condition" (RFC 9110 §15.6.1), often in one of many instances; curl and Go's retryablehttp try again |
    /// | 502 Bad Gateway | a gateway got no valid answer, as during a deployment (RFC 9110 §15.6.3) |
    /// | 503 Service Unavailable | "will likely be alleviated after some delay" (RFC 9110 §15.6.4) |
    /// | 504 Gateway Timeout | a gateway got no answer in time (RFC 9110 §15.6.5) |
    ///
    /// Other statuses of 500 and above mean something permanent, such as 501 Not Implemented and 505 HTTP Version Not
    /// Supported. `curl --retry` has the same list without 425, and with 522 and 524, which only one vendor's servers
    /// send. OkHttp repeats after 408, and after 503 with `Retry-After: 0`. `URLSession` never repeats because of a
    /// status.
    public static let transientStatusCodes: Set<Int> = [408, 425, 429, 500, 502, 503, 504]

    /// Whether the same request may succeed if the client sends it again.
    ///
    /// The value is `true` for most network failures, for every time limit except that of the whole call, and for an
    /// answer with one of the ``transientStatusCodes``. Such an answer is a response that failed validation, a refusal
    /// to open a WebSocket, or a proxy's refusal to connect. The value is `false` for an invalid request, for a peer
    /// that breaks the protocol, for an untrusted certificate, for a failure with a local file, and for cancellation.
    /// For a `ClientError` inside ``interceptorFailed(_:_:)``, the value is that error's.
    ///
    /// A `RetryPolicy` uses this property too. The property does not say whether a second attempt is *safe*. That
    /// depends on the request: a client may repeat an idempotent method (RFC 9110 §9.2.2).
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
