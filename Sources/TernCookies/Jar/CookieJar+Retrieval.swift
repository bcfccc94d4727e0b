// SPDX-License-Identifier: Apache-2.0
public import TernFoundation

extension CookieJar {
    /// Returns the cookies to send with a request, longer paths first and then older cookies (RFC 6265bis §5.8.3).
    ///
    /// Cookies beyond the length in ``CookieLimits`` are left out. The jar records the time of this use for later evictions.
    ///
    /// - Parameters:
    ///   - request: The request.
    ///   - now: The current time.
    /// - Returns: The cookies, in the order in which they are sent.
    public mutating func cookies(for request: CookieRequest, at now: Date) -> [Cookie] {
        self.removeExpired(at: now)
        guard self.count > 0 else { return [] }
        var found: [Entry] = []
        for domain in Self.domains(of: request.host) {
            guard let all = self.entries[domain] else { continue }
            found += all.filter { Self.isSent($0.cookie, with: request) }
        }
        // "Cookies with longer paths are listed before cookies with shorter paths. Among cookies that have equal-length
        // path fields, cookies with earlier creation-times are listed before cookies with later creation-times."
        found.sort { one, other in
            let lengths = (one.cookie.path.utf8.count, other.cookie.path.utf8.count)
            if lengths.0 != lengths.1 { return lengths.0 > lengths.1 }
            if one.cookie.creation != other.cookie.creation { return one.cookie.creation < other.cookie.creation }
            return one.ordinal < other.ordinal
        }
        found = self.fitting(found)
        self.use(found, at: now)
        return found.map(\.cookie)
    }

    /// Returns the host and the domains above it; for an address, only the address.
    private static func domains(of host: String) -> [String] {
        guard !CookieHost.isIPAddress(host) else { return [host] }
        var domains = [host]
        var rest = host[...]
        while let dot = rest.firstIndex(of: ".") {
            rest = rest[rest.index(after: dot)...]
            domains.append(String(rest))
        }
        return domains
    }

    private static func isSent(_ cookie: Cookie, with request: CookieRequest) -> Bool {
        // "The cookie's host-only-flag is true and retrieval-host-canonical is identical to the cookie's domain"; or
        // the host domain-matches the cookie's domain, and "the cookie's domain is not a public suffix". The caller
        // passes only cookies that domain-match. The jar stores a cookie whose domain is a public suffix only if the
        // cookie is host-only.
        guard !cookie.isHostOnly || cookie.domain == request.host else { return false }
        guard CookiePath.matches(request.path, cookiePath: cookie.path) else { return false }
        guard request.isSecure || !cookie.isSecure else { return false }
        switch (request.cause, cookie.sameSite) {
        case (.sameSite, _), (_, .none): return true
        case (.crossSiteNavigation(let isSafe), .lax), (.crossSiteNavigation(let isSafe), .unspecified): return isSafe
        default: return false
        }
    }

    private func fitting(_ found: [Entry]) -> [Entry] {
        var rest = self.limits.maximumFieldByteCount
        return found.filter { entry in
            let byteCount = entry.cookie.nameBytes.count + entry.cookie.valueBytes.count + 3  // "=" and "; "
            guard byteCount <= rest else { return false }
            rest -= byteCount
            return true
        }
    }

    private mutating func use(_ found: [Entry], at now: Date) {
        let access = self.access(at: now)
        for entry in found {
            let domain = entry.cookie.domain
            guard let index = self.entries[domain]?.firstIndex(where: { $0.ordinal == entry.ordinal }) else { continue }
            self.use(index, of: domain, at: access)
        }
    }
}
