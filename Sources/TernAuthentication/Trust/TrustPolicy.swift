// SPDX-License-Identifier: Apache-2.0

/// The certificates that the client trusts, and the keys that it pins.
///
/// ```swift
/// let company = TrustPolicy.only([.pemFile(path: "company-root.pem")])
/// let pinned = TrustPolicy.system.pinning(try PinSet(host: "api.example.com", pins: [current], backupPins: [next]))
/// ```
public struct TrustPolicy: Hashable, Sendable {
    /// The certificates that the client trusts.
    ///
    /// The chain of issuers from a server's certificate must end at one of these certificates.
    package enum Roots: Hashable, Sendable {
        /// The roots that the system trusts.
        case system
        /// The roots that the system trusts, and these certificates.
        case systemAdding([CertificateSource])
        /// Only these certificates; the roots that the system trusts are not even read.
        case only([CertificateSource])
        /// Any certificate: the client does not check its issuer, its host or its dates.
        ///
        /// Anyone on the network can read and change the traffic, so use this case only in tests. Pins still apply to
        /// the key of the server's own certificate.
        case unverified
    }

    /// The certificates that the client trusts.
    ///
    /// The chain of issuers from a server's certificate must end at one of these certificates.
    ///
    /// Defaults to the roots that the system trusts. A trusted certificate need not be a root: it may be an
    /// intermediate certificate or the server's own, even a self-signed one. The client still checks the host and the
    /// dates.
    package var roots: Roots

    /// The keys that servers must use, by host.
    ///
    /// Defaults to no pins.
    package var pinSets: [PinSet]

    /// Creates a policy.
    ///
    /// The default policy suits any public server.
    package init(roots: Roots = .system, pinSets: [PinSet] = []) {
        (self.roots, self.pinSets) = (roots, pinSets)
    }
}

extension TrustPolicy {
    /// Trusts the roots that the system trusts.
    ///
    /// Suits any public server. On systems other than Apple's, the environment variables `SSL_CERT_FILE` (a file in PEM
    /// form) and `SSL_CERT_DIR` (folders of such files, separated by colons) replace the system's roots. The client
    /// reads them once for each process.
    public static let system = TrustPolicy()

    /// Trusts the roots that the system trusts, and your own certificates.
    ///
    /// Your certificates need not be roots: each may be an intermediate certificate or the server's own, even a
    /// self-signed one. The client still checks the host and the dates.
    ///
    /// - Parameter sources: Your certificates.
    /// - Returns: The policy, without pins.
    public static func system(adding sources: [CertificateSource]) -> TrustPolicy {
        TrustPolicy(roots: .systemAdding(sources))
    }

    /// Trusts only these certificates and the ones that they sign; the roots that the system trusts are not even read.
    ///
    /// - Parameter sources: Roots, intermediate certificates, or the server's own certificate.
    /// - Returns: The policy, without pins.
    public static func only(_ sources: [CertificateSource]) -> TrustPolicy { TrustPolicy(roots: .only(sources)) }

    /// Trusts any certificate: the client does not check its issuer, its host or its dates.
    ///
    /// Use this policy only in tests.
    ///
    /// Anyone on the network can read and change the traffic. Pins still apply to the key of the server's own
    /// certificate.
    public static let unverified = TrustPolicy(roots: .unverified)

    /// Returns this policy with one more set of pins.
    ///
    /// - Parameter set: The keys that a host may use.
    /// - Returns: The policy with the set, in addition to its earlier sets.
    public func pinning(_ set: PinSet) -> TrustPolicy { TrustPolicy(roots: self.roots, pinSets: self.pinSets + [set]) }
}
