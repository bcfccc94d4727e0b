// SPDX-License-Identifier: Apache-2.0
import TernErrors
import X509

/// Finds a path of certificates, from a server's own certificate to a trusted one.
struct PathFinder: Sendable {
    /// A certificate of an earlier store is tried before those of later ones.
    let anchors: [AnchorStore]
    let judge: CertificateJudge

    func path(from chain: ReceivedChain) throws(TLSFailure) -> [[UInt8]] {
        // If the server's certificate has an unsupported critical extension, no path is trusted.
        guard chain.leaf.isUnderstood else { throw .constraintViolated }
        var search = PathSearch(chain, self.anchors, self.judge)
        guard let path = search.path() else { throw search.best?.failure ?? chain.reasonForNoPath }
        return path.map(\.der)
    }
}

/// Tries one issuer after the other, and keeps the failure of the path that was closest to being trusted.
private struct PathSearch {
    /// The most signatures to verify with the keys of received certificates, as in Go: 15 cross-signed ones form countless paths.
    ///
    /// Beyond it, the call usually throws `ClientError.tlsFailed(.unknownRoot)`.
    private static let maximumSignatureCount = 100

    private let leaf: ParsedCertificate
    private let sent: [EncodedName: [ParsedCertificate]]
    private let anchors: [AnchorStore]
    private let judge: CertificateJudge
    /// The unfinished paths that are still to be tried; the last one is tried next.
    private var beginnings: [[ParsedCertificate]]
    private var signatureCount = 0
    private var comparisonsLeft = NameLimits.maximumComparisonCount
    /// The failure of the path that was closest to being trusted.
    private(set) var best: CertificateJudge.Verdict?

    init(_ chain: ReceivedChain, _ anchors: [AnchorStore], _ judge: CertificateJudge) {
        self.leaf = chain.leaf
        self.sent = Dictionary(grouping: chain.others, by: \.subject)
        self.anchors = anchors
        self.judge = judge
        self.beginnings = [[chain.leaf]]
    }

    mutating func path() -> [ParsedCertificate]? {
        // An application may trust the server's own certificate explicitly, even if it is not an authority's.
        if self.anchors.contains(where: { $0.contains(self.leaf) }), self.accepts([self.leaf]) { return [self.leaf] }
        while let beginning = self.beginnings.popLast(), let tip = beginning.last {
            // A path that ends at an anchor needs no further issuers.
            for anchor in tip.sortedByKeyIdentifier(self.anchors.flatMap { $0[tip.issuer] })
            where Self.leads(beginning, to: anchor) {
                let path = beginning + [anchor]
                if self.accepts(path) { return path }
            }
            let issuers = self.sent[tip.issuer] ?? []
            self.signatureCount += issuers.count
            guard self.signatureCount <= Self.maximumSignatureCount else { continue }
            let next = tip.sortedByKeyIdentifier(issuers).filter { $0.isUnderstood && Self.leads(beginning, to: $0) }
            self.beginnings += next.reversed().map { beginning + [$0] }
        }
        return nil
    }

    /// Returns whether a path is trusted, or keeps its verdict in ``best`` if no earlier path was as close.
    private mutating func accepts(_ path: [ParsedCertificate]) -> Bool {
        guard let verdict = self.judge.verdict(on: path, spending: &self.comparisonsLeft) else { return true }
        if self.best.map({ $0.rule < verdict.rule }) ?? true { self.best = verdict }
        return false
    }

    /// Returns whether a certificate may continue a path whose last certificate names it as the issuer.
    private static func leads(_ beginning: [ParsedCertificate], to next: ParsedCertificate) -> Bool {
        guard let tip = beginning.last else { return false }
        // RFC 4158 §5.2: a path that contains the same name and key twice is never needed, because a shorter path
        // exists.
        return !beginning.contains { $0.hasSameIdentity(as: next) } && next.signed(tip)
    }
}

extension ParsedCertificate {
    fileprivate func hasSameIdentity(as other: ParsedCertificate) -> Bool {
        let names = [self, other].map { $0.fields.extensions[oid: .X509ExtensionID.subjectAlternativeName]?.value }
        return self.subject == other.subject && self.fields.publicKey == other.fields.publicKey
            && names[0] == names[1]
    }

    /// Sorts issuers so that those with the right key identifier come first (RFC 4158 §3.5.12).
    fileprivate func sortedByKeyIdentifier(_ issuers: [ParsedCertificate]) -> [ParsedCertificate] {
        guard issuers.count > 1,
            let wanted = ((try? self.fields.extensions.authorityKeyIdentifier) ?? nil)?.keyIdentifier
        else { return issuers }
        let ranked = issuers.enumerated().map { place, issuer in
            let key = ((try? issuer.fields.extensions.subjectKeyIdentifier) ?? nil)?.keyIdentifier
            return (rank: key.map { $0 == wanted ? 0 : 2 } ?? 1, place: place, issuer: issuer)
        }
        return ranked.sorted { ($0.rank, $0.place) < ($1.rank, $1.place) }.map(\.issuer)
    }
}
