// SPDX-License-Identifier: Apache-2.0
public import HTTPTypes

#if canImport(FoundationEssentials)
public import FoundationEssentials
#else
public import Foundation
#endif

/// Why a call could not be completed, and where it stopped.
///
/// Every method and every sequence of the SDK throws this type and nothing else. A case says what happened, its payload
/// says the rest, and all cases share a ``Context``. Questions that callers have are properties: ``isCancellation``,
/// ``isTimeout``, ``isConnectivity``, ``isRetryable``.
///
/// A description never holds field values, bodies or URL queries, so that it is safe to log. It is one line, with at most 256
/// characters of each text that a server or a library wrote.
@nonexhaustive
public indirect enum ClientError: Error, Sendable {
    /// The surrounding task was cancelled, or the call was.
    ///
    /// Nothing is wrong; as a rule nobody needs to be told.
    case cancelled(Context)
    /// The request cannot be sent as it is; nothing was sent.
    ///
    /// A mistake of the program, or of the user who typed a URL: correct the request, for it will never succeed.
    case invalidRequest(InvalidRequest, Context)
    /// A limit of time passed; `timeout` names which, `limit` is its length.
    ///
    /// Try again later, or give the request more time by `timeout(_:)`. Whether the server acted on it is not known.
    case timedOut(Timeout, limit: Duration, Context)
    /// No connection to the server could be made.
    ///
    /// Nothing was sent, so that any request may be sent again: tell the user that the server cannot be reached.
    case connectionFailed(ConnectionFailure, Context)
    /// The connection was made, but TLS could not be established on it.
    ///
    /// Nothing was sent. Do not fall back to `http`: it may be an attack.
    case tlsFailed(TLSFailure, Context)
    /// The proxy did not make a connection to the server.
    ///
    /// Nothing was sent to the server. Show it to whoever set the proxy up.
    case proxyFailed(ProxyFailure, Context)
    /// The call ended at an authentication challenge.
    ///
    /// Have the user sign in again, unless he cancelled that himself.
    case authenticationFailed(AuthenticationFailure, Context)
    /// A redirect could not be followed; ``Context/response`` holds it.
    ///
    /// The server is set up wrongly, or the client's `RedirectPolicy` is too strict for it.
    case redirectFailed(RedirectFailure, Context)
    /// The connection ended or broke before the response head was complete.
    ///
    /// Whether the server acted on the request is not known: repeat it only if that does no harm.
    case connectionLost(ConnectionLoss, Context)
    /// The body ended early: `received` bytes came, `expected` were announced (`nil` when no length was).
    ///
    /// Do not use what came. Ask again; a download may ask for the rest by a range.
    case truncated(received: Int64, expected: Int64?, Context)
    /// The peer broke a protocol rule; `section` names it, e.g. `"RFC 9112 §6.3"`.
    ///
    /// Trying again is of little use. Report it to whoever runs the server.
    case protocolViolation(section: String, reason: String, Context)
    /// The response body is longer than the `limit`, in bytes, that the call accepts in memory.
    ///
    /// Use `download` or `bytes`, or raise the limit of the request.
    case bodyTooLarge(limit: Int, Context)
    /// A line of the response body is longer than the `limit`, in bytes.
    ///
    /// Read `chunks` in place of `lines`, or raise the client's limit.
    case lineTooLong(limit: Int, Context)
    /// The body to be sent could not be produced.
    ///
    /// A file is missing or changes, or a stream failed or cannot be read twice; correct that and send again.
    case uploadFailed(UploadFailure, Context)
    /// The file that a download writes could not be written.
    ///
    /// Nothing is left behind. Choose another place, or make room.
    case fileFailed(FileFailure, Context)
    /// The response body was read in a way that it does not support.
    ///
    /// A mistake of the program.
    case bodyMisused(BodyMisuse, Context)
    /// The server did not open the WebSocket; ``Context/response`` holds its answer.
    ///
    /// Look at the status: 401 and 403 want the user to sign in, 404 another URL.
    case webSocketRefused(WebSocketRefusal, Context)
    /// The WebSocket is closed, so that nothing more can be sent; `code` is the one that the peer sent, if it did.
    ///
    /// Open another one if there is more to say.
    case webSocketClosed(code: UInt16?, Context)
    /// A WebSocket message is longer than the `limit`, in bytes, that is accepted, after inflating.
    ///
    /// Raise the limit if the server is to be trusted with the memory.
    case messageTooLarge(limit: Int, Context)
    /// Only a stored response was wanted, and there is none that may be used; nothing was sent.
    ///
    /// Allow the network by another cache policy, or tell the user that there is nothing to show while offline.
    case notCached(Context)
    /// The response broke a rule that the request or the client has for it; ``Context/response`` holds its head.
    ///
    /// The failure keeps the beginning of the body, which often says more, and which can be decoded: as problem details
    /// (RFC 9457), or as the error type of the service.
    case validationFailed(ValidationFailure, Context)
    /// The body of the response is not the value that was wanted; ``Context/response`` holds its head.
    ///
    /// Server and program do not agree about the format. The failure says where, and keeps the beginning of the body.
    case decodingFailed(DecodingFailure, Context)
    /// An interceptor or a rule of the application's own ended the call, for a reason of its own.
    ///
    /// An interceptor throws it; the client never does on its own account. Cast the error to know more.
    case interceptorFailed(any Error, Context)
}

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
            case .refused, .reset, .unreachable, .resolution(isTemporary: true), .tooManyOpenFiles, .interrupted: true
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

