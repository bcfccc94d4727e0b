// SPDX-License-Identifier: Apache-2.0

package import TernErrors
import TernRequests
public import TernValues

#if canImport(FoundationEssentials)
public import FoundationEssentials
#else
public import Foundation
#endif

/// Why the URL of a proxy cannot be read.
///
/// Nothing of the URL is held but a well-known scheme that is not supported, so a violation is safe to log.
public struct ProxyURLError: Error, Hashable, Sendable {
    /// A rule that the URL of a proxy must keep (RFC 3986 §3).
    package enum Rule: Hashable, Sendable {
        /// There is no text.
        case empty
        /// What stands before `://` is no scheme (RFC 3986 §3.1).
        case malformedScheme
        /// The scheme is none of those that name a kind of proxy; empty unless it is a well-known one, because it might be
        /// part of a secret.
        case unsupportedScheme(String)
        /// The URL has no host.
        case missingHost
        /// The host is neither a name nor an IPv4 address nor an IPv6 address in brackets (RFC 3986 §3.2.2).
        case malformedHost
        /// The port is not a number from 1 to 65535 (RFC 3986 §3.2.3).
        case malformedPort
        /// The user or the password has a bare `@`, or is not UTF-8 when decoded (RFC 3986 §3.2.1).
        case malformedUserInfo
        /// Something follows the authority: a proxy has no path, no query and no fragment.
        case unexpectedPath
    }

    /// The rule that is broken.
    package let rule: Rule
    /// The variable of the environment that holds the URL; `nil` if it came from elsewhere.
    package let variable: String?

    /// Creates a violation.
    ///
    /// - Parameters:
    ///   - rule: the rule that is broken.
    ///   - variable: the variable of the environment that holds the URL; none by default.
    package init(_ rule: Rule, variable: String? = nil) {
        self.rule = rule
        self.variable = variable
    }

    /// What a call reports that wanted to use the proxy.
    package var failure: ProxyFailure {
        if case .unsupportedScheme(let scheme) = self.rule {
            let known = ForeignText.scheme(scheme)
            let name = known.isEmpty ? "its scheme" : "the scheme '\(known)'"
            return .unsupported(self.located("\(name); use http, https or socks5"))
        }
        return .malformedURL(self.located(self.rule.reason))
    }

    private func located(_ text: String) -> String { self.variable.map { "\($0): \(text)" } ?? text }
}

extension ProxyURLError: CustomStringConvertible, Described {
    /// What is wrong, and where; its wording may change.
    package var wording: String { self.failure.description }
}

extension ProxyURLError: LocalizedError, Explained {
    /// One English sentence that an app may show; its wording is not stable.
    package var sentence: String { "The address of the proxy cannot be used: \(self.rule.reason)." }
}

extension ProxyURLError.Rule {
    /// What is wrong, in a few words.
    fileprivate var reason: String {
        switch self {
        case .empty: "it is empty"
        case .malformedScheme: "what stands before '://' is no scheme"
        case .unsupportedScheme: "its scheme is not supported"
        case .missingHost: "it has no host"
        case .malformedHost: "its host is malformed"
        case .malformedPort: "its port is not a number from 1 to 65535"
        case .malformedUserInfo: "in its password '@' must be '%40'"
        case .unexpectedPath: "it has a path; in its password '/' must be '%2F'"
        }
    }
}
