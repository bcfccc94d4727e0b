// SPDX-License-Identifier: Apache-2.0
package import TernFoundation

extension CookieFile {
    /// Parses a `cookies.txt` file in Netscape's format, as curl reads it.
    ///
    /// Tern never writes this format.
    ///
    /// Each line has seven parts, separated by tabs: the domain, whether subdomains get the cookie, the path, whether
    /// the cookie is secure, the expiry time, the name, the value. The expiry time is in seconds since 1970, or zero
    /// for a session cookie. The prefix `#HttpOnly_` before the domain marks a cookie that is hidden from scripts.
    ///
    /// Browsers, extensions and scripts write variants, which curl reads, too: a file without a title, a line without a
    /// value or without a path, a path without its slash, `true` in any letter case, and any text in place of `FALSE`
    /// for the subdomains. A line may also be a `Set-Cookie` field, as in a file with the heads of responses.
    ///
    /// This method is stricter than curl in these cases:
    ///
    /// - curl sends a cookie without a domain to every server. Here, a `Set-Cookie` line needs a `Domain`.
    /// - curl reads any text but `TRUE` as "not secure", so that a mistake sends the cookie without encryption. Here,
    ///   such a line is damaged.
    /// - The cookie must be one that a server may set, for example without control characters.
    ///
    /// - Parameters:
    ///   - data: The text. A text without cookies may contain only comments.
    ///   - limits: The limits of the jar. Defaults to `CookieLimits()`.
    ///   - now: The current time. Expired cookies are left out, and the lifetime of the others is limited to 400 days.
    /// - Returns: The cookies, and the number of lines that are malformed or not valid cookies.
    /// - Throws: ``ForeignText`` if no line is a cookie or the title of the format, and not all lines are comments.
    package static func decode(
        netscape data: Data,
        limits: CookieLimits = CookieLimits(),
        at now: Date
    ) throws(ForeignText) -> Content {
        var reader = NetscapeReader(limits: limits, at: now)
        var lines = TextLines(data)
        while let line = lines.next() { reader.read(line, number: lines.number) }
        return try reader.finish()
    }
}
