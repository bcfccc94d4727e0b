// SPDX-License-Identifier: Apache-2.0
// Compiled and run on Linux with glibc; never compiled with musl or for Android.

#if !canImport(Security)
import TernErrors

/// Evaluates a chain with the rules of this module, for the roots that the system trusts.
struct SystemTrust: Sendable {
    /// Certificates to trust in addition to the system's roots.
    private let additional: AnchorStore

    /// Trusts certificates in addition to the system's roots.
    init(adding certificates: [ParsedCertificate]) { self.additional = AnchorStore(certificates) }

    /// Reads the roots, if no other evaluator of this process has read them.
    ///
    /// - Throws: `TLSFailure.configuration` if the system has no roots, or they cannot be read.
    func readRoots() throws(TLSFailure) { _ = try SystemAnchors.store() }

    /// Returns a path that is trusted.
    ///
    /// - Parameters:
    ///   - chain: The certificates in DER form, the server's own first.
    ///   - host: The requested host, which `judge` knows.
    ///   - judge: The rules.
    /// - Returns: The path in DER form, from the server's certificate to the trusted one.
    /// - Throws: The reason that no path is trusted.
    func path(from chain: [[UInt8]], host: String, judge: CertificateJudge) async throws(TLSFailure) -> [[UInt8]] {
        let anchors = [try SystemAnchors.store(), self.additional]
        return try PathFinder(anchors: anchors, judge: judge).path(from: ReceivedChain(chain))
    }
}
#endif
