// SPDX-License-Identifier: Apache-2.0

#if canImport(FoundationEssentials)
package import FoundationEssentials
#else
public import Foundation
#endif

extension CookieFile {
    /// Parses a `cookies.txt` file in Netscape's format, as curl and others write it.
    ///
    /// Tern never writes this format.
    ///
    /// Each line has seven parts, separated by tabs: the domain, whether subdomains get the cookie, the path, whether
    /// the cookie is secure, the expiry time, the name, the value. The expiry time is in seconds since 1970, or zero
    /// for a session cookie. The prefix `#HttpOnly_` before the domain marks a cookie that is hidden from scripts.
    ///
    /// - Parameters:
    ///   - data: The text.
    ///   - limits: The limits of the jar. Defaults to `CookieLimits()`.
    ///   - now: The current time. Expired cookies are left out, and the lifetime of the others is limited to 400 days.
    /// - Returns: The cookies, and the number of lines that are malformed or not valid cookies.
    /// - Throws: ``ForeignText`` if the first line does not identify the format.
    package static func decode(
        netscape data: Data,
        limits: CookieLimits = CookieLimits(),
        at now: Date
    ) throws(ForeignText) -> Content {
        var content = Content(jar: CookieJar(limits: limits), damagedLineCount: 0)
        let lines = data.split { $0 == UInt8(ascii: "\n") || $0 == UInt8(ascii: "\r") }
        guard let first = lines.first, Self.titles.contains(where: { first.starts(with: $0.utf8) }) else {
            throw ForeignText()
        }
        for line in lines {
            let isHTTPOnly = line.starts(with: Self.hidden.utf8)
            guard isHTTPOnly || line.first != UInt8(ascii: "#") else { continue }
            let text = isHTTPOnly ? line.dropFirst(Self.hidden.utf8.count) : line
            if let cookie = Self.cookie(netscape: text, isHTTPOnly, at: now) {
                content.jar.load(cookie, lastAccess: now, at: now)
            } else {
                content.damagedLineCount += 1
            }
        }
        return content
    }

    private static let titles = ["# Netscape HTTP Cookie File", "# HTTP Cookie File"]
    private static let hidden = "#HttpOnly_"

    private static func cookie(netscape line: Data, _ isHTTPOnly: Bool, at now: Date) -> Cookie? {
        let parts = line.split(separator: UInt8(ascii: "\t"), omittingEmptySubsequences: false)
        guard parts.count == 7 else { return nil }
        let texts = parts[..<5].map { String(decoding: $0, as: UTF8.self) }
        let flags = ["TRUE": true, "FALSE": false]
        guard let isForAll = flags[texts[1]], let isSecure = flags[texts[3]], let seconds = Int64(texts[4]),
            seconds >= 0
        else { return nil }
        let domain = texts[0].hasPrefix(".") ? String(texts[0].dropFirst()) : texts[0]
        let latest = now + Double(SetCookieParser.maximumAge)
        let cookie = Cookie(
            nameBytes: Array(parts[5]),
            valueBytes: Array(parts[6]),
            domain: domain.lowercased(),
            isHostOnly: !isForAll,
            path: texts[2],
            expiry: seconds == 0 ? nil : min(Date(timeIntervalSince1970: Double(seconds)), latest),
            isSecure: isSecure,
            isHTTPOnly: isHTTPOnly,
            sameSite: .unspecified,
            creation: now
        )
        do throws(CookieViolation) {
            try cookie.validate()
            return cookie
        } catch {
            return nil
        }
    }
}
