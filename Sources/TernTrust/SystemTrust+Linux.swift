// SPDX-License-Identifier: Apache-2.0
// Compiled and run on Linux with glibc; never compiled with musl or for Android.

#if !canImport(Security)
import TernErrors

/// Evaluates a chain with the rules of this module, for the roots that the system trusts.
struct SystemTrust: Sendable {
    private let additional: AnchorStore

    init(adding certificates: [ParsedCertificate]) { self.additional = AnchorStore(certificates) }

    /// Reads the roots, if no other evaluator of this process has read them.
    func readRoots() throws(TLSFailure) { _ = try SystemAnchors.store() }

    func path(from chain: [[UInt8]], host: String, judge: CertificateJudge) async throws(TLSFailure) -> [[UInt8]] {
        let anchors = [try SystemAnchors.store(), self.additional]
        return try PathFinder(anchors: anchors, judge: judge).path(from: ReceivedChain(chain))
    }
}
#endif
