// SPDX-License-Identifier: Apache-2.0

/// Which certificates are trusted, and which keys are pinned.
///
/// ```swift
/// let company = TrustPolicy.only([.pemFile(path: "company-root.pem")])
/// let pinned = TrustPolicy.system.pinning(try PinSet(host: "api.example.com", pins: [current], backupPins: [next]))
/// ```
public struct TrustPolicy: Hashable, Sendable {
    /// Where the path from a server's certificate may end.
    package enum Roots: Hashable, Sendable {
        /// At a root that the system trusts.
        case system
        /// At a root that the system trusts, or at one of these certificates.
        case systemAdding([CertificateSource])
        /// At one of these certificates; what the system trusts is not even read.
        case only([CertificateSource])
        /// Anywhere: nothing about the certificate is verified, neither its issuer nor its host nor its dates.
        ///
        /// Anyone on the network can read and change what is sent. It is for tests. Pins still hold, for the server's own
        /// certificate.
        case unverified
    }

    /// The certificates at which a path may end; what the system trusts by default.
    ///
    /// They need not be roots. An intermediate certificate may be given, or the server's own, such as one that is
    /// self-signed: that is then trusted for the hosts it names and as long as it is valid.
    package var roots: Roots

    /// The keys that are pinned; none by default.
    package var pinSets: [PinSet]

    /// Creates a policy; without arguments, the one that suits any public server.
    package init(roots: Roots = .system, pinSets: [PinSet] = []) {
        (self.roots, self.pinSets) = (roots, pinSets)
    }
}

extension TrustPolicy {
    /// Trusts what the system trusts; suits any public server.
    public static let system = TrustPolicy()

    /// Trusts what the system trusts, and your own certificates too.
    ///
    /// They need not be roots. An intermediate certificate may be given, or the server's own, such as one that is self-signed:
    /// that is then trusted for the hosts it names and as long as it is valid.
    ///
    /// - Parameter sources: Your certificates.
    /// - Returns: The policy, without pins.
    public static func system(adding sources: [CertificateSource]) -> TrustPolicy {
        TrustPolicy(roots: .systemAdding(sources))
    }

    /// Trusts nothing but these certificates and what they sign; what the system trusts is not even read.
    ///
    /// - Parameter sources: Roots, intermediate certificates, or the server's own.
    /// - Returns: The policy, without pins.
    public static func only(_ sources: [CertificateSource]) -> TrustPolicy { TrustPolicy(roots: .only(sources)) }

    /// Verifies nothing, for tests: neither the issuer of a certificate nor its host nor its dates.
    ///
    /// Anyone on the network can read and change what is sent. Pins still hold, for the server's own certificate.
    public static let unverified = TrustPolicy(roots: .unverified)

    /// The same policy with one more set of pins.
    ///
    /// - Parameter set: The keys that a host may use.
    /// - Returns: The policy with that set, beside those that it had.
    public func pinning(_ set: PinSet) -> TrustPolicy { TrustPolicy(roots: self.roots, pinSets: self.pinSets + [set]) }
}
