// SPDX-License-Identifier: Apache-2.0

/// A rule of HTTP/1.1 that a request about to be sent would break.
///
/// Closed on purpose, and always the caller's fault. No case holds a value, so a violation is safe to log.
public enum RequestHeadViolation: Error, Hashable, Sendable {
    /// The method is not a token.
    case invalidMethod
    /// The target is empty, or holds a fragment, white space, a control character or a byte outside ASCII.
    case invalidTarget
    /// The host holds white space, a control character or a byte outside ASCII.
    case invalidHost
    /// More than one `Host` field was given.
    case repeatedHost
    /// A `Content-Length` or `Transfer-Encoding` was given as a field; ``RequestHead/bodyFraming`` says that.
    case framingField
    /// A body length is negative.
    case negativeBodyLength

    /// The document and section that state the rule, such as `"RFC 9112 §3.2"`.
    public var section: String {
        switch self {
        case .invalidMethod: "RFC 9112 §3.1"
        case .invalidTarget, .invalidHost, .repeatedHost: "RFC 9112 §3.2"
        case .framingField: "RFC 9112 §6"
        case .negativeBodyLength: "RFC 9110 §8.6"
        }
    }

    /// What is wrong, in one sentence; never holds a value, and its wording may change.
    public var reason: String {
        switch self {
        case .invalidMethod: "The method is not a token."
        case .invalidTarget: "The request target is empty or not percent-encoded."
        case .invalidHost: "The host holds a character that no host may hold."
        case .repeatedHost: "More than one Host field is given."
        case .framingField: "Content-Length and Transfer-Encoding follow from the body and cannot be set."
        case .negativeBodyLength: "The length of the body is negative."
        }
    }
}

extension RequestHeadViolation: CustomStringConvertible {
    /// The reason, then the section.
    public var description: String { "\(self.reason) (\(self.section))" }
}
