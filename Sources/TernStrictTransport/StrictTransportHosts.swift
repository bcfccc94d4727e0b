// SPDX-License-Identifier: Apache-2.0
package import TernRequests

/// The hosts that a client reaches only over HTTPS: the Known HSTS Hosts of RFC 6797.
///
/// The set is a value: an app can encode and save it, and give it to a store at the next start.
public struct StrictTransportHosts: Hashable, Codable, Sendable {
    private struct Entry: Hashable, Codable, Sendable {
        /// The time of the expiry, in seconds since 1970.
        var expiry: Int64
        var includesSubdomains: Bool
        /// The length of the policy in seconds; `nil` in a set that an earlier version saved.
        var maximumAge: Int64?
    }

    /// The maximum number of hosts, which is more than a program talks to.
    ///
    /// If a new host would exceed this number, the host that expires first is removed.
    package static let maximumCount = 10_000

    private var entries: [String: Entry] = [:]

    /// Creates a set without hosts.
    public init() {}

    /// The number of hosts in the set, including those whose policies have expired.
    package var count: Int { self.entries.count }

    /// Stores the policy of a host.
    ///
    /// - Parameters:
    ///   - policy: The policy, received over a connection without TLS errors (RFC 6797 §8.1).
    ///   - host: The name of the host. An IP address is ignored (RFC 6797 §8.1.1).
    ///   - now: The current time.
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
    ///
    /// - Parameter now: The current time.
    package mutating func shorten(now: HTTPDate) {
        for (name, entry) in self.entries {
            guard let maximumAge = entry.maximumAge else { continue }
            let latest = Self.expiry(of: maximumAge, now)
            if entry.expiry > latest { self.entries[name]?.expiry = latest }
        }
    }

    /// Returns whether a client must reach a host only over HTTPS (RFC 6797 §8.2, §8.3).
    ///
    /// That is so if the host is known, or if a domain above it is known and that domain's policy includes subdomains.
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

    /// Removes expired entries.
    package mutating func removeExpired(now: HTTPDate) {
        self.entries = self.entries.filter { $0.value.expiry > now.secondsSince1970 }
    }

    private mutating func makeRoom(_ now: HTTPDate) {
        self.removeExpired(now: now)
        guard self.entries.count >= Self.maximumCount else { return }
        guard let first = self.entries.min(by: { $0.value.expiry < $1.value.expiry }) else { return }
        self.entries[first.key] = nil
    }

    /// Returns the name in lower case and without a final dot, for comparisons; `nil` if the text is not a name.
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
