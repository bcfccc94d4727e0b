// SPDX-License-Identifier: Apache-2.0
import Synchronization
import SwiftASN1
import TernErrors
import X509

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
