// SPDX-License-Identifier: Apache-2.0

/// A URL as it is told: without what may be secret in it.
enum ShownURL {
    /// What stands for a query, as in the spans of `TernObservability`.
    private static let query = "?REDACTED"

    /// The text without a fragment, without what is before the `@` of its authority (RFC 3986 §3.2.1), and with a word for
    /// its query, whether it is a URL or not.
    static func text(_ url: String) -> String {
        // Scalars, since a mark behind a character would make another one of it.
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
