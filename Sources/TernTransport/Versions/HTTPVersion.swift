// SPDX-License-Identifier: Apache-2.0
public import TernValues

/// A version of HTTP.
@nonexhaustive
public enum HTTPVersion: Hashable, Sendable {
    /// HTTP/1.0 (RFC 1945).
    case http10
    /// HTTP/1.1 (RFC 9112).
    case http11
    /// HTTP/2 (RFC 9113).
    case http2

    package var number: String {
        switch self {
        case .http10: "1.0"
        case .http11: "1.1"
        case .http2: "2"
        }
    }
}

extension HTTPVersion: CustomStringConvertible, Described {
    /// The name of the protocol with its version, such as `HTTP/1.1`.
    package var wording: String { "HTTP/\(self.number)" }
}
