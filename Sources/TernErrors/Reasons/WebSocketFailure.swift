// SPDX-License-Identifier: Apache-2.0
public import TernFoundation
public import TernValues

/// The reason that a WebSocket was not opened although the server answered, and the beginning of the answer's body.
///
/// The head of the answer is in the error's context. To decode the body, use `ClientError.problemDetails` or
/// `ClientError.decoded(as:by:)`.
public struct WebSocketFailure: Hashable, Sendable {
    /// A reason that a WebSocket was not opened.
    @nonexhaustive
    public enum Reason: Hashable, Sendable {
        /// The server answered with this status, which does not open a WebSocket.
        ///
        /// The status that opens a WebSocket is 101 (Switching Protocols), or 2xx over HTTP/2.
        case status(Int)
        /// The status opens a WebSocket, but the answer broke a rule of the handshake; `section` names the rule, such
        /// as `"RFC 6455 §4.1"`.
        case handshake(section: String, reason: String)
        /// The client's transport does not support upgrading a connection.
        case notSupported
    }

    /// The reason that the WebSocket was not opened.
    public var reason: Reason
    /// The beginning of the answer's body, at most `Client.Configuration.maximumErrorBodyByteCount` bytes.
    ///
    /// No description of an error contains these bytes.
    public var body: Data {
        get { self.concealedBody.value }
        set { self.concealedBody.value = newValue }
    }
    /// Whether ``body`` is the whole body.
    public var isBodyComplete: Bool

    private var concealedBody: Concealed<Data>

    /// Creates a failure.
    ///
    /// - Parameters:
    ///   - reason: The reason that the WebSocket was not opened.
    ///   - body: The beginning of the answer's body. Defaults to no bytes.
    ///   - isBodyComplete: Whether `body` is the whole body. Defaults to `true`.
    package init(_ reason: Reason, body: Data = Data(), isBodyComplete: Bool = true) {
        self.reason = reason
        self.concealedBody = Concealed(body)
        self.isBodyComplete = isBodyComplete
    }
}

extension WebSocketFailure: CustomStringConvertible, Described {
    /// A short description of the reason.
    package var wording: String { self.reason.description }
}

extension WebSocketFailure.Reason: CustomStringConvertible, Described {
    /// A short description of the reason.
    package var wording: String {
        switch self {
        case .status(let code): "the server answered with the status \(code)"
        case .handshake(let section, let reason):
            "the handshake failed: \(Sentence.clause(reason)) (\(section))"
        case .notSupported: "the client's transport does not support WebSockets"
        }
    }
}
