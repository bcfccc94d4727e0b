// SPDX-License-Identifier: Apache-2.0
public import TernRequests

#if canImport(FoundationEssentials)
public import FoundationEssentials
#else
public import Foundation
#endif

/// The page that a request was made for, as in a browser that the application is (RFC 6265bis §5.2).
package struct SiteForCookies: Hashable, Sendable {
    /// The URL of the page.
    package var url: URL
    /// Whether the request leads the user to another page, as following a link does.
    package var isNavigation: Bool

    /// Creates it.
    ///
    /// - Parameters:
    ///   - url: the URL of the page.
    ///   - isNavigation: whether the request leads the user to another page; `false` by default.
    package init(_ url: URL, isNavigation: Bool = false) {
        self.url = url
        self.isNavigation = isNavigation
    }
}

private enum CookieOption: RequestOption { typealias Value = CookiePolicy }
private enum SiteOption: RequestOption { typealias Value = SiteForCookies }

extension RequestOptions {
    /// What to do about cookies; `nil`, the default, for what the client does.
    package var cookies: CookiePolicy? {
        get { self[CookieOption.self] }
        set { self[CookieOption.self] = newValue }
    }

    /// The page that the request was made for; `nil`, the default, for the application itself.
    ///
    /// What the application asks for is "same-site", so it brings all cookies, those with `SameSite` as well. With a page,
    /// the requests to other sites bring only the cookies that may go there from that page. Each hop of a redirect is
    /// judged by where it goes.
    package var siteForCookies: SiteForCookies? {
        get { self[SiteOption.self] }
        set { self[SiteOption.self] = newValue }
    }
}

extension Request {
    /// Says what to do about cookies, in place of what the client does.
    ///
    /// - Parameter policy: none, or another store.
    /// - Returns: a changed copy.
    public func cookies(_ policy: CookiePolicy) -> Request {
        self.with { $0.options.cookies = policy }
    }

    /// Names the page that the request was made for, so that `SameSite` is obeyed.
    ///
    /// - Parameters:
    ///   - url: the URL of the page.
    ///   - isNavigation: whether the request leads the user to another page; `false` by default.
    /// - Returns: a changed copy.
    public func siteForCookies(_ url: URL, isNavigation: Bool = false) -> Request {
        self.with { $0.options.siteForCookies = SiteForCookies(url, isNavigation: isNavigation) }
    }
}
