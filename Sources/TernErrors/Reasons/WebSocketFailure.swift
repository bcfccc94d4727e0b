// SPDX-License-Identifier: Apache-2.0
public import TernFoundation
public import TernValues

/// The reason that a WebSocket was not opened although the client could connect, and the beginning of the answer's body.
///
/// `ClientError.problemDetails` and `ClientError.decoded(as:by:)` decode the body if it is complete.
public struct WebSocketFailure: Hashable, Sendable {
    /// A reason that a WebSocket was not opened.
    @nonexhaustive
    public enum Reason: Hashable, Sendable {
        /// The server answered with this status instead of 101 (Switching Protocols), or 2xx over HTTP/2.
        case status(Int)
        /// The answer broke a rule of the handshake, or the server accepts no WebSockets over HTTP/2; `section` names the rule.
        case handshake(section: String, reason: String)
        /// The client's transport did not hand over the upgraded connection.
        case notSupported
    }

    /// The reason that the WebSocket was not opened.
    public var reason: Reason
    /// The beginning of the body, at most `Client.Configuration.maximumErrorBodyByteCount` bytes; no description contains it.
    public var body: Data {
        get { self.concealedBody.value }
        set { self.concealedBody.value = newValue }
    }
    /// Whether ``body`` is the whole body.
    public var isBodyComplete: Bool

    private var concealedBody: Concealed<Data>

    package init(_ reason: Reason, body: Data = Data(), isBodyComplete: Bool = true) {
        self.reason = reason
        self.concealedBody = Concealed(body)
        self.isBodyComplete = isBodyComplete
    }
}

extension WebSocketFailure: CustomStringConvertible, Described {
    package var wording: String { self.reason.description }
}

extension WebSocketFailure.Reason: CustomStringConvertible, Described {
    package var wording: String {
        switch self {
        case .status(let code): "the server answered with the status \(code)"
        case .handshake(let section, let reason):
            "the handshake failed: \(Sentence.clause(reason)) (\(section))"
        case .notSupported: "the client's transport does not support WebSockets"
        }
    }
}
