// SPDX-License-Identifier: Apache-2.0

/// The limits of a ``CookieJar``.
public struct CookieLimits: Hashable, Sendable {
    /// The maximum number of cookies of one domain.
    ///
    /// Defaults to 180, like Chrome.
    ///
    /// RFC 6265bis §6.1 requires at least 50.
    package var maximumCookiesPerDomain: Int
    /// The maximum number of cookies in total.
    ///
    /// Defaults to 3000, the minimum that RFC 6265bis §6.1 requires.
    package var maximumCookieCount: Int
    /// The maximum length of the `Cookie` field in bytes.
    ///
    /// Defaults to 8190, like curl; Apache accepts this length. Cookies that do not fit are not sent. Without this
    /// limit, one server could make the client send so many cookies that other servers of its domain refuse the
    /// request.
    package var maximumFieldByteCount: Int

    /// Creates limits; the defaults suit most programs.
    ///
    /// - Parameters:
    ///   - maximumCookiesPerDomain: The maximum number of cookies of one domain. Defaults to 180, like Chrome; RFC
    ///     6265bis §6.1 requires at least 50.
    ///   - maximumCookieCount: The maximum number of cookies in total. Defaults to 3000, the minimum that RFC 6265bis
    ///     §6.1 requires.
    ///   - maximumFieldByteCount: The maximum length of the `Cookie` field in bytes. Defaults to 8190, like curl;
    ///     Apache accepts this length. Cookies that do not fit are not sent.
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
