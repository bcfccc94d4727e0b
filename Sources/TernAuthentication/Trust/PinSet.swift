// SPDX-License-Identifier: Apache-2.0
internal import TernRequests

/// The public keys that a host may use.
///
/// With ``Enforcement/enforce``, the client connects only if the verified chain contains a pinned key: the server's own
/// key, or the key of any certificate authority in the chain. Pins only add a check: the chain must still be trusted.
public struct PinSet: Hashable, Sendable {
    /// The reaction to a chain without a pinned key.
    @nonexhaustive
    public enum Enforcement: Hashable, Sendable {
        /// The client refuses the connection.
        case enforce
        /// The client connects, and reports the mismatch.
        ///
        /// Use this case to try out pins before they can lock out users.
        case reportOnly
    }

    /// The host, in lower case and without a final dot.
    public let host: String

    /// Whether the pins also apply to every subdomain of the host.
    ///
    /// Defaults to `false`.
    package var includesSubdomains: Bool

    /// The keys in use.
    package let pins: [KeyPin]

    /// The keys to use if one of ``pins`` is lost.
    ///
    /// Store their private keys separately from the private keys of ``pins``.
    package let backupPins: [KeyPin]

    /// The reaction to a chain without a pinned key.
    ///
    /// Defaults to ``Enforcement/enforce``.
    package var enforcement: Enforcement

    /// Creates a set.
    ///
    /// - Parameters:
    ///   - host: The host as in URLs. Letter case, a final dot and the notation of an IPv6 address do not matter.
    ///   - includesSubdomains: Whether the pins also apply to every subdomain. Defaults to `false`.
    ///   - pins: The keys in use. At least one.
    ///   - backupPins: The keys to use if a key in use is lost. At least one, and none that is also in `pins`.
    ///   - enforcement: The reaction to a chain without a pinned key. Defaults to ``Enforcement/enforce``.
    /// - Throws: ``PinError/noHost``, ``PinError/noPin``, ``PinError/noBackupPin`` or ``PinError/backupInUse``.
    /// - SeeAlso: RFC 7469 §4.3.
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

    /// Returns whether the pins apply to a host.
    package func applies(to host: String) -> Bool {
        let host = Self.normalized(host)
        return host == self.host || self.includesSubdomains && host.hasSuffix(".\(self.host)")
    }

    /// Returns whether the set contains one of the keys.
    ///
    /// - Parameter keys: The pins of the keys in a verified chain.
    /// - Returns: `true` if ``pins`` or ``backupPins`` contains one of the keys.
    package func matches(_ keys: [KeyPin]) -> Bool {
        keys.contains { self.pins.contains($0) || self.backupPins.contains($0) }
    }

    /// Returns the canonical text of the host, without a final dot.
    ///
    /// The zone of an IPv6 address is removed, because no certificate contains it.
    private static func normalized(_ host: String) -> String {
        String(Origin.canonicalHost(host.hasSuffix(".") ? String(host.dropLast()) : host).prefix { $0 != "%" })
    }
}

/// A report that a server's chain contains no key of a set whose enforcement is `reportOnly`.
public struct PinMismatch: Hashable, Sendable {
    /// The set that contains none of the keys in ``presented``.
    public var pinSet: PinSet
    /// The pins of the keys in the verified chain, the server's own first.
    ///
    /// With ``TrustPolicy/unverified``, only the pin of the server's own key.
    public var presented: [KeyPin]

    /// Creates a report.
    package init(pinSet: PinSet, presented: [KeyPin]) { (self.pinSet, self.presented) = (pinSet, presented) }
}