extension ClientError: CustomStringConvertible {
    /// One line: what happened, then where; its wording is not stable, so match the case instead.
    public var description: String { "\(self.summary) (\(self.context))" }

    private var summary: String {
        switch self {
        case .cancelled: "the call was cancelled"
        case .invalidRequest(let reason, _): "the request is invalid: \(reason)"
        case .timedOut(let timeout, let limit, _): "\(timeout) took longer than \(limit)"
        case .connectionFailed(let reason, _): "no connection: \(reason)"
        case .tlsFailed(let reason, _): "TLS failed: \(reason)"
        case .proxyFailed(let reason, _): "the proxy failed: \(reason)"
        case .authenticationFailed(let reason, _): "authentication failed: \(reason)"
        case .redirectFailed(let reason, _): "the redirect was not followed: \(reason)"
        case .connectionLost(let reason, _): "the connection was lost: \(reason)"
        case .truncated(let received, let expected?, _):
            "the body ended early: \(received) of \(expected) bytes came"
        case .truncated(let received, nil, _): "the body ended early, after \(received) bytes"
        case .protocolViolation(let section, let reason, _):
            "the server broke the protocol: \(ForeignText.shown(reason)) (\(section))"
        case .bodyTooLarge(let limit, _): "the body is longer than the limit of \(limit) bytes"
        case .lineTooLong(let limit, _): "a line is longer than the limit of \(limit) bytes"
        case .uploadFailed(let reason, _): "the body could not be sent: \(reason)"
        case .fileFailed(let reason, _): "the file could not be written: \(reason)"
        case .bodyMisused(let reason, _): "the body or the WebSocket was misused: \(reason)"
        case .webSocketRefused(let reason, _): "no WebSocket: \(reason)"
        case .webSocketClosed(let code?, _): "the WebSocket is closed; the server's code was \(code)"
        case .webSocketClosed(nil, _): "the WebSocket is closed"
        case .notCached: "only a stored response was wanted, and there is none that may be used"
        case .messageTooLarge(let limit, _): "a message is longer than the limit of \(limit) bytes"
        case .validationFailed(let failure, _): "the response is not accepted: \(failure)"
        case .decodingFailed(let failure, _): "the body is no \(failure.type): \(failure)"
        case .interceptorFailed(let error, _): "an interceptor ended the call with \(type(of: error))"
        }
    }
}

extension ClientError.Context: CustomStringConvertible, CustomReflectable {
    /// Origin, phase, attempt and time; the response only by its status.
    public var description: String {
        var parts = self.origin.isEmpty ? [] : [ForeignText.shown(self.origin)]
        parts.append("phase \(self.phase.rawValue)")
        if self.attempt > 1 { parts.append("attempt \(self.attempt)") }
        if let response = self.response { parts.append("status \(response.status.code)") }
        parts.append("after \(Int64(self.elapsed / .milliseconds(1))) ms")
        return parts.joined(separator: ", ")
    }

    /// Shows the same to `dump`, and none of the response's fields.
    public var customMirror: Mirror {
        let children: KeyValuePairs<String, Any> = [
            "phase": self.phase, "origin": ForeignText.shown(self.origin), "attempt": self.attempt,
            "elapsed": self.elapsed, "status": self.response?.status.code as Any,
        ]
        return Mirror(self, children: children, displayStyle: .struct)
    }
}

extension ClientError: LocalizedError {
    /// The ``description``: so `localizedDescription` is the same line, in English, where Foundation would give a number.
    public var errorDescription: String? { self.description }
}
