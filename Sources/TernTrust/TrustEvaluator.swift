// SPDX-License-Identifier: Apache-2.0
import SwiftASN1
public import TernAuthentication
package import TernErrors

#if canImport(FoundationEssentials)
package import FoundationEssentials
#else
public import Foundation
#endif

/// Judges the certificates of servers.
///
/// A chain is trusted if a path leads from the server's certificate to a trusted one (RFC 5280 §6), the certificate is for
/// the host (RFC 9525) and for servers, every certificate of the path is valid at the time, and the pins of the host
/// hold. If not, the reason is the first of these cases of `TLSFailure` that applies:
///
/// 1. `invalidCertificate`: the certificate cannot be read.
/// 2. `selfSigned`, `unknownRoot`: no trusted issuer vouches for the certificate, so nothing in it can be believed.
/// 3. `constraintViolated`: an issuer vouches that may not.
/// 4. `invalidCertificate` for withdrawn algorithms and for a signature of two algorithms, `wrongUsage`, `wrongHost`: it is
///    for something else.
/// 5. `certificateExpired`, `certificateNotYetValid`: it is right, but not now.
/// 6. `pinMismatch`: it is right, but not the one that is expected.
///
/// If several paths lead to trusted certificates, the first one without a failure is taken; if each has one, the reason is
/// that of the path that comes furthest in this list. OpenSSL and browsers have the same order. Revocation is not checked.
///
/// On Linux, and on all platforms where roots are given alone (`TrustPolicy.Roots.only`), this module finds the paths and
/// applies the rules; swift-certificates reads the certificates and verifies their signatures. On Apple platforms the
/// Security framework evaluates the system's roots. It knows the user's and the administrator's decisions and has further
/// rules, such as for how long a certificate may be valid. Pins then apply to the one path that it returns.
package struct TrustEvaluator: Sendable {
    /// What is trusted.
    package let policy: TrustPolicy

    private let anchors: TrustAnchors

    /// Reads the trusted certificates of a policy, which takes milliseconds and reads files: keep the evaluator.
    ///
    /// The system's are read once per process, and only if a policy needs them.
    ///
    /// - Parameter policy: what to trust.
    /// - Throws: `TLSFailure.configuration` if a certificate cannot be read, or there is none.
    package init(_ policy: TrustPolicy) throws(TLSFailure) {
        self.policy = policy
        self.anchors = try TrustAnchors(policy.roots)
    }

    /// Judges what a server presented.
    ///
    /// It takes about a millisecond, not on the caller's actor, and does no I/O, except that Apple's Security framework may
    /// fetch missing certificates. Cancellation has no effect.
    ///
    /// - Parameters:
    ///   - chain: the certificates in DER form, the server's own first; at most 16, and 256 KiB in all. In a
    ///     handshake the TLS library accepts no more than 100 KiB.
    ///   - host: the host that was asked for: a DNS name in its ASCII form, with or without a final dot, or an IPv4 or
    ///     IPv6 address.
    ///   - time: when.
    /// - Returns: the chain and what is thought of it; a failure is in `ServerTrust.evaluation`.
    @concurrent
    package func evaluate(chain: [[UInt8]], host: String, at time: Date) async -> ServerTrust {
        // What is too much to read is not read for its pin, either.
        let isBounded = SentChain.isBounded(chain)
        let leafPin = isBounded ? chain.first.flatMap(KeyPin.init(certificate:)) : nil
        var trust = ServerTrust(host: host, chain: chain, leafPin: leafPin)
        do throws(TLSFailure) {
            guard isBounded else { throw .invalidCertificate("there are too many of them, or they are too long") }
            trust.verifiedChain = try await self.path(from: chain, host: host, at: time)
            // Nothing was verified: then the server's own key is the only one that the handshake vouches for.
            let keys = trust.verifiedChain.isEmpty ? [leafPin] : trust.verifiedChain.map(KeyPin.init(certificate:))
            trust.pinReports = try self.check(pins: keys.compactMap(\.self), host: host)
        } catch {
            trust.verifiedChain = []
            trust.evaluation = error
        }
        return trust
    }

    private func path(from chain: [[UInt8]], host: String, at time: Date) async throws(TLSFailure) -> [[UInt8]] {
        switch self.anchors {
        case .unverified:
            guard !chain.isEmpty else { throw .invalidCertificate("there is none") }
            return []
        case .certificates(let anchors):
            let pinSets = self.policy.pinSets.filter { $0.enforcement == .enforce && $0.applies(to: host) }
            let judge = CertificateJudge(identity: HostIdentity(host), time: time, pinSets: pinSets)
            return try PathFinder(anchors: anchors, judge: judge).path(from: SentChain(chain))
        #if canImport(Security)
        case .system(let additional):
            return try await SystemTrust(additional: additional).path(from: chain, host: host, at: time)
        #endif
        }
    }

    /// Looks for the pins of the host among the keys of the path.
    ///
    /// A path that Tern found has passed the enforced sets. The system's has not, nor has the key of an unverified server.
    private func check(pins keys: [KeyPin], host: String) throws(TLSFailure) -> [PinReport] {
        var reports: [PinReport] = []
        for set in self.policy.pinSets where set.applies(to: host) && !set.matches(keys) {
            switch set.enforcement {
            case .enforce: throw .pinMismatch
            case .reportOnly: reports.append(PinReport(pinSet: set, presented: keys))
            }
        }
        return reports
    }
}

extension KeyPin {
    /// The fields of a certificate before its key, without the version, which may be missing (RFC 5280 §4.1): serial number,
    /// signature, issuer, validity and subject.
    private static let fieldCountBeforeKey = 5

    /// Creates the pin of the key in a certificate; `nil` if it is none.
    ///
    /// The key's bytes are taken from the certificate as they are, for another form of the same key has another digest.
    ///
    /// - Parameter der: the certificate in DER form.
    public init?(certificate der: [UInt8]) {
        guard let certificate = try? DER.parse(der), let signed = certificate.children.first else { return nil }
        let version = ASN1Identifier(tagWithNumber: 0, tagClass: .contextSpecific)
        let fields = signed.children.drop { $0.identifier == version }.dropFirst(Self.fieldCountBeforeKey)
        guard let key = fields.first, key.identifier == .sequence else { return nil }
        self.init(subjectPublicKeyInfo: key.encodedBytes)
    }
}
