// SPDX-License-Identifier: Apache-2.0
/// The error that a call throws: it says why the call failed, and at which step.
///
/// Every method and every sequence of a client throws this type and nothing else. The case says what happened, its payload gives
/// the details, and its ``Context`` says at which step. Properties answer the common questions: ``isCancellation``, ``isTimeout``,
/// ``isOffline``, ``isConnectivity``, ``isRetryable``.
///
/// An app may show ``errorDescription``; ``description`` is for a log, with at most about 256 characters of each text that a
/// server or a library wrote. Both leave out bodies, URL queries and field values, except a few values that explain the failure,
/// such as the media type, charset and length of a response, the type of a server-sent event, and the server's limits for uploads.
/// But both may contain the text of an error in ``interceptorFailed(_:_:)``.
@nonexhaustive
public indirect enum ClientError: Error, Sendable {
    /// The program ended the call early, for example by cancelling its task or giving up the body; usually, show nothing.
    case cancelled(Context)
    /// A request or a WebSocket message is invalid, so the client did not send it; sending it again usually fails in the same way.
    case invalidRequest(RequestFailure, Context)
    /// A time limit passed after `limit`; ``Context/delivery`` says whether the server may have acted on the request.
    case timedOut(Timeout, limit: Duration, Context)
    /// The client could not connect to the server or to the proxy, so this attempt sent no request.
    case connectionFailed(ConnectionFailure, Context)
    /// TLS could not be established, or a delegate refused it; do not fall back to `http`: the failure may be an attack.
    ///
    /// As a rule, nothing was sent. With TLS 1.3, a server may refuse the client's certificate after the request: see
    /// ``Context/delivery``.
    case tlsFailed(TLSFailure, Context)
    /// The client got no connection to the server from the proxy, so this attempt sent nothing to the server.
    case proxyFailed(ProxyFailure, Context)
    /// The call failed during authentication; if the user cancelled the challenge, show nothing.
    ///
    /// The error of a token provider or a request signer is in ``interceptorFailed(_:_:)`` instead.
    case authenticationFailed(AuthenticationFailure, Context)
    /// The client did not follow a redirect; ``Context/response`` holds the redirect.
    case redirectFailed(RedirectFailure, Context)
    /// The connection or exchange broke off before a response's head was complete or in a WebSocket, or the client was shut down.
    ///
    /// The server may have acted on the request, unless ``Context/delivery`` says that it has not.
    case connectionLost(ConnectionFailure, Context)
    /// The response body ended early, after `received` of `expected` bytes (`nil` if unknown).
    case truncated(received: Int64, expected: Int64?, Context)
    /// The client rejected what the peer sent, usually for a broken rule; `section` names the rule, such as `"RFC 9112 §6.3"`.
    case protocolViolation(section: String, reason: String, Context)
    /// The response body, or the whole file of a download, is longer than `limit` bytes: raise the limit.
    ///
    /// The limit is the client's (for a body in memory), the request's (also for `download`), or `InflationLimits` (not `send`).
    case bodyTooLarge(limit: Int, Context)
    /// A line of the response body is longer than `limit` bytes: read `chunks` instead of `lines`, or raise the limit.
    case lineTooLong(limit: Int, Context)
    /// An event or a record of a stream is longer than `limit` bytes.
    case valueTooLong(limit: Int, at: StreamPosition, Context)
    /// The body or message to send could not be read, produced or taken, or a resumable upload could not be completed.
    case uploadFailed(UploadFailure, Context)
    /// The client could not use the file of a download, or the record of a transfer that can be resumed.
    case fileFailed(FileFailure, Context)
    /// The program read a body from two tasks at the same time, or read a body or a WebSocket in another unsupported way.
    case bodyMisused(BodyFailure, Context)
    /// The WebSocket was not opened; if the server answered, ``Context/response`` holds the head of its answer.
    case webSocketRefused(WebSocketFailure, Context)
    /// The WebSocket is closed or closing; `code` is the peer's close code, or `nil` if none has arrived.
    case webSocketClosed(code: UInt16?, Context)
    /// A WebSocket message is too long for the maximum of `limit` bytes after decompression.
    case messageTooLarge(limit: Int, Context)
    /// The request or the client allows only a stored response, and no usable one is stored; nothing was sent.
    case notCached(Context)
    /// The response broke a validation rule, or its status ended a transfer; ``Context/response`` usually holds its head.
    case validationFailed(ValidationFailure, Context)
    /// The client could not decode a response body, a part of one, or a message of a WebSocket as a value.
    case decodingFailed(DecodingFailure, Context)
    /// The body could not be checked against its digest, or does not match it, so do not use it (RFC 9530).
    ///
    /// The client checks a digest only if the call, its request or the client asks for it, or in a download that can be resumed.
    case digestFailed(DigestFailure, Context)
    /// Code of the program, or a transport, ended the call with its own error: cast the payload to that error's type.
    ///
    /// Such code is a connector (whose error is only a text), an interceptor, a transport, a custom validation rule or response
    /// body, a `BearerAuthentication`, or a `RequestSigner`. For the last two, the phase is ``Phase/authenticate``. If the payload
    /// is a `ClientError`, ``isTimeout``, ``isOffline``, ``isConnectivity`` and ``isRetryable`` have the values of that error.
    case interceptorFailed(any Error, Context)
}
