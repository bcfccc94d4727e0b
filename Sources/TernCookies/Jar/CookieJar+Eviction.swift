// SPDX-License-Identifier: Apache-2.0

#if canImport(FoundationEssentials)
public import FoundationEssentials
#else
public import Foundation
#endif

extension CookieJar {
    /// Forgets what has ended.
    ///
    /// "The user agent MUST evict all expired cookies from the cookie store if, at any time, an expired cookie exists in the
    /// cookie store" (RFC 6265bis §5.7). Everything else that the jar does begins with it.
    ///
    /// - Parameter now: the present.
    public mutating func removeExpired(at now: Date) {
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
