// SPDX-License-Identifier: Apache-2.0

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
