// SPDX-License-Identifier: Apache-2.0

public import TernErrors

/// Why the URL of a proxy cannot be read.
///
/// Nothing of the URL is held but a scheme that is not supported, so a violation is safe to log.
public struct ProxyURLViolation: Error, Hashable, Sendable {
    /// A rule that the URL of a proxy must keep (RFC 3986 §3).
    public enum Rule: Hashable, Sendable {
        /// There is no text.
        case empty
        /// What stands before `://` is no scheme (RFC 3986 §3.1).
        case malformedScheme
        /// The scheme is none of those that name a kind of proxy.
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
    public let rule: Rule
    /// The variable of the environment that holds the URL; `nil` if it came from elsewhere.
    public let variable: String?

    /// Creates a violation.
    ///
    /// - Parameters:
    ///   - rule: the rule that is broken.
    ///   - variable: the variable of the environment that holds the URL; none by default.
    public init(_ rule: Rule, variable: String? = nil) {
        self.rule = rule
        self.variable = variable
    }

    /// What a call reports that wanted to use the proxy.
    public var failure: ProxyFailure {
        if case .unsupportedScheme(let scheme) = self.rule {
            return .unsupported(self.located("the scheme '\(scheme)'; use http, https or socks5"))
        }
        return .malformedURL(self.located(self.rule.reason))
    }

    private func located(_ text: String) -> String { self.variable.map { "\($0): \(text)" } ?? text }
}

extension ProxyURLViolation: CustomStringConvertible {
    /// What is wrong, and where; its wording may change.
    public var description: String { self.failure.description }
}

extension ProxyURLViolation.Rule {
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
