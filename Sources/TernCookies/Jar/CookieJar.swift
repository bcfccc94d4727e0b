// SPDX-License-Identifier: Apache-2.0
public import TernValues

#if canImport(FoundationEssentials)
public import FoundationEssentials
#else
public import Foundation
#endif

/// Cookies, and the rules by which they come, go and are sent (RFC 6265bis §5.7, §5.8).
///
/// A value without a clock: the caller says what time it is. A ``MemoryCookieStore`` is one that tasks share.
///
/// ```swift
/// var jar = CookieJar()
/// let request = CookieRequest(host: "example.com", isSecure: true)
/// try jar.receive(SetCookie(parsing: field.span), from: request, at: now)
/// let cookies = jar.cookies(for: request, at: now)
/// ```
public struct CookieJar: Sendable {
    /// A cookie and what the jar knows about it.
    struct Entry: Hashable, Sendable {
        var cookie: Cookie
        /// When it was last sent, or received.
        var lastAccess: Date
        /// Which came first, where the time is the same.
        var ordinal: UInt64
    }

    /// How much is kept.
    package let limits: CookieLimits
    /// How many cookies there are.
    package internal(set) var count = 0
    /// Goes up with each change that a file would have to keep; sending a cookie is not a change.
    package internal(set) var revision = 0

    var suffixes: PublicSuffixList { .shipped }
    /// The cookies by their domain, so that a request looks only at what it may bring.
    var entries: [String: [Entry]] = [:]
    var nextOrdinal: UInt64 = 0
    /// No cookie ends before this.
    var earliestExpiry = Date.distantFuture

    /// Creates an empty jar.
    ///
    /// - Parameter limits: how much it keeps; the defaults by default.
    public init(limits: CookieLimits = CookieLimits()) { self.limits = limits }

    /// All cookies, those that came first first; some may have ended.
    public var cookies: [Cookie] { self.sortedEntries.map(\.cookie) }

    var sortedEntries: [Entry] { self.entries.values.joined().sorted { $0.ordinal < $1.ordinal } }

    // MARK: By hand

    /// Keeps a cookie that the application has, in place of one of the same name, domain and path.
    ///
    /// - Parameters:
    ///   - cookie: the cookie; one that has ended removes the other.
    ///   - now: the present.
    /// - Throws: ``CookieViolation/publicSuffix`` if it is for all of a registry.
    public mutating func insert(_ cookie: Cookie, at now: Date) throws(CookieViolation) {
        guard cookie.isHostOnly || !self.suffixes.isPublicSuffix(cookie.domain) else { throw .publicSuffix }
        self.removeExpired(at: now)
        self.put(cookie, lastAccess: now, at: now)
    }

    /// Forgets cookies.
    ///
    /// - Parameter isUnwanted: says of each whether it goes.
    public mutating func remove(where isUnwanted: (Cookie) -> Bool) {
        for (domain, all) in self.entries {
            let rest = all.filter { !isUnwanted($0.cookie) }
            guard rest.count < all.count else { continue }
            self.entries[domain] = rest.isEmpty ? nil : rest
            self.count -= all.count - rest.count
            self.revision += 1
        }
    }

    /// Forgets the cookies that have no expiry date.
    ///
    /// "When "the current session is over" (as defined by the user agent), the user agent MUST remove from the cookie
    /// store all cookies with the persistent-flag set to false" (RFC 6265bis §5.7). When it is, the application knows.
    package mutating func endSession() { self.remove(where: \.isSessionCookie) }

    // MARK: Keeping

    /// Puts a cookie in the place of its predecessor, and makes room.
    mutating func put(_ cookie: Cookie, lastAccess: Date, at now: Date) {
        var all = self.entries[cookie.domain] ?? []
        var entry = Entry(cookie: cookie, lastAccess: lastAccess, ordinal: self.nextOrdinal)
        self.nextOrdinal += 1
        if let index = all.firstIndex(where: { $0.cookie.replaces(cookie) }) {
            // "Update the creation-time of the newly-created cookie to match the creation-time of the old-cookie."
            entry.cookie = cookie.created(at: all[index].cookie.creation)
            entry.ordinal = all[index].ordinal
            all.remove(at: index)
            self.count -= 1
            self.revision += 1
        }
        // One that has ended is evicted at once: so a server removes a cookie.
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
    /// How many cookies there are.
    package var wording: String { "CookieJar of \(self.count)" }
}

extension Cookie {
    /// "the same name, domain, host-only-flag, and path" (RFC 6265bis §5.7, step 23).
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
    /// Forgets what has ended.
    ///
    /// "The user agent MUST evict all expired cookies from the cookie store if, at any time, an expired cookie exists in the
    /// cookie store" (RFC 6265bis §5.7). Everything else that the jar does begins with it.
    ///
    /// - Parameter now: the present.
    package mutating func removeExpired(at now: Date) {
        guard self.earliestExpiry < now else { return }
        self.remove { $0.isExpired(at: now) }
        self.earliestExpiry = self.entries.values.joined().lazy.compactMap(\.cookie.expiry).min() ?? .distantFuture
    }

    /// Evicts cookies until the limits hold.
    ///
    /// "When the user agent removes excess cookies from the cookie store, the user agent MUST evict cookies in the following
    /// priority order: 1. Expired cookies." They are gone already. "2. Cookies whose secure-only-flag is false, and which
    /// share a domain field with more than a predetermined number of other cookies. 3. Cookies that share a domain field
    /// with more than a predetermined number of other cookies. 4. All cookies."
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

    /// The one that goes first.
    ///
    /// "If two cookies have the same removal priority, the user agent MUST evict the cookie with the earliest
    /// last-access-time first."
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
