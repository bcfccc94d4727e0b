// SPDX-License-Identifier: Apache-2.0
public import HTTPTypes

extension ClientError {
    /// Whether the call ended because it was cancelled.
    public var isCancellation: Bool {
        if case .cancelled = self { true } else { false }
    }

    /// Whether a limit of time passed.
    public var isTimeout: Bool {
        if case .timedOut = self { true } else { false }
    }

    /// Whether the network, rather than the request or the response, is at fault: no connection, or one that broke.
    public var isConnectivity: Bool {
        switch self {
        case .connectionLost(.shutDown, _): false
        case .connectionFailed, .connectionLost, .truncated: true
        case .timedOut(let timeout, _, _):
            timeout == .connect || timeout == .idle || timeout == .firstByte || timeout == .pong
        default: false
        }
    }

    /// Whether the same request may succeed when sent once more, provided that sending it twice does no harm.
    ///
    /// True for faults of the network, the server's silence, and a response that was not accepted for a status that says
    /// "later": 408, 425, 429, 502, 503 and 504. False for faults of the request, of a peer that breaks
    /// the protocol, of TLS trust, of local files, and for cancellation. Whether a second try is *safe* depends on the
    /// request: an idempotent method (RFC 9110 §9.2.2) may be repeated.
    public var isRetryable: Bool {
        switch self {
        case .connectionFailed(let failure, _):
            switch failure {
            case .refused, .reset, .unreachable, .resolution(isTemporary: true), .interrupted: true
            default: false
            }
        case .connectionLost(.shutDown, _): false
        case .connectionLost, .truncated, .tlsFailed(.closed, _): true
        case .timedOut(let timeout, _, _): timeout != .call
        case .validationFailed(let failure, _):
            if case .status(let code) = failure.rule { Self.laterStatusCodes.contains(code) } else { false }
        default: false
        }
    }

    /// Request Timeout, Too Early, Too Many Requests, Bad Gateway, Service Unavailable and Gateway Timeout.
    private static let laterStatusCodes: Set = [408, 425, 429, 502, 503, 504]

    /// The status of the response, if its head had arrived before the failure.
    public var status: HTTPResponse.Status? { self.context.response?.status }
}
