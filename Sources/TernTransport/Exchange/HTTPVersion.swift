// SPDX-License-Identifier: Apache-2.0

/// A version of HTTP that a server speaks.
package enum HTTPVersion: Hashable, Sendable {
    /// HTTP/1.0 (RFC 1945).
    case http10
    /// HTTP/1.1 (RFC 9112).
    case http11

    /// The digits of the version, such as `1.1`.
    package var number: String {
        switch self {
        case .http10: "1.0"
        case .http11: "1.1"
        }
    }
}

extension HTTPVersion: CustomStringConvertible {
    /// The name of the protocol with its version, such as `HTTP/1.1`.
    package var description: String { "HTTP/\(self.number)" }
}
