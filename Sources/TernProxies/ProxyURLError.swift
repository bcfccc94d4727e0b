// SPDX-License-Identifier: Apache-2.0

package import TernErrors
public import TernFoundation
import TernRequests
public import TernValues

/// The reason that the URL of a proxy is not valid.
///
/// The error is safe to log: the only part of the URL that it may contain is the name of a well-known scheme.
public struct ProxyURLError: Error, Hashable, Sendable {
    package enum Rule: Hashable, Sendable {
        case empty
        case malformedScheme
        /// The text is a well-known scheme; it is empty for another scheme, which may be the beginning of a secret.
        case unsupportedScheme(String)
        case missingHost
        case malformedHost
        case malformedPort
        /// The user or the password contains a literal `@`, or is not UTF-8 when decoded (RFC 3986 §3.2.1).
        case malformedUserInfo
        case unexpectedPath
    }

    package let rule: Rule
    package let variable: String?

    package init(_ rule: Rule, variable: String? = nil) {
        self.rule = rule
        self.variable = variable
    }

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
    package var wording: String { self.failure.description }
}

extension ProxyURLError: LocalizedError, Explained {
    package var sentence: String { "The address of the proxy cannot be used because \(self.rule.reason("it"))." }
}

extension ProxyURLError.Rule {
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
