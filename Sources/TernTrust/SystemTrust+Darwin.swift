// SPDX-License-Identifier: Apache-2.0

#if canImport(Security)
import Foundation
import Security
import TernErrors

/// Evaluates a chain with the Security framework, for the roots that the system trusts.
///
/// The framework knows the decisions of the user and the administrator. It may also fetch missing certificates and wait
/// for them, so the evaluation runs on a separate thread, and never blocks a thread of Swift concurrency.
struct SystemTrust: Sendable {
    /// Certificates in DER form to trust in addition to the system's roots.
    let additional: [[UInt8]]

    /// Returns a path that is trusted.
    ///
    /// - Parameters:
    ///   - chain: The certificates in DER form, the server's own first.
    ///   - host: The requested host.
    ///   - time: The time of the evaluation.
    /// - Returns: The path in DER form, from the server's certificate to the trusted one.
    /// - Throws: The reason that no path is trusted.
    func path(from chain: [[UInt8]], host: String, at time: Date) async throws(TLSFailure) -> [[UInt8]] {
        let result = await withCheckedContinuation { continuation in
            DispatchQueue.global().async {
                continuation.resume(returning: self.evaluate(chain, host: host, at: time))
            }
        }
        return try result.get()
    }

    private func evaluate(_ chain: [[UInt8]], host: String, at time: Date) -> Result<[[UInt8]], TLSFailure> {
        let sent = Self.certificates(chain)
        // If a malformed first certificate were left out, the next one would count as the server's own.
        guard !sent.isEmpty, sent.count == chain.count else {
            return .failure(.invalidCertificate("one of them is malformed"))
        }
        var created: SecTrust?
        let name = host.hasSuffix(".") ? String(host.dropLast()) : host
        let policy = SecPolicyCreateSSL(true, name as CFString)
        guard SecTrustCreateWithCertificates(sent as CFArray, policy, &created) == errSecSuccess, let trust = created
        else {
            return .failure(.invalidCertificate("they are malformed"))
        }
        SecTrustSetVerifyDate(trust, time as CFDate)
        if !self.additional.isEmpty {
            SecTrustSetAnchorCertificates(trust, Self.certificates(self.additional) as CFArray)
            SecTrustSetAnchorCertificatesOnly(trust, false)
        }
        var error: CFError?
        guard SecTrustEvaluateWithError(trust, &error) else {
            return .failure(Self.failure(code: error.map(CFErrorGetCode) ?? 0, chain: chain, at: time))
        }
        let path = (SecTrustCopyCertificateChain(trust) as? [SecCertificate] ?? [])
            .map { [UInt8](SecCertificateCopyData($0) as Data) }
        // An empty path would mean an unverified server.
        guard let first = path.first, first == chain.first else {
            return .failure(.invalidCertificate("the system does not return the chain that it trusts"))
        }
        return .success(path)
    }

    private static func certificates(_ chain: [[UInt8]]) -> [SecCertificate] {
        chain.compactMap { SecCertificateCreateWithData(nil, Data($0) as CFData) }
    }

    /// Returns the failure for an error of the framework, with details from the received certificates.
    private static func failure(code: CFIndex, chain: [[UInt8]], at time: Date) -> TLSFailure {
        let sent = chain.compactMap { try? ParsedCertificate($0).fields }
        switch OSStatus(truncatingIfNeeded: code) {
        case errSecCertificateExpired:
            let dates = sent.compactMap { certificate -> Date? in
                if case .certificateExpired(let date) = certificate.dateFailure(at: time) { date } else { nil }
            }
            return .certificateExpired(notAfter: dates.first)
        case errSecCertificateNotValidYet:
            let dates = sent.compactMap { certificate -> Date? in
                if case .certificateNotYetValid(let date) = certificate.dateFailure(at: time) { date } else { nil }
            }
            return .certificateNotYetValid(notBefore: dates.first)
        case errSecHostNameMismatch:
            return .wrongHost(names: (sent.first?.alternativeNames).map(HostIdentity.texts) ?? [])
        case errSecInvalidExtendedKeyUsage: return .wrongUsage
        case errSecNoBasicConstraintsCA, errSecPathLengthConstraintExceeded, errSecInvalidSubjectName,
            errSecUnknownCriticalExtensionFlag:
            return .constraintViolated
        case errSecNotTrusted, errSecCreateChainFailed:
            return (try? ReceivedChain(chain))?.reasonForNoPath ?? .unknownRoot(issuer: "an unknown issuer")
        default: return .invalidCertificate("the system does not accept them (error \(code))")
        }
    }
}
#endif
