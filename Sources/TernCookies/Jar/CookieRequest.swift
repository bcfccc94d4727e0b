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

/// Paths as cookies see them (RFC 6265bis §5.1.4).
enum CookiePath {
    /// The path of a cookie whose server names none: that of the request up to its last slash.
    static func defaultPath(of path: String) -> String {
        // "If the uri-path is empty or if the first character of the uri-path is not a %x2F ("/") character, output
        // %x2F ("/")"; the same if it holds no other one.
        guard path.utf8.first == UInt8(ascii: "/"), let last = path.utf8.lastIndex(of: UInt8(ascii: "/")) else {
            return "/"
        }
        return last == path.startIndex ? "/" : String(path[..<last])
    }

    /// Whether a request's path path-matches a cookie's.
    static func matches(_ path: String, cookiePath: String) -> Bool {
        let (path, prefix) = (path.utf8, cookiePath.utf8)
        guard path.starts(with: prefix) else { return false }
        if path.count == prefix.count { return true }
        if prefix.last == UInt8(ascii: "/") { return true }
        return path[path.index(path.startIndex, offsetBy: prefix.count)] == UInt8(ascii: "/")
    }
}
