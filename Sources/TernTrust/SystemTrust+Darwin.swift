// SPDX-License-Identifier: Apache-2.0
// Compiled and run on Linux over a stand-in that trusts no chain (scripts/test --apple-shape); never on an Apple
// platform.

#if canImport(Security)
import Security
import TernErrors
import TernFoundation

/// Evaluates a chain with the Security framework, which knows the decisions of the user and the administrator.
///
/// The order is that of Apple's article "Evaluating a Trust and Parsing the Result"; ``SystemVerdict`` interprets the answer.
struct SystemTrust: Sendable {
    private let additional: [[UInt8]]

    init(adding certificates: [ParsedCertificate]) { self.additional = certificates.map(\.der) }

    func readRoots() throws(TLSFailure) {}

    /// Returns a trusted path in DER form; the framework decides with its own rules, and only the judge's time is used.
    func path(from chain: [[UInt8]], host: String, judge: CertificateJudge) async throws(TLSFailure) -> [[UInt8]] {
        let time = judge.time
        let verdict = await SystemVerdict.answer(onThread: Thread.detachNewThread) {
            self.verdict(on: chain, host: host, at: time)
        }
        return try verdict.path(in: chain, at: time)
    }

    private func verdict(on chain: [[UInt8]], host: String, at time: Date) -> SystemVerdict {
        let sent = Self.certificates(chain)
        // If a malformed first certificate were left out, the next one would count as the server's own.
        guard !sent.isEmpty, sent.count == chain.count else { return .unreadable }
        let name = host.hasSuffix(".") ? String(host.dropLast()) : host
        let policy = SecPolicyCreateSSL(true, name as CFString)
        var created: SecTrust?
        guard SecTrustCreateWithCertificates(sent as CFArray, policy, &created) == errSecSuccess, let trust = created
        else { return .unreadable }
        // A failure of one of these calls leaves its default: the present time, and the system's roots alone. So the
        // framework then refuses more, and never less.
        SecTrustSetVerifyDate(trust, time as CFDate)
        if !self.additional.isEmpty {
            SecTrustSetAnchorCertificates(trust, Self.certificates(self.additional) as CFArray)
            SecTrustSetAnchorCertificatesOnly(trust, false)
        }
        var error: CFError?
        guard SecTrustEvaluateWithError(trust, &error) else {
            let code = error.map(CFErrorGetCode) ?? 0
            return Self.reason(OSStatus(truncatingIfNeeded: code)).map { .refused($0) } ?? .refusedWithCode(code)
        }
        let path = SecTrustCopyCertificateChain(trust) as? [SecCertificate] ?? []
        return .trusted(path.map { [UInt8](SecCertificateCopyData($0) as Data) })
    }

    private static func certificates(_ chain: [[UInt8]]) -> [SecCertificate] {
        chain.compactMap { SecCertificateCreateWithData(nil, Data($0) as CFData) }
    }

    /// Returns the reason for a code of the framework ("Security Framework Result Codes"); `nil` for any other.
    private static func reason(_ code: OSStatus) -> SystemVerdict.Reason? {
        switch code {
        case errSecCertificateExpired: .expired
        case errSecCertificateNotValidYet: .notYetValid
        case errSecHostNameMismatch: .wrongHost
        case errSecInvalidExtendedKeyUsage: .wrongUsage
        case errSecNoBasicConstraintsCA, errSecPathLengthConstraintExceeded, errSecInvalidSubjectName,
            errSecUnknownCriticalExtensionFlag:
            .constraint
        case errSecNotTrusted, errSecCreateChainFailed: .noPath
        default: nil
        }
    }
}
#endif
