// SPDX-License-Identifier: Apache-2.0

/// The certificates that the client trusts, and the keys that it pins.
///
/// ```swift
/// let company = TrustPolicy.only([.pemFile(path: "company-root.pem")])
/// let pinned = TrustPolicy.system.pinning(try PinSet(host: "api.example.com", pins: [current], backupPins: [next]))
/// ```
public struct TrustPolicy: Hashable, Sendable {
    /// The certificates at which the path from a server's certificate may end.
    package enum Roots: Hashable, Sendable {
        /// The roots that the system trusts.
        case system
        /// The roots that the system trusts, and these certificates.
        case systemAdding([CertificateSource])
        /// Only these certificates; the roots that the system trusts are not even read.
        case only([CertificateSource])
        /// Any certificate: the client does not check its issuer, its host or its dates.
        ///
        /// Anyone on the network can read and change the traffic, so use it only in tests. Pins still apply, to the
        /// server's own certificate.
        case unverified
    }

    /// The certificates at which a path may end.
    ///
    /// Defaults to the roots that the system trusts. The certificates need not be roots. An intermediate certificate, or
    /// the server's own, such as a self-signed one, is trusted for the hosts that it names, and while it is valid.
    package var roots: Roots

    /// The keys that are pinned.
    ///
    /// Defaults to none.
    package var pinSets: [PinSet]

    /// Creates a policy.
    ///
    /// Without arguments, it suits any public server.
    package init(roots: Roots = .system, pinSets: [PinSet] = []) {
        (self.roots, self.pinSets) = (roots, pinSets)
    }
}

extension TrustPolicy {
    /// Trusts the roots that the system trusts.
    ///
    /// Suits any public server.
    public static let system = TrustPolicy()

    /// Trusts the roots that the system trusts, and your own certificates.
    ///
    /// They need not be roots. An intermediate certificate, or the server's own, such as a self-signed one, is trusted
    /// for the hosts that it names, and while it is valid.
    ///
    /// - Parameter sources: Your certificates.
    /// - Returns: The policy, without pins.
    public static func system(adding sources: [CertificateSource]) -> TrustPolicy {
        TrustPolicy(roots: .systemAdding(sources))
    }

    /// Trusts only these certificates and the ones that they sign; the roots that the system trusts are not even read.
    ///
    /// - Parameter sources: Roots, intermediate certificates, or the server's own.
    /// - Returns: The policy, without pins.
    public static func only(_ sources: [CertificateSource]) -> TrustPolicy { TrustPolicy(roots: .only(sources)) }

    /// Verifies nothing about a certificate, neither its issuer nor its host nor its dates.
    ///
    /// Use it only in tests.
    ///
    /// Anyone on the network can read and change the traffic. Pins still apply, to the server's own certificate.
    public static let unverified = TrustPolicy(roots: .unverified)

    /// Returns the same policy with one more set of pins.
    ///
    /// - Parameter set: The keys that a host may use.
    /// - Returns: The policy with the set, in addition to its earlier sets.
    public func pinning(_ set: PinSet) -> TrustPolicy { TrustPolicy(roots: self.roots, pinSets: self.pinSets + [set]) }
}
