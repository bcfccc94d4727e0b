// SPDX-License-Identifier: Apache-2.0
import SwiftASN1
import Synchronization
import TernErrors
@_spi(DisableValidityCheck) import X509

#if canImport(FoundationEssentials)
import FoundationEssentials
#else
import Foundation
#endif

/// Finds a path from a server's certificate to a trusted one.
struct PathFinder: Sendable {
    let anchors: AnchorStore
    let judge: CertificateJudge

    /// Finds a path.
    ///
    /// - Parameter chain: what the server sent.
    /// - Returns: the path in DER form, from the server's certificate to the trusted one.
    /// - Throws: why there is none that may be trusted.
    func path(from chain: SentChain) async throws(TLSFailure) -> [[UInt8]] {
        let leaf = chain.leaf
        // RFC 5280 §4.2: "A certificate-using system MUST reject the certificate if it encounters a critical extension it
        // does not recognize".
        guard leaf.isUnderstood else { throw .constraintViolated }
        // The server's own certificate is trusted by decision. X509 would want it to be an authority's.
        if self.anchors.contains(leaf) {
            if let verdict = self.judge.verdict(on: [leaf]) { throw verdict.failure }
            return [leaf.derBytes]
        }
        let policy = JudgingPolicy(judge: self.judge)
        var verifier = Verifier(rootCertificates: CertificateStore(custom: self.anchors)) { policy }
        let sent = CertificateStore(custom: SentStore(chain.others))
        switch await verifier.validate(leaf: leaf, intermediates: sent) {
        case .validCertificate(let path): return path.map(\.derBytes)
        case .couldNotValidate: throw policy.best?.failure ?? chain.reasonForNoPath
        }
    }
}

/// Judges each path that X509 finds, and keeps the verdict that comes furthest.
private final class JudgingPolicy: VerifierPolicy, Sendable {
    private let judge: CertificateJudge
    private let verdict = Mutex<CertificateJudge.Verdict?>(nil)

    init(judge: CertificateJudge) { self.judge = judge }

    var best: CertificateJudge.Verdict? { self.verdict.withLock(\.self) }

    var verifyingCriticalExtensions: [ASN1ObjectIdentifier] { CertificateJudge.understoodExtensions }

    func chainMeetsPolicyRequirements(chain: UnverifiedCertificateChain) -> PolicyEvaluationResult {
        guard let new = self.judge.verdict(on: chain) else { return .meetsPolicy }
        self.verdict.withLock { best in
            if best.map({ $0.rule < new.rule }) ?? true { best = new }
        }
        return .failsToMeetPolicy(reason: "\(new.failure)")
    }
}

/// What is wrong with a path from a server's certificate to a trusted one.
struct CertificateJudge: Sendable {
    /// A failure, and how far down the list of rules it is; further is closer to being trusted.
    struct Verdict: Hashable, Sendable {
        var rule: Int
        var failure: TLSFailure
    }

    /// The extensions that are understood, so that a certificate may mark them critical.
    static let understoodExtensions: [ASN1ObjectIdentifier] = [
        .X509ExtensionID.basicConstraints, .X509ExtensionID.nameConstraints, .X509ExtensionID.keyUsage,
        .X509ExtensionID.extendedKeyUsage, .X509ExtensionID.subjectAlternativeName,
    ]

    let identity: HostIdentity
    let time: Date

    /// Judges a path that X509 built, with all signatures verified.
    ///
    /// - Parameter path: from the server's certificate to a trusted one.
    /// - Returns: the first failure; `nil` if there is none.
    func verdict(on path: UnverifiedCertificateChain) -> Verdict? {
        // The dates are left out there because they are to be judged last.
        let standard = RFC5280Policy.withValidityCheckDisabled()
        if case .failsToMeetPolicy = standard.chainMeetsPolicyRequirements(chain: path) {
            return Verdict(rule: 0, failure: .constraintViolated)
        }
        return self.verdict(on: Array(path))
    }

    /// Judges a path by all rules but those of RFC 5280 on constraints, which do not apply to a single certificate.
    func verdict(on path: [Certificate]) -> Verdict? {
        guard let leaf = path.first else { return Verdict(rule: 0, failure: .invalidCertificate("there is none")) }
        // The last is trusted by decision, not for what it says of itself, nor for its signature.
        let (signed, issuers) = (path.dropLast(), path.dropFirst().dropLast())
        let rules: [() -> TLSFailure?] = [
            { issuers.allSatisfy(\.mayIssue) ? nil : .constraintViolated },
            { signed.contains(where: \.isSignedWithSHA1) ? .invalidCertificate("one is signed with SHA-1") : nil },
            { leaf.isForServers && issuers.allSatisfy(\.isForServers) ? nil : .wrongUsage },
            { self.identity.matches(leaf.alternativeNames) ? nil : .wrongHost },
            { path.lazy.compactMap { $0.dateFailure(at: self.time) }.first },
        ]
        for (index, rule) in rules.enumerated() {
            if let failure = rule() { return Verdict(rule: index + 1, failure: failure) }
        }
        return nil
    }
}

extension Certificate {
    /// The names that it is for; none if the extension is missing or cannot be read.
    fileprivate var alternativeNames: SubjectAlternativeNames {
        ((try? self.extensions.subjectAlternativeNames) ?? nil) ?? SubjectAlternativeNames()
    }

    /// Whether an authority between the trusted one and the server's may sign certificates.
    fileprivate var mayIssue: Bool {
        // RFC 5280 §6.1.4 (k): of version 1 or 2, "the application MUST either verify that certificate i is a CA certificate
        // through out-of-band means or reject the certificate". X509 lets it pass, and many servers' are of version 1.
        guard self.version == .v3 else { return false }
        do {
            // §6.1.4 (n): "If a key usage extension is present, verify that the keyCertSign bit is set."
            return try self.extensions.keyUsage?.keyCertSign ?? true
        } catch {
            return false
        }
    }

    /// Two documents with one SHA-1 can be made by anybody with some money; authorities stopped in 2016.
    fileprivate var isSignedWithSHA1: Bool { self.signatureAlgorithm == .sha1WithRSAEncryption }

    /// Whether servers are among its purposes, or it states none.
    ///
    /// RFC 5280 §4.2.1.12: "If the extension is present, then the certificate MUST only be used for one of the purposes
    /// indicated."
    fileprivate var isForServers: Bool {
        do {
            guard let usages = try self.extensions.extendedKeyUsage else { return true }
            return usages.contains { $0 == .serverAuth || $0 == .any }
        } catch {
            return false
        }
    }

    /// RFC 5280 §4.1.2.5: the validity is "from notBefore through notAfter, inclusive", in whole seconds.
    fileprivate func dateFailure(at time: Date) -> TLSFailure? {
        let second = time.timeIntervalSince1970.rounded(.down)
        guard self.notValidBefore.timeIntervalSince1970 <= second else { return .certificateNotYetValid }
        return second <= self.notValidAfter.timeIntervalSince1970 ? nil : .certificateExpired
    }
}
