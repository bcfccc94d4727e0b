// SPDX-License-Identifier: Apache-2.0
import TernAuthentication
import TernErrors
import X509

/// Where a path may end: what a `TrustPolicy.Roots` is, once read.
enum TrustAnchors: Sendable {
    case unverified
    case certificates(AnchorStore)
    #if canImport(Security)
    /// The system's, and these in DER form.
    case system(additional: [[UInt8]])
    #endif

    init(_ roots: TrustPolicy.Roots) throws(TLSFailure) {
        switch roots {
        case .unverified: self = .unverified
        case .only(let sources): self = .certificates(AnchorStore(try CertificateReader.certificates(in: sources)))
        case .system: self = try Self.system(adding: [])
        case .systemAdding(let sources): self = try Self.system(adding: sources)
        }
    }

    private static func system(adding sources: [CertificateSource]) throws(TLSFailure) -> TrustAnchors {
        let additional = sources.isEmpty ? [] : try CertificateReader.certificates(in: sources)
        #if canImport(Security)
        return .system(additional: additional.map(\.derBytes))
        #else
        var store = try SystemAnchors.store()
        store.append(contentsOf: additional)
        return .certificates(store)
        #endif
    }
}

/// Certificates at which a path may end, by the name that others have as their issuer.
struct AnchorStore: CustomCertificateStore {
    private var certificates: [DistinguishedName: [Certificate]]

    init(_ certificates: [Certificate]) { self.certificates = Dictionary(grouping: certificates, by: \.subject) }

    subscript(subject: DistinguishedName) -> [Certificate]? {
        get async { self.certificates[subject] }
    }

    func contains(_ certificate: Certificate) -> Bool {
        self.certificates[certificate.subject]?.contains(certificate) ?? false
    }

    mutating func append(contentsOf certificates: some Sequence<Certificate>) {
        for certificate in certificates { self.certificates[certificate.subject, default: []].append(certificate) }
    }
}
