// SPDX-License-Identifier: Apache-2.0
public import TernErrors

/// Whose certificates are trusted, and which keys are pinned besides.
///
/// ```swift
/// let company = TrustPolicy.only([.pemFile(path: "company-root.pem")])
/// let pinned = TrustPolicy.system.pinning(try PinSet(host: "api.example.com", pins: [current], backupPins: [next]))
/// ```
public struct TrustPolicy: Hashable, Sendable {
    /// Where the path from a server's certificate may end.
    public enum Roots: Hashable, Sendable {
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
    public var roots: Roots

    /// The keys that are pinned; none by default.
    public var pinSets: [PinSet]

    /// Creates a policy; without arguments, the one that suits any public server.
    public init(roots: Roots = .system, pinSets: [PinSet] = []) {
        (self.roots, self.pinSets) = (roots, pinSets)
    }
}

extension TrustPolicy {
    /// Trusts what the system trusts.
    public static let system = TrustPolicy()

    /// Trusts what the system trusts, and your own certificates too.
    public static func system(adding sources: [CertificateSource]) -> TrustPolicy {
        TrustPolicy(roots: .systemAdding(sources))
    }

    /// Trusts nothing but these certificates and what they sign.
    public static func only(_ sources: [CertificateSource]) -> TrustPolicy { TrustPolicy(roots: .only(sources)) }

    /// Verifies nothing, for tests; see ``Roots/unverified``.
    public static let unverified = TrustPolicy(roots: .unverified)

    /// The same policy with one more set of pins.
    public func pinning(_ set: PinSet) -> TrustPolicy { TrustPolicy(roots: self.roots, pinSets: self.pinSets + [set]) }
}

/// Where certificates are to be found.
public enum CertificateSource: Hashable, Sendable {
    /// A file of one or more certificates in PEM form (RFC 7468).
    case pemFile(path: String)
    /// One or more certificates in PEM form (RFC 7468).
    case pem(String)
    /// One certificate in DER form (RFC 5280 §4.1).
    case der([UInt8])
}

/// What a server presented, and what the default evaluation says of it.
public struct ServerTrust: Hashable, Sendable {
    /// The host that was asked for: a name or an address.
    public var host: String

    /// The certificates in DER form as the server sent them: its own first, then those above it in any order.
    public var chain: [[UInt8]]

    /// The path that was verified, in DER form, from the server's certificate to the trusted one.
    ///
    /// Empty if the evaluation failed, and if nothing is verified (``TrustPolicy/Roots/unverified``). Only these certificates
    /// are to be believed: a server can send any certificate besides its own.
    public var verifiedChain: [[UInt8]]

    /// Why the server is not trusted; `nil` if it is.
    public var evaluation: TLSFailure?

    /// The mismatches of pins that are only to be reported (``PinSet/Enforcement/reportOnly``).
    public var pinReports: [PinReport]

    /// What to pin to pin the server's own key; `nil` if its certificate cannot be read.
    public var leafPin: Pin?

    /// Creates a value.
    ///
    /// - Parameters:
    ///   - host: the host that was asked for.
    ///   - chain: the certificates in DER form, the server's own first.
    ///   - verifiedChain: the path to a trusted certificate; empty by default.
    ///   - evaluation: why the server is not trusted; `nil`, the default, if it is.
    ///   - pinReports: mismatches to be reported; none by default.
    ///   - leafPin: the pin of the server's own key; `nil` by default.
    public init(
        host: String,
        chain: [[UInt8]],
        verifiedChain: [[UInt8]] = [],
        evaluation: TLSFailure? = nil,
        pinReports: [PinReport] = [],
        leafPin: Pin? = nil
    ) {
        (self.host, self.chain, self.verifiedChain) = (host, chain, verifiedChain)
        (self.evaluation, self.pinReports, self.leafPin) = (evaluation, pinReports, leafPin)
    }

    /// Whether the default evaluation trusts the server.
    public var isTrusted: Bool { self.evaluation == nil }
}

extension ServerTrust: CustomStringConvertible {
    /// The host, what is thought of it, and the pin of its key; not the certificates.
    public var description: String {
        let pin = self.leafPin.map { ", \($0)" } ?? ""
        return "\(self.host): \(self.evaluation?.description ?? "trusted")\(pin)"
    }
}
