// SPDX-License-Identifier: Apache-2.0
package import TernRequests

/// The hosts that are asked by https alone: the Known HSTS Hosts of RFC 6797.
///
/// A value: what it knows can be encoded, kept, and given to a store at the next start.
public struct StrictTransportHosts: Hashable, Codable, Sendable {
    private struct Entry: Hashable, Codable, Sendable {
        /// Seconds since 1970.
        var expiry: Int64
        var includesSubdomains: Bool
    }

    /// More hosts than a program talks to; past it the one that expires first is forgotten.
    package static let maximumCount = 10_000

    private var entries: [String: Entry] = [:]

    /// Creates a set without hosts.
    public init() {}

    /// How many hosts are known.
    package var count: Int { self.entries.count }

    /// Learns what a host said of itself.
    ///
    /// - Parameters:
    ///   - policy: what it said, over a connection whose TLS was without fault (RFC 6797 §8.1).
    ///   - host: its name; an IP address is ignored (RFC 6797 §8.1.1).
    ///   - now: the present.
    package mutating func note(_ policy: StrictTransportPolicy, of host: String, now: HTTPDate) {
        guard let name = Self.name(host) else { return }
        // "If the max-age header field value token has a value of zero, the UA MUST remove its cached HSTS Policy".
        guard policy.maximumAge > 0 else {
            self.entries[name] = nil
            return
        }
        if self.entries[name] == nil, self.entries.count >= Self.maximumCount { self.makeRoom(now) }
        let (expiry, overflows) = now.secondsSince1970.addingReportingOverflow(policy.maximumAge)
        self.entries[name] = Entry(expiry: overflows ? .max : expiry, includesSubdomains: policy.includesSubdomains)
    }

    /// Whether a host is to be asked by https alone: it is known, or one above it that speaks for all below
    /// (RFC 6797 §8.2, §8.3).
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

    /// Forgets what has expired.
    package mutating func removeExpired(now: HTTPDate) {
        self.entries = self.entries.filter { $0.value.expiry > now.secondsSince1970 }
    }

    private mutating func makeRoom(_ now: HTTPDate) {
        self.removeExpired(now: now)
        guard self.entries.count >= Self.maximumCount else { return }
        guard let first = self.entries.min(by: { $0.value.expiry < $1.value.expiry }) else { return }
        self.entries[first.key] = nil
    }

    /// The name as it is compared, without the dot at its end; `nil` for what is no name.
    private static func name(_ host: String) -> String? {
        var name = host.lowercased()
        if name.hasSuffix(".") { name.removeLast() }
        guard !name.isEmpty, !name.hasPrefix("["), !name.contains(":") else { return nil }
        // A last label of digits makes it an IPv4 address, of whatever form.
        let last = name.split(separator: ".").last ?? ""
        let isAddress = last.utf8.allSatisfy { (UInt8(ascii: "0")...UInt8(ascii: "9")).contains($0) }
        return isAddress ? nil : name
    }
}
