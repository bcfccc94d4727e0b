// SPDX-License-Identifier: Apache-2.0
public import TernFoundation
public import TernValues

/// Stores cookies, with the rules for accepting, expiring and sending them (RFC 6265bis §5.7, §5.8).
///
/// A jar is a value without a clock: the caller passes the current time. To share a jar between tasks, use a
/// ``MemoryCookieStore``.
///
/// ```swift
/// var jar = CookieJar()
/// let request = CookieRequest(host: "example.com", isSecure: true)
/// try jar.receive(SetCookie(parsing: field.span), from: request, at: now)
/// let cookies = jar.cookies(for: request, at: now)
/// ```
public struct CookieJar: Sendable {
    /// The state that the jar keeps for a cookie.
    struct Entry: Hashable, Sendable {
        var cookie: Cookie
        var lastAccess: Date
        /// The position in the order of arrival, which decides between cookies with the same time.
        var ordinal: UInt64
    }

    package let limits: CookieLimits
    package internal(set) var count = 0
    /// A number that increases with each change that must be saved to a file, but not when a cookie is sent.
    package internal(set) var revision = 0

    var suffixes: PublicSuffixList { .bundled }
    var entries: [String: [Entry]] = [:]
    var nextOrdinal: UInt64 = 0
    var earliestExpiry = Date.distantFuture
    private var latestAccess = Date.distantPast

    /// Creates an empty jar with limits.
    public init(limits: CookieLimits = CookieLimits()) { self.limits = limits }

    /// All cookies in the order of their first arrival, possibly including expired ones.
    public var cookies: [Cookie] { self.sortedEntries.map(\.cookie) }

    var sortedEntries: [Entry] { self.entries.values.joined().sorted { $0.ordinal < $1.ordinal } }

    // MARK: Cookies from the application

    /// Stores a cookie from the application, in place of one with the same name, domain, ``Cookie/isHostOnly`` and path.
    ///
    /// If the cookie has expired, the earlier one is only removed.
    ///
    /// - Parameters:
    ///   - cookie: The cookie.
    ///   - now: The current time.
    /// - Throws: ``CookieViolation/publicSuffix`` if the cookie is for all domains under a public suffix.
    public mutating func insert(_ cookie: Cookie, at now: Date) throws(CookieViolation) {
        guard cookie.isHostOnly || !self.suffixes.isPublicSuffix(cookie.domain) else { throw .publicSuffix }
        self.removeExpired(at: now)
        let access = self.access(at: now)
        self.put(cookie, lastAccess: access, at: now)
    }

    /// Removes the cookies for which a closure returns `true`.
    public mutating func remove(where isUnwanted: (Cookie) -> Bool) {
        for (domain, all) in self.entries {
            let rest = all.filter { !isUnwanted($0.cookie) }
            guard rest.count < all.count else { continue }
            self.entries[domain] = rest.isEmpty ? nil : rest
            self.count -= all.count - rest.count
            self.revision += 1
        }
    }

    /// Removes the session cookies (RFC 6265bis §5.7); the application decides when a session is over.
    package mutating func endSession() { self.remove(where: \.isSessionCookie) }

    // MARK: Storing

    /// Returns `now`, or a time after all others if the clock was set back: otherwise, a full jar would evict each new cookie at
    /// once.
    func access(at now: Date) -> Date { now < self.latestAccess ? self.latestAccess.addingTimeInterval(0.001) : now }

    mutating func use(_ index: Int, of domain: String, at access: Date) {
        self.entries[domain]?[index].lastAccess = access
        self.latestAccess = max(self.latestAccess, access)
    }

    mutating func put(_ cookie: Cookie, lastAccess: Date, at now: Date) {
        var all = self.entries[cookie.domain] ?? []
        var entry = Entry(cookie: cookie, lastAccess: lastAccess, ordinal: self.nextOrdinal)
        self.nextOrdinal += 1
        self.latestAccess = max(self.latestAccess, lastAccess)
        if let index = all.firstIndex(where: { $0.cookie.replaces(cookie) }) {
            // "Update the creation-time of the newly-created cookie to match the creation-time of the old-cookie."
            entry.cookie = cookie.created(at: all[index].cookie.creation)
            entry.ordinal = all[index].ordinal
            all.remove(at: index)
            self.count -= 1
            self.revision += 1
        }
        // A server removes a cookie by sending an expired one, which is not stored.
        if !cookie.isExpired(at: now) {
            all.append(entry)
            self.count += 1
            self.revision += 1
            self.earliestExpiry = min(self.earliestExpiry, cookie.expiry ?? .distantFuture)
        }
        self.entries[cookie.domain] = all.isEmpty ? nil : all
        self.removeExcess(in: cookie.domain)
    }
}

extension CookieJar: CustomStringConvertible, Described {
    package var wording: String { "CookieJar of \(self.count)" }
}

extension Cookie {
    /// Returns whether both cookies have "the same name, domain, host-only-flag, and path" (RFC 6265bis §5.7, step 23).
    fileprivate func replaces(_ other: Cookie) -> Bool {
        self.nameBytes == other.nameBytes && self.domain == other.domain && self.isHostOnly == other.isHostOnly
            && self.path == other.path
    }

    fileprivate func created(at creation: Date) -> Cookie {
        Cookie(
            nameBytes: self.nameBytes,
            valueBytes: self.valueBytes,
            domain: self.domain,
            isHostOnly: self.isHostOnly,
            path: self.path,
            expiry: self.expiry,
            isSecure: self.isSecure,
            isHTTPOnly: self.isHTTPOnly,
            sameSite: self.sameSite,
            creation: creation
        )
    }
}

extension CookieJar {
    /// The client "MUST evict all expired cookies from the cookie store if, at any time, an expired cookie exists" (RFC 6265bis
    /// §5.7).
    package mutating func removeExpired(at now: Date) {
        guard self.earliestExpiry < now else { return }
        self.remove { $0.isExpired(at: now) }
        self.earliestExpiry = self.entries.values.joined().lazy.compactMap(\.cookie.expiry).min() ?? .distantFuture
    }

    /// Evicts, after expired cookies, first those without `Secure` and then all of a domain "with more than a predetermined
    /// number of other cookies", then "all cookies".
    mutating func removeExcess(in domain: String) {
        while let all = self.entries[domain], all.count > max(0, self.limits.maximumCookiesPerDomain) {
            let candidates = all.contains { !$0.cookie.isSecure } ? all.filter { !$0.cookie.isSecure } : all
            guard let oldest = Self.leastRecent(candidates) else { return }
            self.evict(oldest)
        }
        while self.count > max(0, self.limits.maximumCookieCount) {
            guard let oldest = Self.leastRecent(self.entries.values.joined()) else { return }
            self.evict(oldest)
        }
    }

    /// The client "MUST evict the cookie with the earliest last-access-time first".
    private static func leastRecent(_ entries: some Sequence<Entry>) -> Entry? {
        entries.min { one, other in
            one.lastAccess != other.lastAccess ? one.lastAccess < other.lastAccess : one.ordinal < other.ordinal
        }
    }

    private mutating func evict(_ entry: Entry) {
        guard var all = self.entries[entry.cookie.domain],
            let index = all.firstIndex(where: { $0.ordinal == entry.ordinal })
        else { return }
        all.remove(at: index)
        self.entries[entry.cookie.domain] = all.isEmpty ? nil : all
        self.count -= 1
        self.revision += 1
    }
}
