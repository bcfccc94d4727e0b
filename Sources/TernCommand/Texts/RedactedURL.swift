// SPDX-License-Identifier: Apache-2.0

enum RedactedURL {
    /// As in the spans of `TernObservability`.
    private static let query = "?REDACTED"

    /// Drops the user, the password and the fragment (RFC 3986 §3.2.1, §3.5), and replaces the query; the URL may be invalid.
    static func text(_ url: String) -> String {
        // Use Unicode scalars: a delimiter and a combining mark after it are one `Character`.
        let scalars = url.unicodeScalars
        let end = scalars.firstIndex { $0 == "?" || $0 == "#" } ?? scalars.endIndex
        let hasQuery = end < scalars.endIndex && scalars[end] == "?"
        let shown = Self.withoutUser(String(scalars[..<end]))
        return hasQuery ? shown + Self.query : shown
    }

    private static func withoutUser(_ url: String) -> String {
        let start = url.firstRange(of: "//")?.upperBound ?? url.startIndex
        let authority = url[start...].prefix { $0 != "/" }
        guard let at = authority.lastIndex(of: "@") else { return url }
        return String(url[..<start]) + url[url.index(after: at)...]
    }
}
