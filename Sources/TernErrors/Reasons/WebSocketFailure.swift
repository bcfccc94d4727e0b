// SPDX-License-Identifier: Apache-2.0
public import TernValues

#if canImport(FoundationEssentials)
public import FoundationEssentials
#else
public import Foundation
#endif

/// Why a WebSocket was not opened, although the server answered, and the part of the answer's body that was kept.
///
/// The head of the answer is in the error's context. `ClientError.problemDetails` and `ClientError.decoded(as:by:)` read the
/// body.
public struct WebSocketFailure: Hashable, Sendable {
    /// Why a WebSocket was not opened.
    @nonexhaustive
    public enum Reason: Hashable, Sendable {
        /// The answer was not 101 (Switching Protocols), but this status.
        case status(Int)
        /// The answer was 101, but broke a rule of the handshake; `section` names it, e.g. `"RFC 6455 §4.1"`.
        case handshake(section: String, reason: String)
        /// The transport that the client was made with cannot hand a connection over.
        case notSupported
    }

    /// Why the WebSocket was not opened.
    public var reason: Reason
    /// The beginning of the answer's body, at most `Client.Configuration.keptBodyByteCount` bytes; no description shows it.
    public var body: Data {
        get { self.concealedBody.value }
        set { self.concealedBody.value = newValue }
    }
    /// Whether ``body`` is the whole body.
    public var isBodyComplete: Bool

    private var concealedBody: Concealed<Data>

    /// Creates a refusal.
    ///
    /// - Parameters:
    ///   - reason: Why the WebSocket was not opened.
    ///   - body: The beginning of the answer's body. Defaults to an empty one.
    ///   - isBodyComplete: Whether that is all of it. Defaults to `true`.
    package init(_ reason: Reason, body: Data = Data(), isBodyComplete: Bool = true) {
        self.reason = reason
        self.concealedBody = Concealed(body)
        self.isBodyComplete = isBodyComplete
    }
}

extension WebSocketFailure: CustomStringConvertible, Described {
    /// The reason, in a few words.
    package var wording: String { self.reason.description }
}

extension WebSocketFailure.Reason: CustomStringConvertible, Described {
    /// The reason, in a few words.
    package var wording: String {
        switch self {
        case .status(let code): "the server answered \(code) instead of 101"
        case .handshake(let section, let reason):
            "the server's handshake is wrong: \(ForeignText.shown(reason)) (\(section))"
        case .notSupported: "the client's transport does not support upgrades"
        }
    }
}
