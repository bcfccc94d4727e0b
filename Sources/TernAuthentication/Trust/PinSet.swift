// SPDX-License-Identifier: Apache-2.0
internal import TernRequests

/// The keys that a host may use.
///
/// The client connects only if the verified chain contains a pinned key: the server's own, or the key of an authority
/// above it. Pins restrict trust; the chain must be trusted as well.
public struct PinSet: Hashable, Sendable {
    /// The reaction to a chain without a pinned key.
    @nonexhaustive
    public enum Enforcement: Hashable, Sendable {
        /// The client refuses the connection.
        case enforce
        /// The client connects, and reports the mismatch.
        ///
        /// Use it to try out pins before they can lock out users.
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
    ///   - pins: The keys in use, at least one.
    ///   - backupPins: The keys to use if one is lost. At least one, and none of `pins`.
    ///   - enforcement: The reaction to a mismatch. Defaults to ``Enforcement/enforce``.
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
        // RFC 7469 §2.5: "the host must set a Backup Pin; see Section 4.3". Without one, a lost key locks out all
        // users.
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

    /// Returns whether one of the keys is pinned.
    ///
    /// - Parameter keys: The pins of the keys in a verified chain.
    /// - Returns: Whether ``pins`` or ``backupPins`` contains one of them.
    package func matches(_ keys: [KeyPin]) -> Bool {
        keys.contains { self.pins.contains($0) || self.backupPins.contains($0) }
    }

    /// Returns the canonical text of the host, without a final dot, and without an address's zone, which no server
    /// knows.
    private static func normalized(_ host: String) -> String {
        String(Origin.canonicalHost(host.hasSuffix(".") ? String(host.dropLast()) : host).prefix { $0 != "%" })
    }
}

/// A pin mismatch that is reported and not enforced.
public struct PinMismatch: Hashable, Sendable {
    /// The set in which no pin matched.
    public var pinSet: PinSet
    /// The pins of the presented keys, the server's own first.
    public var presented: [KeyPin]

    /// Creates a report.
    package init(pinSet: PinSet, presented: [KeyPin]) { (self.pinSet, self.presented) = (pinSet, presented) }
}
