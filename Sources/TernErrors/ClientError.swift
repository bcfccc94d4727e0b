// SPDX-License-Identifier: Apache-2.0
/// Why a call could not be completed, and where it stopped.
///
/// Every method and every sequence of the SDK throws this type and nothing else. A case says what happened, its payload
/// says the rest, and all cases share a ``Context``. Questions that callers have are properties: ``isCancellation``,
/// ``isTimeout``, ``isOffline``, ``isConnectivity``, ``isRetryable``.
///
/// There are two texts. `localizedDescription` is one sentence that an app may show, see ``errorDescription``. ``description``
/// is one line for a log, with at most 256 characters of each text that a server or a library wrote. Neither holds field
/// values, bodies or URL queries.
@nonexhaustive
public indirect enum ClientError: Error, Sendable {
    /// The surrounding task was cancelled, or the call was.
    ///
    /// Nothing is wrong; as a rule, tell the user nothing.
    case cancelled(Context)
    /// The request cannot be sent as it is; nothing was sent.
    ///
    /// A mistake of the program, or of the user who typed a URL: correct the request, for it will never succeed.
    case invalidRequest(RequestFailure, Context)
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
    /// Nothing was sent to the server. Show it to the person who set the proxy up.
    case proxyFailed(ProxyFailure, Context)
    /// The call ended at an authentication challenge.
    ///
    /// Have the user sign in again, unless they cancelled it.
    case authenticationFailed(AuthenticationFailure, Context)
    /// A redirect could not be followed; ``Context/response`` holds it.
    ///
    /// The server is set up wrongly, or the client's `RedirectPolicy` is too strict for it.
    case redirectFailed(RedirectFailure, Context)
    /// The connection ended or broke before the response head was complete.
    ///
    /// Whether the server acted on the request is not known: repeat it only if that does no harm.
    case connectionLost(ConnectionFailure, Context)
    /// The body ended early: `received` bytes came, `expected` were announced (`nil` when no length was).
    ///
    /// Do not use what came. Ask again; a download may ask for the rest by a range.
    case truncated(received: Int64, expected: Int64?, Context)
    /// The peer broke a protocol rule; `section` names it, e.g. `"RFC 9112 §6.3"`.
    ///
    /// Trying again is of little use. Report it to the operator of the server.
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
    case bodyMisused(BodyFailure, Context)
    /// The server did not open the WebSocket; ``Context/response`` holds the head of its answer.
    ///
    /// The refusal keeps the beginning of the answer's body, which can be decoded as that of `validationFailed` can. Look at
    /// the status: 401 and 403 want the user to sign in, 404 another URL.
    case webSocketRefused(WebSocketFailure, Context)
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
    /// Server and program do not agree about the format. The failure says where, which type was expected and which was found,
    /// and keeps the decoder's error and the beginning of the body.
    case decodingFailed(DecodingFailure, Context)
    /// The body could not be checked against its digest, or is not the one that the digest was made of (RFC 9530).
    ///
    /// Only requests that ask for the check end so. Do not use what came: it was damaged on the way, or changed.
    case digestFailed(DigestFailure, Context)
    /// An interceptor or a rule of the application's own ended the call, for a reason of its own.
    ///
    /// An interceptor throws it; the client never does on its own account. Cast the error to know more.
    case interceptorFailed(any Error, Context)
}
