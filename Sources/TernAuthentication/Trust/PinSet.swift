// SPDX-License-Identifier: Apache-2.0
internal import TernRequests

/// The public keys that a host may use.
///
/// A verified chain fits if it contains a pinned key: the server's own, or that of any authority. Pins alone make no chain trusted.
public struct PinSet: Hashable, Sendable {
    /// The reaction to a chain without a pinned key.
    @nonexhaustive
    public enum Enforcement: Hashable, Sendable {
        /// The client refuses the connection, unless a delegate accepts the server.
        case enforce
        /// The client only reports the mismatch: for trying out pins before they can lock out users.
        case reportOnly
    }

    /// The host, in lower case and without a final dot.
    public let host: String

    package var includesSubdomains: Bool

    package let pins: [KeyPin]

    package let backupPins: [KeyPin]

    package var enforcement: Enforcement

    /// Creates a set (RFC 7469 §4.3).
    ///
    /// - Parameters:
    ///   - host: The host as in URLs. Letter case, a final dot and the notation of an IPv6 address do not matter.
    ///   - includesSubdomains: Whether the pins also apply to every subdomain.
    ///   - pins: The keys in use. At least one.
    ///   - backupPins: The keys to use if a key in use is lost, at least one, and none that is also in `pins`. Store their private
    ///     keys separately.
    ///   - enforcement: The reaction to a chain without a pinned key.
    /// - Throws: ``PinError/noHost``, ``PinError/noPin``, ``PinError/noBackupPin`` or ``PinError/backupInUse``.
    public init(
        host: String,
        includesSubdomains: Bool = false,
        pins: [KeyPin],
        backupPins: [KeyPin],
        enforcement: Enforcement = .enforce
    ) throws(PinError) {
        self.host = Self.normalized(host)
        guard !self.host.isEmpty else { throw .noHost }
        guard !pins.isEmpty else { throw .noPin }
        // RFC 7469 §2.5: "the host must set a Backup Pin; see Section 4.3". Without a backup pin, a lost key locks out
        // all users.
        guard !backupPins.isEmpty else { throw .noBackupPin }
        guard !backupPins.contains(where: pins.contains) else { throw .backupInUse }
        (self.pins, self.backupPins) = (pins, backupPins)
        (self.includesSubdomains, self.enforcement) = (includesSubdomains, enforcement)
    }

    package func applies(to host: String) -> Bool {
        let host = Self.normalized(host)
        return host == self.host || self.includesSubdomains && host.hasSuffix(".\(self.host)")
    }

    package func matches(_ keys: [KeyPin]) -> Bool {
        keys.contains { self.pins.contains($0) || self.backupPins.contains($0) }
    }

    /// Removes the zone of an IPv6 address, because no certificate contains it.
    private static func normalized(_ host: String) -> String {
        String(Origin.canonicalHost(host.hasSuffix(".") ? String(host.dropLast()) : host).prefix { $0 != "%" })
    }
}

/// A report that a server's chain contains no key of a set whose enforcement is `reportOnly`.
public struct PinMismatch: Hashable, Sendable {
    /// The set that contains none of the keys in ``presented``.
    public var pinSet: PinSet
    /// The pins of the verified chain, the server's own first; with ``TrustPolicy/unverified``, only the server's own.
    public var presented: [KeyPin]

    package init(pinSet: PinSet, presented: [KeyPin]) { (self.pinSet, self.presented) = (pinSet, presented) }
}
