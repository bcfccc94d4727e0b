// SPDX-License-Identifier: Apache-2.0
public import TernErrors
public import TernURLLoading
public import TernValues

/// The reason that a ``URLSessionTransport`` could not complete a call, where no case of `ClientError` names the reason.
///
/// The client throws the reason inside `ClientError.interceptorFailed`:
///
/// ```swift
/// do {
///     return try await client.data(for: request).0
/// } catch .interceptorFailed(let error as URLSessionTransportError, _) {
///     print("this call needs the client's own transport: \(error)")
/// }
/// ```
@nonexhaustive
public enum URLSessionTransportError: Error, Hashable, Sendable {
    /// A feature that a request may use, but that `URLSession` does not have.
    @nonexhaustive
    public enum Feature: Hashable, Sendable {
        /// An upgrade to another protocol, such as WebSocket (RFC 9110 §7.8), or the method `CONNECT`.
        case upgrade
        /// Trailers after the request body (RFC 9110 §6.5).
        case requestTrailers
        /// A connection to a Unix domain socket.
        case unixSocket
        /// A choice of the proxy for one request.
        case requestProxy
        /// A choice of the HTTP versions for one request.
        case httpVersion
        /// A request body with this method, which is `GET` or `HEAD`.
        case body(method: String)
    }

    /// The request needs a feature that `URLSession` does not have.
    ///
    /// Nothing was sent, unless the body is a stream that turns out to have trailers.
    case unsupported(Feature)
    /// `URLSession` received more than `limit` bytes that the call had not read, and cannot pause the transfer, as on Linux.
    ///
    /// Read the body faster, or raise the transport's limit.
    case tooManyUnreadBytes(limit: Int)
    /// The request body, which `URLSession` cannot stream, as on Linux, has more than `limit` bytes; nothing was sent.
    ///
    /// Send a file instead, or raise the limit of the transport.
    case requestBodyTooLong(limit: Int)
    /// `URLSession` may have dropped the body of a redirect without a usable `Location`, as on Linux.
    case bodyDropped
    /// `URLSession` failed with an error that Tern has no case for; `code` is the raw value of the `URLError.Code`.
    case sessionFailed(code: Int)
}

extension URLSessionTransportError: CustomStringConvertible, Described, PlainlyDescribedError {
    package var wording: String {
        switch self {
        case .unsupported(let feature): "URLSession does not support \(feature.phrase)"
        case .tooManyUnreadBytes(let limit):
            "URLSession received more than \(limit) bytes that the program had not read, and cannot pause the server"
        case .requestBodyTooLong(let limit):
            "URLSession cannot send a stream, and this one has more than the \(limit) bytes that may be in memory"
        case .bodyDropped: "URLSession dropped the body of a redirect without a target"
        case .sessionFailed(let code): "URLSession failed with the code \(code)"
        }
    }
}

extension URLSessionTransportError.Feature {
    /// The feature, as the object of a sentence.
    fileprivate var phrase: String {
        switch self {
        case .upgrade: "an upgrade to another protocol, such as WebSocket"
        case .requestTrailers: "trailers after a request body"
        case .unixSocket: "Unix-domain sockets"
        case .requestProxy: "a proxy for one request"
        case .httpVersion: "a choice of the HTTP version"
        case .body(let method): "a request body with the method \(method)"
        }
    }
}

extension URLSessionTransportError: LocalizedError, Explained {
    package var sentence: String {
        switch self {
        case .unsupported: "The request needs a feature that the system's networking does not have."
        case .tooManyUnreadBytes: "The server sent data faster than the app could process it."
        case .requestBodyTooLong: "The app tried to send more data than fits into memory."
        case .bodyDropped: "The server sent a redirect without a target."
        case .sessionFailed: "The system's networking could not complete the request."
        }
    }
}

extension ClientError {
    static func unsupported(_ feature: URLSessionTransportError.Feature, _ context: Context) -> ClientError {
        var context = context
        context.delivery = .notSent
        return .interceptorFailed(URLSessionTransportError.unsupported(feature), context)
    }
}
