// SPDX-License-Identifier: Apache-2.0
package import TernFoundation

extension CookieFile {
    /// Parses a `cookies.txt` file of Netscape and the variants that curl reads, except lines that curl would send too widely:
    /// without a domain to every server, and with an unknown word for "secure" over plain HTTP.
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
