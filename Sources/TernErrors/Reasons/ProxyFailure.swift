// SPDX-License-Identifier: Apache-2.0
public import TernValues

/// Why a proxy did not connect the call with its server.
@nonexhaustive
public enum ProxyFailure: Hashable, Sendable {
    /// The URL of the proxy cannot be read, so no proxy was asked; the text says why, without user and password.
    case malformedURL(String)
    /// The proxy answered CONNECT with this status instead of one from 200 to 299 (RFC 9110 §9.3.6).
    case refused(status: Int)
    /// The proxy wants a user and a password and got none, or rejected those that it got.
    case authenticationRequired
    /// The proxy is of a kind that is not supported, or asks for, or is asked for, what is not; the text says what.
    case unsupported(String)
    /// The SOCKS proxy could not, or would not, connect to the server (RFC 1928 §6).
    case socks(SOCKSReply)
    /// The proxy broke a protocol rule; `section` names it, e.g. `"RFC 1928 §6"`.
    case violation(section: String, reason: String)
}

extension ProxyFailure: CustomStringConvertible, Described {
    /// What happened and, where something can be done about it, what; in a few words.
    package var wording: String {
        switch self {
        case .malformedURL(let reason): "the URL of the proxy cannot be read: \(ForeignText.shown(reason))"
        case .refused(let status): "the proxy answered \(status); may it connect to this host and port?"
        case .authenticationRequired: "the proxy wants a user and a password, or rejected the ones it got"
        case .unsupported(let what): "the proxy cannot be used: \(ForeignText.shown(what))"
        case .socks(let reply): "the proxy reports: \(reply)"
        case .violation(let section, let reason): "the proxy broke a rule: \(ForeignText.shown(reason)) (\(section))"
        }
    }
}
