// SPDX-License-Identifier: Apache-2.0
package import TernRequests
import TernValues

/// A bearer token (RFC 6750), and the date on which it expires.
package struct BearerToken: Hashable, Sendable {
    private let concealedValue: Concealed<String>
    /// The date on which the server stops accepting the token; `nil` if this date is not known.
    package let expiry: HTTPDate?

    /// Creates a token.
    package init(_ value: String, expires expiry: HTTPDate? = nil) {
        self.concealedValue = Concealed(value)
        self.expiry = expiry
    }

    /// The token, without `Bearer`.
    package var value: String { self.concealedValue.value }
}
