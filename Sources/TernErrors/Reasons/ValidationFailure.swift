// SPDX-License-Identifier: Apache-2.0
#if canImport(FoundationEssentials)
public import FoundationEssentials
#else
public import Foundation
#endif

/// Which rule a response broke, and what was kept of its body.
///
/// The head of the response is in the error's context.
public struct ValidationFailure: Sendable {
    /// A rule that a response can break.
    @nonexhaustive
    public enum Rule: Hashable, Sendable {
        /// The status is none of those that are accepted.
        case status(Int)
        /// The media type is none of those that are accepted; without parameters, and `nil` if there is none that can be
        /// read.
        case contentType(String?)
        /// The body is shorter or longer than is accepted; the length in bytes, as far as it is known.
        case length(Int64)
        /// The named field is missing.
        case missingField(String)
        /// A rule of the application's own, by the name that it was given.
        case custom(String)
    }

    /// The rule that was broken; the first one, if there are several.
    public var rule: Rule
    /// The beginning of the body, as far as it was kept: none of it goes into any description.
    public var body: Data
    /// Whether ``body`` is the whole body.
    public var isBodyComplete: Bool

    /// Creates a failure.
    ///
    /// - Parameters:
    ///   - rule: the rule that was broken.
    ///   - body: the beginning of the body; empty by default.
    ///   - isBodyComplete: whether that is all of it; `false` by default.
    public init(_ rule: Rule, body: Data = Data(), isBodyComplete: Bool = false) {
        self.rule = rule
        self.body = body
        self.isBodyComplete = isBodyComplete
    }
}

extension ValidationFailure: CustomStringConvertible, CustomReflectable {
    /// The rule, in a few words.
    public var description: String { self.rule.description }

    /// Shows the rule and how much was kept to `dump`, but nothing of it.
    public var customMirror: Mirror {
        Mirror(self, children: ["rule": self.rule, "byteCount": self.body.count], displayStyle: .struct)
    }
}

extension ValidationFailure.Rule: CustomStringConvertible {
    /// What is wrong with the response, in a few words.
    public var description: String {
        switch self {
        case .status(let code): "the status \(code) is not accepted"
        case .contentType(let type?): "content of the type \(type) is not accepted"
        case .contentType(nil): "content without a readable media type is not accepted"
        case .length(let length): "a length of \(length) bytes is not accepted"
        case .missingField(let name): "the field '\(name)' is missing"
        case .custom(let name): "the rule '\(name)' is broken"
        }
    }
}

/// Why a call ended at a challenge, other than with the server's own 401 or 407.
@nonexhaustive
public enum AuthenticationFailure: Error, Hashable, Sendable {
    /// A delegate cancelled the challenge.
    case cancelled
    /// No new token could be had; the text is the type of the error that the provider threw, not its content.
    case refreshFailed(type: String)
    /// The server's `Authentication-Info` is wrong: it does not know the password (RFC 7616 §3.5).
    case serverNotAuthentic
    /// The credential cannot be sent by this scheme, such as a user name with a colon by Basic (RFC 7617 §2).
    case credentialNotUsable(String)
    /// The signer of requests threw; the text is the type of its error, not its content.
    case signingFailed(type: String)
}

extension AuthenticationFailure: CustomStringConvertible {
    /// What happened, in a few words.
    public var description: String {
        switch self {
        case .cancelled: "the challenge was cancelled"
        case .refreshFailed(let type): "no new token could be had; the provider threw \(type)"
        case .serverNotAuthentic: "the server could not prove that it knows the password"
        case .credentialNotUsable(let reason): "the credential cannot be used: \(reason)"
        case .signingFailed(let type): "the request could not be signed; the signer threw \(type)"
        }
    }
}

/// Why a redirect was not followed although it should have been.
@nonexhaustive
public enum RedirectFailure: Error, Hashable, Sendable {
    /// There were more than the limit.
    case tooMany(limit: Int)
    /// It leads, for the third time, to where the call was before.
    case loop
    /// It leads from `https` to `http`, where everybody on the way can read.
    case insecure
    /// `Location` is no URL that a request can go to; the text says why.
    case invalidLocation(String)
}

extension RedirectFailure: CustomStringConvertible {
    /// What happened, in a few words.
    public var description: String {
        switch self {
        case .tooMany(let limit): "there were more than \(limit)"
        case .loop: "they lead in a circle"
        case .insecure: "it leads from https to http; allow that in the redirect policy if you must"
        case .invalidLocation(let reason): "its Location cannot be followed: \(reason)"
        }
    }
}

/// Why a WebSocket was not opened, although the server answered.
@nonexhaustive
public enum WebSocketRefusal: Hashable, Sendable {
    /// The answer was not 101 (Switching Protocols), but this status.
    case status(Int)
    /// The answer was 101, but broke a rule of the handshake; `section` names it, e.g. `"RFC 6455 §4.1"`.
    case handshake(section: String, reason: String)
    /// The transport that the client was made with cannot hand a connection over.
    case notSupported
}

extension WebSocketRefusal: CustomStringConvertible {
    /// What happened, in a few words.
    public var description: String {
        switch self {
        case .status(let code): "the server answered \(code) instead of 101"
        case .handshake(let section, let reason): "the server's handshake is wrong: \(reason) (\(section))"
        case .notSupported: "the client's transport does not support upgrades"
        }
    }
}
