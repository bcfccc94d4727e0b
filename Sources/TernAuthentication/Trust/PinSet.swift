// SPDX-License-Identifier: Apache-2.0
internal import TernRequests

/// The keys that a host may use.
///
/// A connection is made only if a key in the verified chain, the server's own or that of an authority above it, is
/// pinned. Pins narrow trust: the chain has to be trusted as well.
public struct PinSet: Hashable, Sendable {
    /// What happens if no pin matches.
    @nonexhaustive
    public enum Enforcement: Hashable, Sendable {
        /// The connection is refused.
        case enforce
        /// The connection is made, and the mismatch reported: for trying pins out before they can lock users out.
        case reportOnly
    }

    /// The host, in lower case and without a final dot.
    public let host: String

    /// Whether the pins are also for every host below the host; `false` by default.
    package var includesSubdomains: Bool

    /// The keys in use.
    package let pins: [KeyPin]

    /// The keys that will be used if one of ``pins`` is lost; their private halves are kept apart from those.
    package let backupPins: [KeyPin]

    /// What happens if no pin matches; ``Enforcement/enforce`` by default.
    package var enforcement: Enforcement

    /// Creates a set.
    ///
    /// - Parameters:
    ///   - host: the host as it is in URLs; letter case and a final dot do not matter, nor in which form an IPv6
    ///     address is written.
    ///   - includesSubdomains: whether the pins are also for every host below it; `false` by default.
    ///   - pins: the keys in use; at least one.
    ///   - backupPins: keys for the case that one is lost; at least one, and none of `pins`.
    ///   - enforcement: whether a mismatch is refused, the default, or only reported.
    /// - Throws: ``PinError/noHost``, ``PinError/noPin``, ``PinError/noBackupPin`` or
    ///   ``PinError/backupInUse``.
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
        // RFC 7469 §2.5: "the host must set a Backup Pin; see Section 4.3"; without one a lost key locks all users out.
        guard !backupPins.isEmpty else { throw .noBackupPin }
        guard !backupPins.contains(where: pins.contains) else { throw .backupInUse }
        (self.pins, self.backupPins) = (pins, backupPins)
        (self.includesSubdomains, self.enforcement) = (includesSubdomains, enforcement)
    }

    /// Whether the pins are for a host.
    package func applies(to host: String) -> Bool {
        let host = Self.normalized(host)
        return host == self.host || self.includesSubdomains && host.hasSuffix(".\(self.host)")
    }

    /// Whether one of the keys is pinned.
    ///
    /// - Parameter keys: the pins of the keys in a verified chain.
    /// - Returns: whether one is among ``pins`` or ``backupPins``.
    package func matches(_ keys: [KeyPin]) -> Bool {
        keys.contains { self.pins.contains($0) || self.backupPins.contains($0) }
    }

    /// The one text of the host, without a final dot, and without the zone of an address, of which no server knows.
    private static func normalized(_ host: String) -> String {
        String(Origin.canonicalHost(host.hasSuffix(".") ? String(host.dropLast()) : host).prefix { $0 != "%" })
    }
}

/// A mismatch that is reported and not enforced.
public struct PinReport: Hashable, Sendable {
    /// The set in which no pin matched.
    public var pinSet: PinSet
    /// The pins of the keys that there were instead, the server's first.
    public var presented: [KeyPin]

    /// Creates a report.
    package init(pinSet: PinSet, presented: [KeyPin]) { (self.pinSet, self.presented) = (pinSet, presented) }
}
