// SPDX-License-Identifier: Apache-2.0

#if canImport(Security)
import Foundation
import Security
import TernErrors

/// Judges a chain by the Security framework, for the roots that the system trusts.
///
/// It knows what the user and the administrator decided, and may fetch missing certificates, for which it waits. So it
/// runs on a thread of its own, not on one of Swift concurrency.
struct SystemTrust: Sendable {
    /// Certificates in DER form that are trusted in addition to the system's.
    let additional: [[UInt8]]

    /// Finds a path.
    ///
    /// - Parameters:
    ///   - chain: the certificates in DER form, the server's own first.
    ///   - host: the host that was asked for.
    ///   - time: when.
    /// - Returns: the path in DER form, from the server's certificate to the trusted one.
    /// - Throws: why there is none that may be trusted.
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
        // The first has to be the server's own: if that is left out, the next one would be taken for it.
        guard !sent.isEmpty, sent.count == chain.count else {
            return .failure(.invalidCertificate("one of them cannot be read"))
        }
        var created: SecTrust?
        let name = host.hasSuffix(".") ? String(host.dropLast()) : host
        let policy = SecPolicyCreateSSL(true, name as CFString)
        guard SecTrustCreateWithCertificates(sent as CFArray, policy, &created) == errSecSuccess, let trust = created
        else {
            return .failure(.invalidCertificate("they cannot be read"))
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
        // An empty path stands for a server that was not verified.
        guard let first = path.first, first == chain.first else {
            return .failure(.invalidCertificate("the system does not return the path that it trusts"))
        }
        return .success(path)
    }

    private static func certificates(_ chain: [[UInt8]]) -> [SecCertificate] {
        chain.compactMap { SecCertificateCreateWithData(nil, Data($0) as CFData) }
    }

    /// The failure that an error of the framework means, with what can be read about it in the certificates that were sent.
    private static func failure(code: CFIndex, chain: [[UInt8]], at time: Date) -> TLSFailure {
        let sent = chain.compactMap { try? ReadCertificate($0).fields }
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
            return (try? SentChain(chain))?.reasonForNoPath ?? .unknownRoot(issuer: "unknown")
        default: return .invalidCertificate("the system does not accept them (error \(code))")
        }
    }
}
#endif
