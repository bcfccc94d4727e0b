// SPDX-License-Identifier: Apache-2.0

/// The certificates that the client trusts, and the keys that it pins.
///
/// Except with ``unverified``, the client checks the host and the dates, and the chain must lead to one of the certificates. These
/// need not be roots: each may be an intermediate certificate or the server's own, even a self-signed one.
///
/// ```swift
/// let company = TrustPolicy.only([.pemFile(path: "company-root.pem")])
/// let pins = try PinSet(host: "api.example.com", pins: [current], backupPins: [next])
/// let pinned = TrustPolicy.system.pinning(pins)
/// ```
public struct TrustPolicy: Hashable, Sendable {
    package enum Roots: Hashable, Sendable {
        case system
        case systemAdding([CertificateSource])
        case only([CertificateSource])
        case unverified
    }

    package var roots: Roots

    package var pinSets: [PinSet]

    package init(roots: Roots = .system, pinSets: [PinSet] = []) {
        (self.roots, self.pinSets) = (roots, pinSets)
    }
}

extension TrustPolicy {
    /// Trusts the roots that the system trusts, which suits public servers.
    ///
    /// On systems other than Apple's, the environment variables `SSL_CERT_FILE` (a file in PEM form) and `SSL_CERT_DIR` (folders,
    /// separated by colons) replace the system's roots. After success, the client does not read them again in the process.
    public static let system = TrustPolicy()

    /// Trusts the roots that the system trusts, and your own certificates.
    public static func system(adding sources: [CertificateSource]) -> TrustPolicy {
        TrustPolicy(roots: .systemAdding(sources))
    }

    /// Trusts only chains that lead to one of these certificates; the roots that the system trusts are not even read.
    public static func only(_ sources: [CertificateSource]) -> TrustPolicy { TrustPolicy(roots: .only(sources)) }

    /// Trusts certificates without checking their issuer, their host and their dates.
    ///
    /// - Important: Use this policy only in tests: without pins, anyone on the network can read and change the traffic. Pins apply
    ///   only to the key of the server's own certificate.
    public static let unverified = TrustPolicy(roots: .unverified)

    /// Returns this policy with one more set of pins.
    public func pinning(_ set: PinSet) -> TrustPolicy { TrustPolicy(roots: self.roots, pinSets: self.pinSets + [set]) }
}
