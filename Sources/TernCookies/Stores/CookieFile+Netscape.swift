// SPDX-License-Identifier: Apache-2.0
package import TernFoundation

extension CookieFile {
    /// Parses Netscape's `cookies.txt` and the variants that curl reads, except a cookie without a domain, which curl sends to
    /// every server, and one with an unknown word for "secure", which curl sends over plain HTTP.
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
