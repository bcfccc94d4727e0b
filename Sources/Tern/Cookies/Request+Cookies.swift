// SPDX-License-Identifier: Apache-2.0
public import TernFoundation
public import TernRequests

/// The page that causes a request, in an application that acts as a browser (RFC 6265bis §5.2).
package struct SiteForCookies: Hashable, Sendable {
    package var url: URL
    /// Whether the request takes the user to another page, as when the user follows a link.
    package var isNavigation: Bool

    package init(_ url: URL, isNavigation: Bool = false) {
        self.url = url
        self.isNavigation = isNavigation
    }
}

private enum CookieOption: RequestOption { typealias Value = CookiePolicy }
private enum SiteOption: RequestOption { typealias Value = SiteForCookies }

extension RequestOptions {
    package var cookies: CookiePolicy? {
        get { self[CookieOption.self] }
        set { self[CookieOption.self] = newValue }
    }

    /// The page that causes the request; `nil` for the application, whose requests count as "same-site" for every host.
    package var siteForCookies: SiteForCookies? {
        get { self[SiteOption.self] }
        set { self[SiteOption.self] = newValue }
    }
}

extension Request {
    /// Returns a copy that uses a cookie policy instead of the client's cookie store.
    public func cookies(_ policy: CookiePolicy) -> Request {
        self.with { $0.options.cookies = policy }
    }

    /// Returns a copy that names the page that causes the request, so that the client obeys the `SameSite` attribute of cookies.
    ///
    /// Without a page, the application itself makes the request, which sends the host's cookies whatever their attribute says.
    /// After a redirect, the client compares the page's site with the new target.
    ///
    /// - Parameters:
    ///   - url: The URL of the page.
    ///   - isNavigation: Whether the request takes the user to another page, as when the user follows a link.
    /// - Returns: The changed copy.
    public func siteForCookies(_ url: URL, isNavigation: Bool = false) -> Request {
        self.with { $0.options.siteForCookies = SiteForCookies(url, isNavigation: isNavigation) }
    }
}
