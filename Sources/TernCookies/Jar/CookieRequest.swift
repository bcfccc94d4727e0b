// SPDX-License-Identifier: Apache-2.0

/// What of a request decides about its cookies.
public struct CookieRequest: Hashable, Sendable {
    /// The host, as in an origin: in lower case, without brackets.
    public var host: String
    /// Whether it goes over HTTPS, the only "secure" protocol (RFC 6265bis §5.8.3).
    public var isSecure: Bool
    /// The path of the URL, percent-encoded as it is sent.
    public var path: String
    /// Who caused it.
    public var cause: Cause

    /// Who caused a request (RFC 6265bis §5.2).
    @nonexhaustive
    public enum Cause: Hashable, Sendable {
        /// The application, or a page of the same site.
        case sameSite
        /// A page of another site, from which the user navigates, as by following a link.
        ///
        /// - Parameter isSafe: whether the method is safe (RFC 9110 §9.2.1), as `GET` is.
        case crossSiteNavigation(isSafe: Bool)
        /// A page of another site, in another way.
        case crossSite
    }

    /// Creates a description of a request.
    ///
    /// - Parameters:
    ///   - host: the host, in lower case and ASCII.
    ///   - isSecure: whether it goes over HTTPS.
    ///   - path: the path of the URL; `/` by default.
    ///   - cause: who caused it; the application by default.
    public init(host: String, isSecure: Bool, path: String = "/", cause: Cause = .sameSite) {
        self.host = host
        self.isSecure = isSecure
        self.path = path
        self.cause = cause
    }
}
