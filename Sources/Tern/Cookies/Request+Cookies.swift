// SPDX-License-Identifier: Apache-2.0
public import TernCookies
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
    public var cookies: CookiePolicy? {
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

/// What one request does about cookies, in place of what its client does.
@nonexhaustive
public enum CookiePolicy: Hashable, Sendable {
    /// It brings none but those in its own `Cookie` field, and keeps none.
    case never
    /// It uses this store, also with a Unix socket, for which the client's is not used.
    case store(any CookieStore)

    /// Whether both mean the same, and the same store.
    public static func == (one: CookiePolicy, other: CookiePolicy) -> Bool {
        switch (one, other) {
        case (.never, .never): true
        case (.store(let one), .store(let other)): one === other
        default: false
        }
    }

    /// Hashes which store it is.
    ///
    /// - Parameter hasher: takes it.
    public func hash(into hasher: inout Hasher) {
        if case .store(let store) = self { hasher.combine(ObjectIdentifier(store)) }
    }
}
