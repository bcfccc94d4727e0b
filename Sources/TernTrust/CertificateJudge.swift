// SPDX-License-Identifier: Apache-2.0
import SwiftASN1
import TernAuthentication
import TernErrors
import TernFoundation
import X509

/// Decides whether to trust a path of certificates, from a server's own certificate to a trusted one.
struct CertificateJudge: Sendable {
    /// The first failure of a path; a later rule means that the path was closer to being trusted.
    struct Verdict: Hashable, Sendable {
        var rule: Int
        var failure: TLSFailure
    }

    /// The extensions that a certificate may mark as critical.
    ///
    /// The last two, `certificatePolicies` and `inhibitAnyPolicy`, have no effect, because Tern requires no policy, and refuses
    /// critical policy constraints (RFC 5280 §6.1.1, §6.1.5).
    static let understoodExtensions: [ASN1ObjectIdentifier] = [
        .X509ExtensionID.basicConstraints, .X509ExtensionID.nameConstraints, .X509ExtensionID.keyUsage,
        .X509ExtensionID.extendedKeyUsage, .X509ExtensionID.subjectAlternativeName, [2, 5, 29, 32], [2, 5, 29, 54],
    ]

    let identity: HostIdentity
    let time: Date
    /// The enforced pin sets of the host; a trusted path must contain a key of each.
    let pinSets: [PinSet]

    /// Returns the first failure of a path with verified signatures, and subtracts the name comparisons that it makes.
    func verdict(on path: [ParsedCertificate], spending comparisonsLeft: inout Int) -> Verdict? {
        let certificates = path.map(\.fields)
        guard let leaf = certificates.first else {
            return Verdict(rule: 0, failure: .invalidCertificate("there are none"))
        }
        // RFC 5280 §4.2: "A certificate-using system MUST reject the certificate if it encounters a critical extension
        // it does not recognize".
        guard path.allSatisfy(\.isUnderstood),
            PathConstraints.areSatisfied(by: certificates, spending: &comparisonsLeft)
        else { return Verdict(rule: 0, failure: .constraintViolated) }
        // The last certificate is trusted explicitly, so only its extensions are checked, as in OpenSSL: if an application trusts
        // a server's own certificate, that certificate must not become an authority for all hosts.
        let (signed, issuers) = (path.dropLast(), certificates.dropFirst())
        let rules: [() -> TLSFailure?] = [
            // RFC 5280 §6.1.4 (k): for a certificate of version 1 or 2, "the application MUST either verify that
            // certificate i is a CA certificate through out-of-band means or reject the certificate". The trusted
            // certificate is exempt, and so is the server's own, which is of version 1 on many servers.
            { issuers.dropLast().allSatisfy { $0.version == .v3 } ? nil : .constraintViolated },
            { issuers.allSatisfy(\.maySignCertificates) ? nil : .constraintViolated },
            {
                signed.allSatisfy(\.namesOneAlgorithm)
                    ? nil : .invalidCertificate("one of them names two algorithms for its signature")
            },
            {
                signed.contains(where: \.fields.isSignedWithSHA1)
                    ? .invalidCertificate("one of them is signed with SHA-1") : nil
            },
            { certificates.allSatisfy(\.isForServers) ? nil : .wrongUsage },
            {
                let names = leaf.alternativeNames
                return self.identity.matches(names) ? nil : .wrongHost(names: HostIdentity.texts(of: names))
            },
            { certificates.lazy.compactMap { $0.dateFailure(at: self.time) }.first },
            { self.arePinned(path) ? nil : .pinMismatch },
        ]
        for (index, rule) in rules.enumerated() {
            if let failure = rule() { return Verdict(rule: index + 1, failure: failure) }
        }
        return nil
    }

    private func arePinned(_ path: [ParsedCertificate]) -> Bool {
        guard !self.pinSets.isEmpty else { return true }
        let keys = path.compactMap { KeyPin(certificate: $0.der) }
        return self.pinSets.allSatisfy { $0.matches(keys) }
    }
}

extension Certificate {
    /// The names that the certificate is for; empty if the extension is missing or malformed.
    var alternativeNames: SubjectAlternativeNames {
        ((try? self.extensions.subjectAlternativeNames) ?? nil) ?? SubjectAlternativeNames()
    }

    /// The bit `keyCertSign` of a key usage, the sixth of the first byte (RFC 5280 §4.2.1.3).
    private static let certificateSigningBit: UInt8 = 0x04

    /// Whether `keyCertSign` is set (RFC 5280 §6.1.4 (n)), even in a usage with superfluous bytes, which X509 refuses.
    fileprivate var maySignCertificates: Bool {
        guard let usage = self.extensions[oid: .X509ExtensionID.keyUsage] else { return true }
        guard let bits = try? ASN1BitString(derEncoded: usage.value) else { return false }
        return (bits.bytes.first ?? 0) & Self.certificateSigningBit != 0
    }

    /// Whether the signature uses SHA-1, for which an attacker with some money can create collisions.
    fileprivate var isSignedWithSHA1: Bool { self.signatureAlgorithm == .sha1WithRSAEncryption }

    /// Whether a server may use the certificate, by its purposes or because it states none (RFC 5280 §4.2.1.12).
    fileprivate var isForServers: Bool {
        do {
            guard let usages = try self.extensions.extendedKeyUsage else { return true }
            return usages.contains { $0 == .serverAuth || $0 == .any }
        } catch {
            return false
        }
    }

    /// RFC 5280 §4.1.2.5: the validity is "from notBefore through notAfter, inclusive", in whole seconds.
    func dateFailure(at time: Date) -> TLSFailure? {
        let second = time.timeIntervalSince1970.rounded(.down)
        guard self.notValidBefore.timeIntervalSince1970 <= second else {
            return .certificateNotYetValid(notBefore: self.notValidBefore)
        }
        return second <= self.notValidAfter.timeIntervalSince1970
            ? nil : .certificateExpired(notAfter: self.notValidAfter)
    }
}
