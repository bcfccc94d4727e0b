// SPDX-License-Identifier: Apache-2.0

/// The properties of a request that determine which cookies it carries.
public struct CookieRequest: Hashable, Sendable {
    /// The host, in lower case and ASCII; an IPv6 address has no brackets.
    public var host: String
    /// Whether the request uses HTTPS, and so a "secure" protocol (RFC 6265bis §5.8.3).
    public var isSecure: Bool
    /// The path of the URL, percent-encoded as it is sent.
    public var path: String
    /// The cause of the request.
    public var cause: Cause

    /// The cause of a request (RFC 6265bis §5.2).
    @nonexhaustive
    public enum Cause: Hashable, Sendable {
        /// The application or a page of the same site causes the request.
        case sameSite
        /// The user navigates from a page of another site, for example by a link; a safe method is one like `GET` (RFC 9110
        /// §9.2.1).
        case crossSiteNavigation(isSafe: Bool)
        /// A page of another site causes the request, but not by a navigation: for example, the page loads an image.
        case crossSite
    }

    /// Creates a description of a request.
    public init(host: String, isSecure: Bool, path: String = "/", cause: Cause = .sameSite) {
        self.host = host
        self.isSecure = isSecure
        self.path = path
        self.cause = cause
    }
}

/// Rules for paths of cookies (RFC 6265bis §5.1.4).
enum CookiePath {
    /// Returns the path of a cookie without a `Path` attribute: the path of the request before its last slash.
    static func defaultPath(of path: String) -> String {
        // "If the uri-path is empty or if the first character of the uri-path is not a %x2F ("/") character, output
        // %x2F ("/")". The result is also `/` if the path has no other slash.
        guard path.utf8.first == UInt8(ascii: "/"), let last = path.utf8.lastIndex(of: UInt8(ascii: "/")) else {
            return "/"
        }
        return last == path.startIndex ? "/" : String(path[..<last])
    }

    static func matches(_ path: String, cookiePath: String) -> Bool {
        let (path, prefix) = (path.utf8, cookiePath.utf8)
        guard path.starts(with: prefix) else { return false }
        if path.count == prefix.count { return true }
        if prefix.last == UInt8(ascii: "/") { return true }
        return path[path.index(path.startIndex, offsetBy: prefix.count)] == UInt8(ascii: "/")
    }
}
