// SPDX-License-Identifier: Apache-2.0

/// A URL as it is told: without a user and a password, which may stand in it.
enum ShownURL {
    /// The text without what is before the `@` of its authority (RFC 3986 §3.2.1), whether it is a URL or not.
    static func text(_ url: String) -> String {
        let start = url.firstRange(of: "//")?.upperBound ?? url.startIndex
        let authority = url[start...].prefix { $0 != "/" && $0 != "?" && $0 != "#" }
        guard let at = authority.lastIndex(of: "@") else { return url }
        return String(url[..<start]) + url[url.index(after: at)...]
    }
}
