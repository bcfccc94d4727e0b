// SPDX-License-Identifier: Apache-2.0

/// How much a ``CookieJar`` keeps and gives.
public struct CookieLimits: Hashable, Sendable {
    /// How many cookies one domain may have; 180 by default, as in Chrome.
    ///
    /// RFC 6265bis §6.1 asks for 50 at least.
    package var maximumCookiesPerDomain: Int
    /// How many cookies there may be in all; 3000 by default, what RFC 6265bis §6.1 asks for at least.
    package var maximumCookieCount: Int
    /// How long the `Cookie` field may be, in bytes; 8190 by default, as in curl, and what Apache accepts.
    ///
    /// Cookies for which there is no room are left out of the request. Without a limit a server could have the client
    /// send so much that other servers of its domain refuse it.
    package var maximumFieldByteCount: Int

    /// Creates limits; the defaults suit most programs.
    ///
    /// - Parameters:
    ///   - maximumCookiesPerDomain: Cookies of one domain; 180 by default, as in Chrome. RFC 6265bis §6.1 asks for 50 at least.
    ///   - maximumCookieCount: Cookies in all; 3000 by default, what RFC 6265bis §6.1 asks for at least.
    ///   - maximumFieldByteCount: Bytes of the `Cookie` field; 8190 by default, as in curl, and what Apache accepts. Cookies for
    ///     which there is no room are left out of the request.
    public init(
        maximumCookiesPerDomain: Int = 180,
        maximumCookieCount: Int = 3000,
        maximumFieldByteCount: Int = 8190
    ) {
        self.maximumCookiesPerDomain = maximumCookiesPerDomain
        self.maximumCookieCount = maximumCookieCount
        self.maximumFieldByteCount = maximumFieldByteCount
    }
}
