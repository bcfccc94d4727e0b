// SPDX-License-Identifier: Apache-2.0
public import TernValues

/// The reason that the client got no connection to the server from a proxy.
@nonexhaustive
public enum ProxyFailure: Hashable, Sendable {
    /// The URL of the proxy is malformed, so no proxy was used; the text says why, without user name and password.
    case malformedURL(String)
    /// The proxy answered CONNECT with this status instead of one from 200 to 299 (RFC 9110 §9.3.6).
    case refused(status: Int)
    /// The proxy requires authentication: the client sent no credentials, or the proxy rejected them.
    case authenticationRequired
    /// The kind of the proxy, or something that the call or the proxy needs, is not supported; the text says what.
    case unsupported(String)
    /// The SOCKS proxy could not, or would not, connect to the server (RFC 1928 §6).
    case socks(SOCKSReply)
    /// The proxy's answer broke a rule or exceeded a limit; `section` names the rule, such as `"RFC 1928 §6"`.
    case violation(section: String, reason: String)
}

extension ProxyFailure: CustomStringConvertible, Described {
    package var wording: String {
        switch self {
        case .malformedURL(let reason): "the URL of the proxy is not valid: \(ForeignText.shown(reason))"
        case .refused(let status):
            "the proxy answered \(status); check whether it allows this host and port, and can reach them"
        case .authenticationRequired: "the proxy requires a user name and a password, or rejected those that it got"
        case .unsupported(let what): "the proxy cannot be used: \(ForeignText.shown(what))"
        case .socks(let reply): "\(reply)"
        case .violation(let section, let reason):
            "the proxy broke the protocol: \(Sentence.clause(reason)) (\(section))"
        }
    }
}
