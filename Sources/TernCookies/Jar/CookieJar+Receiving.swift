// SPDX-License-Identifier: Apache-2.0
public import TernFoundation

extension CookieJar {
    /// Stores the cookie of a response, within the jar's limits, or throws ``CookieViolation`` if a rule forbids it (RFC 6265bis
    /// §5.7); an expired cookie only removes an earlier one.
    public mutating func receive(
        _ field: SetCookie,
        from request: CookieRequest,
        at now: Date
    ) throws(CookieViolation) {
        self.removeExpired(at: now)
        try Cookie.checkContent(field.nameBytes, field.valueBytes)  // steps 2 to 4
        let domain = try self.domain(of: field, from: request)
        let cookie = Cookie(
            nameBytes: field.nameBytes,
            valueBytes: field.valueBytes,
            domain: domain ?? request.host,
            isHostOnly: domain == nil,
            path: field.path(for: request),
            expiry: field.expiry(at: now),
            isSecure: field.isSecure,
            isHTTPOnly: field.isHTTPOnly,
            sameSite: field.sameSite,
            creation: now
        )
        try cookie.checkPlace()
        try self.check(cookie, from: request)
        try cookie.checkPrefixes(hasRootPath: field.path != nil && cookie.path == "/")  // steps 20 to 22
        let access = self.access(at: now)
        self.put(cookie, lastAccess: access, at: now)  // steps 23 and 24
    }

    /// Steps 7 to 10; `nil` if the cookie is only for the host itself.
    private func domain(of field: SetCookie, from request: CookieRequest) throws(CookieViolation) -> String? {
        guard let bytes = field.domainBytes, !bytes.isEmpty else { return nil }
        // "If the domain-attribute contains a character that is not in the range of [USASCII] characters: Abort these
        // steps and ignore the cookie entirely."
        guard bytes.allSatisfy({ $0 < 0x80 }) else { throw .malformedDomain }
        let domain = String(decoding: bytes, as: UTF8.self)
        if self.suffixes.isPublicSuffix(domain) {
            // "If the domain-attribute is identical to the canonicalized request-host: Let the domain-attribute be the
            // empty string. Otherwise: Abort these steps and ignore the cookie entirely."
            guard domain == request.host else { throw .publicSuffix }
            return nil
        }
        // "If the canonicalized request-host does not domain-match the domain-attribute: Abort these steps and ignore
        // the cookie entirely."
        guard CookieHost.matches(request.host, domain: domain) else { throw .foreignDomain }
        return domain
    }

    /// Steps 13, 16, 18 and 19.
    private func check(_ cookie: Cookie, from request: CookieRequest) throws(CookieViolation) {
        if !request.isSecure {
            // "If the request-uri does not denote a "secure" connection, and the cookie's secure-only-flag is true,
            // then abort these steps and ignore the cookie entirely."
            if cookie.isSecure { throw .insecure }
            if self.hasSecure(over: cookie) { throw .overlaysSecure }
        }
        switch cookie.sameSite {
        case .none: if !cookie.isSecure { throw .insecureCrossSite }
        case .unspecified, .lax, .strict:
            // A navigation from another site may set a cookie, even one that the client does not send with such a
            // navigation.
            if request.cause == .crossSite { throw .crossSite }
        }
    }

    /// Returns whether a cookie from plain HTTP would hide a stored `Secure` cookie (step 16, "leave secure cookies alone").
    private func hasSecure(over cookie: Cookie) -> Bool {
        self.entries.contains { domain, all in
            guard CookieHost.matches(domain, domain: cookie.domain) || CookieHost.matches(cookie.domain, domain: domain)
            else { return false }
            return all.contains { entry in
                entry.cookie.isSecure && entry.cookie.nameBytes == cookie.nameBytes
                    && CookiePath.matches(cookie.path, cookiePath: entry.cookie.path)
            }
        }
    }
}

extension SetCookie {
    /// Step 11.
    fileprivate func path(for request: CookieRequest) -> String {
        if case .path(let path) = self.path { return path }
        return CookiePath.defaultPath(of: request.path)
    }

    /// Step 6: `Max-Age` takes precedence over `Expires`, and both are limited to 400 days (§5.5).
    fileprivate func expiry(at now: Date) -> Date? {
        if let maximumAge {
            // "If delta-seconds is less than or equal to zero (0), let expiry-time be the earliest representable date".
            return maximumAge == 0 ? .distantPast : now + Double(maximumAge)
        }
        return self.expires.map { min($0, now + Double(SetCookieParser.maximumAge)) }
    }
}
