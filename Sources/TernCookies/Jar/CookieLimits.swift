// SPDX-License-Identifier: Apache-2.0

/// The limits of a ``CookieJar``.
public struct CookieLimits: Hashable, Sendable {
    package var maximumCookiesPerDomain: Int
    package var maximumCookieCount: Int
    package var maximumFieldByteCount: Int

    /// Creates limits; the defaults suit most programs.
    ///
    /// Beyond a limit on their number, the jar removes the least recently used cookies; within one domain, those without `Secure`
    /// first.
    ///
    /// - Parameters:
    ///   - maximumCookiesPerDomain: The maximum number of cookies of one domain. Beyond it, one cookie is evicted (RFC 6265bis
    ///     §5.7). RFC 6265bis §6.1 asks for at least 50.
    ///   - maximumCookieCount: The maximum number of cookies. Beyond it, one cookie is evicted (RFC 6265bis §5.7). The default is
    ///     the minimum that RFC 6265bis §6.1 asks for.
    ///   - maximumFieldByteCount: The maximum length in bytes of the jar's part of a `Cookie` field. Beyond it, the cookies
    ///     that do not fit are not sent, because servers might refuse a longer field. Apache has the same default.
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
