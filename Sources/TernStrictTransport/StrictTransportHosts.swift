// SPDX-License-Identifier: Apache-2.0
package import TernRequests

/// The hosts that a client reaches only over HTTPS: the Known HSTS Hosts of RFC 6797; an app can save them.
public struct StrictTransportHosts: Hashable, Codable, Sendable {
    private struct Entry: Hashable, Codable, Sendable {
        var expiry: Int64
        var includesSubdomains: Bool
        /// The length of the policy in seconds; `nil` in a set that an earlier version saved.
        var maximumAge: Int64?
    }

    /// The maximum number of hosts that demand https.
    ///
    /// Beyond it, the host that expires first is removed.
    package static let maximumCount = 10_000

    private var entries: [String: Entry] = [:]

    /// Creates a set without hosts.
    public init() {}

    package var count: Int { self.entries.count }

    /// Stores the policy of a host, or removes it if its age is 0; ignores an IP address (RFC 6797 §8.1.1).
    package mutating func note(_ policy: StrictTransportPolicy, of host: String, now: HTTPDate) {
        guard let name = Self.name(host) else { return }
        // "If the max-age header field value token has a value of zero, the UA MUST remove its cached HSTS Policy".
        guard policy.maximumAge > 0 else {
            self.entries[name] = nil
            return
        }
        if self.entries[name] == nil, self.entries.count >= Self.maximumCount { self.makeRoom(now) }
        self.entries[name] = Entry(
            expiry: Self.expiry(of: policy.maximumAge, now),
            includesSubdomains: policy.includesSubdomains,
            maximumAge: policy.maximumAge
        )
    }

    private static func expiry(of maximumAge: Int64, _ now: HTTPDate) -> Int64 {
        let (expiry, overflows) = now.secondsSince1970.addingReportingOverflow(maximumAge)
        return overflows ? .max : expiry
    }

    /// Shortens the policies that would be in force for longer than the host said, because the clock was set back.
    package mutating func shorten(now: HTTPDate) {
        for (name, entry) in self.entries {
            guard let maximumAge = entry.maximumAge else { continue }
            let latest = Self.expiry(of: maximumAge, now)
            if entry.expiry > latest { self.entries[name]?.expiry = latest }
        }
    }

    /// Returns whether the host, or a domain above it whose policy includes subdomains, is known (RFC 6797 §8.2, §8.3).
    package func contains(_ host: String, now: HTTPDate) -> Bool {
        guard !self.entries.isEmpty, let name = Self.name(host) else { return false }
        var domain = Substring(name)
        while !domain.isEmpty {
            if let entry = self.entries[String(domain)], entry.expiry > now.secondsSince1970,
                entry.includesSubdomains || domain.utf8.count == name.utf8.count
            {
                return true
            }
            guard let dot = domain.firstIndex(of: ".") else { break }
            domain = domain[domain.index(after: dot)...]
        }
        return false
    }

    package mutating func removeExpired(now: HTTPDate) {
        self.entries = self.entries.filter { $0.value.expiry > now.secondsSince1970 }
    }

    private mutating func makeRoom(_ now: HTTPDate) {
        self.removeExpired(now: now)
        guard self.entries.count >= Self.maximumCount else { return }
        guard let first = self.entries.min(by: { $0.value.expiry < $1.value.expiry }) else { return }
        self.entries[first.key] = nil
    }

    private static func name(_ host: String) -> String? {
        var name = host.lowercased()
        if name.hasSuffix(".") { name.removeLast() }
        guard !name.isEmpty, !name.hasPrefix("["), !name.contains(":") else { return nil }
        // A host whose last label consists of digits is an IPv4 address, in whatever notation.
        let last = name.split(separator: ".").last ?? ""
        let isAddress = last.utf8.allSatisfy { (UInt8(ascii: "0")...UInt8(ascii: "9")).contains($0) }
        return isAddress ? nil : name
    }
}
