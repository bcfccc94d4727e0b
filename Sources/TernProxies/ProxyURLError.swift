// SPDX-License-Identifier: Apache-2.0

package import TernErrors
public import TernFoundation
import TernRequests
public import TernValues

/// The reason that the URL of a proxy is not valid.
///
/// The error is safe to log: the only part of the URL that it may contain is the name of a well-known scheme.
public struct ProxyURLError: Error, Hashable, Sendable {
    /// A rule that the URL of a proxy can break (RFC 3986 §3).
    package enum Rule: Hashable, Sendable {
        /// The text is empty.
        case empty
        /// The text before `://` is not a scheme (RFC 3986 §3.1).
        case malformedScheme
        /// The scheme does not name a kind of proxy.
        ///
        /// The text is the scheme if it is well known. Otherwise the text is empty, because an unknown scheme may be
        /// the beginning of a secret.
        case unsupportedScheme(String)
        /// The URL has no host.
        case missingHost
        /// The host is not a name, an IPv4 address, or an IPv6 address in brackets (RFC 3986 §3.2.2).
        case malformedHost
        /// The port is not a number from 1 to 65535 (RFC 3986 §3.2.3).
        case malformedPort
        /// The user or the password contains a literal `@`, or is not UTF-8 when decoded (RFC 3986 §3.2.1).
        case malformedUserInfo
        /// The URL has text after the authority: a proxy has no path, query or fragment.
        case unexpectedPath
    }

    /// The broken rule.
    package let rule: Rule
    /// The environment variable with the URL; `nil` if the URL came from elsewhere.
    package let variable: String?

    /// Creates an error.
    ///
    /// - Parameters:
    ///   - rule: The broken rule.
    ///   - variable: The environment variable with the URL. Defaults to `nil`.
    package init(_ rule: Rule, variable: String? = nil) {
        self.rule = rule
        self.variable = variable
    }

    /// The failure of a call that needs this proxy.
    package var failure: ProxyFailure {
        if case .unsupportedScheme(let scheme) = self.rule {
            let known = ForeignText.scheme(scheme)
            let fault = known.isEmpty ? "an unsupported scheme" : "the unsupported scheme '\(known)'"
            let subject = self.variable.map { "the value of \($0)" } ?? "its URL"
            return .unsupported("\(subject) has \(fault); use http, https or socks5")
        }
        return .malformedURL(self.rule.reason(self.variable.map { "the value of \($0)" } ?? "it"))
    }
}

extension ProxyURLError: CustomStringConvertible, Described {
    /// A description of what is wrong and where; its wording may change.
    package var wording: String { self.failure.description }
}

extension ProxyURLError: LocalizedError, Explained {
    /// One English sentence that an app may show; its wording is not stable.
    package var sentence: String { "The address of the proxy cannot be used because \(self.rule.reason("it"))." }
}

extension ProxyURLError.Rule {
    /// Returns a short description of the problem.
    ///
    /// - Parameter subject: Words for the URL, which begin the description.
    /// - Returns: The description.
    fileprivate func reason(_ subject: String) -> String {
        switch self {
        case .empty: "\(subject) is empty"
        case .malformedScheme: "\(subject) does not have a valid scheme before '://'"
        case .unsupportedScheme: "\(subject) has an unsupported scheme; use http, https or socks5"
        case .missingHost: "\(subject) has no host"
        case .malformedHost: "\(subject) has a malformed host"
        case .malformedPort: "\(subject) has a port that is not a number from 1 to 65535"
        case .malformedUserInfo: "\(subject) has a malformed user name or password; write '@' in them as '%40'"
        case .unexpectedPath:
            "\(subject) has text after the host and port; remove it, or percent-encode '/', '?' and '#' in a password"
        }
    }
}
