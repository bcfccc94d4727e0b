// SPDX-License-Identifier: Apache-2.0
/// The error that a call throws: it says why the call failed, and at which step.
///
/// Every method and every sequence of a client throws this type and nothing else. The case says what happened, its
/// payload gives the details, and its ``Context`` says at which step. Properties answer the common questions:
/// ``isCancellation``, ``isTimeout``, ``isOffline``, ``isConnectivity``, ``isRetryable``.
///
/// An error has two texts. `localizedDescription` is one sentence that an app may show, see ``errorDescription``.
/// ``description`` is one line for a log, with at most 256 characters of each text that a server or a library wrote.
/// Both texts leave out bodies, URL queries and field values, except the media type and the length of a response, and
/// the type of a server-sent event.
@nonexhaustive
public indirect enum ClientError: Error, Sendable {
    /// The call, or the task that awaited it, was cancelled.
    ///
    /// Nothing is wrong; as a rule, show the user nothing.
    case cancelled(Context)
    /// The request is invalid; nothing was sent.
    ///
    /// The program, or the user who typed a URL, made a mistake. Correct the request: sending it again cannot succeed.
    case invalidRequest(RequestFailure, Context)
    /// A time limit passed: `timeout` names the limit, and `limit` is its length.
    ///
    /// Try again later, or give the request more time with `timeouts(_:)`. The server may or may not have acted on the
    /// request.
    case timedOut(Timeout, limit: Duration, Context)
    /// The client could not connect to the server.
    ///
    /// Nothing was sent over this connection, so any request may be sent again. Tell the user that the server cannot be
    /// reached.
    case connectionFailed(ConnectionFailure, Context)
    /// The client connected, but could not establish TLS on the connection.
    ///
    /// As a rule, nothing was sent. But with TLS 1.3, a server may refuse the client's certificate after the request was
    /// sent; see ``Context/delivery``. Do not fall back to `http`: the failure may be an attack.
    case tlsFailed(TLSFailure, Context)
    /// The proxy did not connect to the server.
    ///
    /// Nothing was sent to the server. Show the error to the person who configured the proxy.
    case proxyFailed(ProxyFailure, Context)
    /// The call failed during authentication.
    ///
    /// If the user cancelled the challenge, show nothing. If the credential cannot be used, ask them to sign in again.
    /// For `serverNotAuthentic`, only show the error. If a token provider or a request signer threw an error, the case
    /// is ``interceptorFailed(_:_:)`` instead.
    case authenticationFailed(AuthenticationFailure, Context)
    /// A redirect could not be followed; ``Context/response`` holds the redirect.
    ///
    /// The server is misconfigured, or the client's `RedirectPolicy` does not allow this redirect.
    case redirectFailed(RedirectFailure, Context)
    /// The connection closed or broke before the head of the response was complete, or while a WebSocket was open.
    ///
    /// The server may or may not have acted on the request: repeat the request only if acting twice does no harm.
    case connectionLost(ConnectionFailure, Context)
    /// The response body ended early, after `received` of `expected` bytes; `expected` is `nil` if the length was
    /// unknown.
    ///
    /// Do not use the part that arrived. Send the request again; a download can ask for only the missing bytes with a
    /// range.
    case truncated(received: Int64, expected: Int64?, Context)
    /// The peer broke a rule of the protocol; `section` names the rule, such as `"RFC 9112 §6.3"`.
    ///
    /// Trying again rarely helps. Report the error to the operator of the server.
    case protocolViolation(section: String, reason: String, Context)
    /// The response body is longer than `limit`: the number of bytes that the call accepts in memory or in a file, or
    /// that decompressed content may have.
    ///
    /// If the body does not fit into memory, use `download` or `bytes`. Otherwise, raise the limit.
    case bodyTooLarge(limit: Int, Context)
    /// A line of the response body is longer than `limit` bytes.
    ///
    /// Read `chunks` instead of `lines`, or raise the client's limit.
    case lineTooLong(limit: Int, Context)
    /// An event or a record of a stream is longer than `limit` bytes.
    ///
    /// Raise the limit if you trust the server with that much memory.
    case valueTooLong(limit: Int, at: StreamPosition, Context)
    /// The client could not read or encode the body to send, or could not complete an upload that continues after an
    /// interruption.
    ///
    /// For example, a file is missing or changed, a stream failed or cannot be read twice, or the server lost the
    /// upload. The documentation of each ``UploadFailure`` gives the cause: remove it, and send the request again.
    case uploadFailed(UploadFailure, Context)
    /// The client could not write the file of a download, or the record of an upload that can be resumed.
    ///
    /// A failed download leaves no part of its file, unless the download can be resumed. Choose another place for the
    /// file or the record, or free some space.
    case fileFailed(FileFailure, Context)
    /// The program read the response body, or the WebSocket, in an unsupported way, such as from two tasks at the same
    /// time.
    ///
    /// This is a mistake in the program.
    case bodyMisused(BodyFailure, Context)
    /// The WebSocket was not opened; ``Context/response`` holds the head of the server's answer.
    ///
    /// The failure keeps the beginning of the answer's body. Decode it as problem details (RFC 9457), or as the error
    /// type of the service. Check the status: after 401 or 403 ask the user to sign in, after 404 use another URL.
    case webSocketRefused(WebSocketFailure, Context)
    /// The WebSocket is closed and cannot send; `code` is the peer's close code, or `nil` if the peer sent none.
    ///
    /// To send more, open another WebSocket.
    case webSocketClosed(code: UInt16?, Context)
    /// After decompression, a WebSocket message is longer than the maximum of `limit` bytes.
    ///
    /// Raise the limit if you trust the server with that much memory.
    case messageTooLarge(limit: Int, Context)
    /// The request allows only a stored response, and no usable one is stored; nothing was sent.
    ///
    /// Allow the network with another cache policy, or tell the user that nothing can be shown while offline.
    case notCached(Context)
    /// The response broke a validation rule of the request or the client; ``Context/response`` holds the response head.
    ///
    /// The failure keeps the beginning of the body, which often says more. Decode it as problem details (RFC 9457), or
    /// as the error type of the service.
    case validationFailed(ValidationFailure, Context)
    /// The response body, or a message of a WebSocket, could not be decoded as the requested type.
    ///
    /// For a response body, ``Context/response`` holds the response head.
    ///
    /// Server and program disagree about the format. The failure names the place in the body, the type that the decoder
    /// expected there, and the type that it found. The failure keeps the decoder's error and the beginning of the body.
    case decodingFailed(DecodingFailure, Context)
    /// The body could not be checked against its digest, or does not match it (RFC 9530).
    ///
    /// A call fails with this case only if the call, its request or its client asks for the check, or if it is a
    /// download that continues after an interruption: such a download always checks the digest of the whole file that
    /// the server sends. Do not use the body: it may have been damaged or changed on its way.
    case digestFailed(DigestFailure, Context)
    /// An interceptor, a transport, a custom validation rule, a custom connector, the closure of a
    /// `BearerAuthentication`, a `RequestSigner`, or the sequence of a custom response body ended the call with its own
    /// error.
    ///
    /// The client itself never causes this failure. Cast the payload to the error type of the interceptor or the rule.
    /// For a token provider and a signer, the phase is ``Phase/authenticate``. The payload may then be the `ClientError`
    /// of another call, such as one that asked for the token. The properties ``isRetryable``, ``isTimeout``,
    /// ``isOffline`` and ``isConnectivity`` give that error's answers.
    case interceptorFailed(any Error, Context)
}
