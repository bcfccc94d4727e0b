// SPDX-License-Identifier: Apache-2.0
internal import Crypto
internal import TernRequests

#if canImport(FoundationEssentials)
public import FoundationEssentials
#else
public import Foundation
#endif

/// The keys that a host may use.
///
/// A connection is made only if a key in the verified chain, the server's own or that of an authority above it, is
/// pinned. Pins narrow trust: the chain has to be trusted as well.
public struct PinSet: Hashable, Sendable {
    /// What happens if no pin matches.
    public enum Enforcement: Hashable, Sendable {
        /// The connection is refused.
        case enforce
        /// The connection is made, and the mismatch reported: for trying pins out before they can lock users out.
        case reportOnly
    }

    /// The host, in lower case and without a final dot.
    public let host: String

    /// Whether the pins are also for every host below the host; `false` by default.
    public var includesSubdomains: Bool

    /// The keys in use.
    public let pins: [KeyPin]

    /// The keys that will be used if one of ``pins`` is lost; their private halves are kept apart from those.
    public let backupPins: [KeyPin]

    /// What happens if no pin matches; ``Enforcement/enforce`` by default.
    public var enforcement: Enforcement

    /// Creates a set.
    ///
    /// - Parameters:
    ///   - host: the host as it is in URLs; letter case and a final dot do not matter, nor in which form an IPv6
    ///     address is written.
    ///   - includesSubdomains: whether the pins are also for every host below it; `false` by default.
    ///   - pins: the keys in use; at least one.
    ///   - backupPins: keys for the case that one is lost; at least one, and none of `pins`.
    ///   - enforcement: whether a mismatch is refused, the default, or only reported.
    /// - Throws: ``PinViolation/noHost``, ``PinViolation/noPin``, ``PinViolation/noBackupPin`` or
    ///   ``PinViolation/backupInUse``.
    /// - SeeAlso: RFC 7469 §4.3.
    public init(
        host: String,
        includesSubdomains: Bool = false,
        pins: [KeyPin],
        backupPins: [KeyPin],
        enforcement: Enforcement = .enforce
    ) throws(PinViolation) {
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

/// The fingerprint of a public key: the SHA-256 of its SubjectPublicKeyInfo (RFC 7469 §2.4).
///
/// A key outlives its certificates: a renewed certificate with the same key has the same pin.
///
/// ```sh
/// openssl x509 -in server.pem -pubkey -noout | openssl pkey -pubin -outform der | openssl dgst -sha256 -binary | base64
/// ```
public struct KeyPin: Hashable, Sendable {
    /// The length of a SHA-256 digest.
    private static let digestByteCount = 32
    private static let prefix = "sha256/"

    /// The digest: 32 bytes.
    public let sha256: [UInt8]

    /// Creates a pin from a digest.
    ///
    /// - Parameter digest: the SHA-256 of a SubjectPublicKeyInfo in DER form.
    /// - Throws: ``PinViolation/malformedPin`` unless it has 32 bytes.
    public init(sha256 digest: [UInt8]) throws(PinViolation) {
        guard digest.count == Self.digestByteCount else { throw .malformedPin }
        self.sha256 = digest
    }

    /// Creates a pin from its usual notation, which curl, Android and Apple use, too.
    ///
    /// - Parameter text: the digest in base64 (RFC 4648 §4, with padding), with or without `sha256/` before it.
    /// - Throws: ``PinViolation/malformedPin`` if that is not what it is.
    public init(base64 text: String) throws(PinViolation) {
        let digits = text.hasPrefix(Self.prefix) ? String(text.dropFirst(Self.prefix.count)) : text
        guard let data = Data(base64Encoded: digits) else { throw .malformedPin }
        try self.init(sha256: [UInt8](data))
    }

    /// Creates the pin of a key.
    ///
    /// - Parameter bytes: the key's SubjectPublicKeyInfo in DER form (RFC 5280 §4.1.2.7).
    public init(subjectPublicKeyInfo bytes: some Sequence<UInt8>) {
        self.sha256 = Array(SHA256.hash(data: Array(bytes)))
    }
}

extension KeyPin: CustomStringConvertible {
    /// The usual notation: `sha256/` and the digest in base64.
    public var description: String { Self.prefix + Data(self.sha256).base64EncodedString() }
}

/// Why pins cannot be used as they are written.
public enum PinViolation: Error, Hashable, Sendable {
    /// A pin is not a SHA-256 digest: 32 bytes, or these in base64.
    case malformedPin
    /// A set has no pin at all.
    case noPin
    /// A set has no backup pin, so that the loss of one key would lock all users out (RFC 7469 §4.3).
    case noBackupPin
    /// A backup pin is among the pins, so that it is no backup.
    case backupInUse
    /// The host of a set is empty.
    case noHost
}

extension PinViolation: CustomStringConvertible {
    /// What is wrong, in a few words.
    public var description: String {
        switch self {
        case .malformedPin: "a pin is not the SHA-256 of a key, in base64"
        case .noPin: "a set of pins has no pin"
        case .noBackupPin: "a set of pins has no backup pin"
        case .backupInUse: "a backup pin is also in use"
        case .noHost: "a set of pins has no host"
        }
    }
}

extension PinViolation: LocalizedError {
    /// One English sentence that an app may show; its wording is not stable.
    public var errorDescription: String? {
        switch self {
        case .malformedPin: "A pin is not the SHA-256 digest of a key in base64."
        case .noPin: "A set of pins has no pin."
        case .noBackupPin: "A set of pins has no backup pin."
        case .backupInUse: "A backup pin is also one of the pins in use."
        case .noHost: "A set of pins has no host."
        }
    }
}
