// SPDX-License-Identifier: Apache-2.0
import SwiftASN1
public import TernAuthentication
package import TernErrors
package import TernFoundation

/// Evaluates the certificates of servers.
///
/// A chain is trusted if a path leads from the server's certificate to a trusted one (RFC 5280 §6), that certificate names the
/// host (RFC 9525) and may be used by servers, every certificate of the path is valid at the time, and the path satisfies the
/// host's pins. Revocation is not checked. If a chain is not trusted, the reason is the first of these that applies:
///
/// 1. `invalidCertificate`: the certificate is malformed.
/// 2. `selfSigned`, `unknownRoot`: no path leads to a trusted certificate, so nothing in the server's certificate can be relied
///    on.
/// 3. `constraintViolated`: an issuer was not allowed to sign, or a certificate has an unsupported critical extension. If the
///    server's own has one, this case precedes case 2.
/// 4. `invalidCertificate`: a certificate names two signature algorithms, or is signed with SHA-1. Then `wrongUsage` and
///    `wrongHost`.
/// 5. `certificateExpired`, `certificateNotYetValid`: a certificate of the path is not valid at this time.
/// 6. `pinMismatch`: no key of the path is pinned.
///
/// If all of several paths fail, the reason is the one furthest down this list, as in OpenSSL and browsers. On Apple platforms,
/// the Security framework evaluates the system's roots by its own rules, and pins apply only to the path that it returns.
package struct TrustEvaluator: Sendable {
    package let policy: TrustPolicy

    private let anchors: TrustAnchors

    /// Reads the certificates that the application trusts, perhaps from files, but not the roots: see ``readSystemRoots()``.
    package init(_ policy: TrustPolicy) throws(TLSFailure) {
        self.policy = policy
        self.anchors = try TrustAnchors(policy.roots)
    }

    /// Reads the system's roots once per process, if the policy has them; Apple's Security framework reads them itself.
    ///
    /// Takes milliseconds the first time, so that a client reads the roots while the server prepares its answer.
    ///
    /// - Throws: `TLSFailure.configuration` if the system has no roots, or they cannot be read.
    package func readSystemRoots() throws(TLSFailure) {
        if case .system(let trust) = self.anchors { try trust.readRoots() }
    }

    /// Evaluates the certificates that a server presented; except on Apple platforms, in about a millisecond, even if cancelled.
    ///
    /// - Parameters:
    ///   - chain: The certificates in DER form, the server's own first: at most 16, with at most 256 KiB.
    ///   - host: A DNS name in its ASCII form, with or without a final dot, or an IPv4 or IPv6 address.
    ///   - time: The time of the evaluation.
    /// - Returns: The chain and the result; a failure is in `ServerTrust.evaluation`.
    @concurrent
    package func evaluate(chain: [[UInt8]], host: String, at time: Date) async -> ServerTrust {
        // A chain that is too long is not read at all, so it has no pin.
        let isBounded = ReceivedChain.isBounded(chain)
        let leafPin = isBounded ? chain.first.flatMap(KeyPin.init(certificate:)) : nil
        var trust = ServerTrust(host: host, chain: chain, leafPin: leafPin)
        do throws(TLSFailure) {
            guard isBounded else { throw .invalidCertificate("there are too many of them, or they are too long") }
            trust.verifiedChain = try await self.path(from: chain, host: host, at: time)
            // Without a verified path, the handshake proves only that the server has the private key of its own certificate, so
            // only that certificate's pin counts.
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
            guard !chain.isEmpty else { throw .invalidCertificate("there are none") }
            return []
        case .certificates(let anchors):
            let judge = self.judge(of: host, at: time)
            return try PathFinder(anchors: [anchors], judge: judge).path(from: ReceivedChain(chain))
        case .system(let trust):
            return try await trust.path(from: chain, host: host, judge: self.judge(of: host, at: time))
        }
    }

    private func judge(of host: String, at time: Date) -> CertificateJudge {
        let pinSets = self.policy.pinSets.filter { $0.enforcement == .enforce && $0.applies(to: host) }
        return CertificateJudge(identity: HostIdentity(host), time: time, pinSets: pinSets)
    }

    /// Checks the host's pins, which no earlier step has checked for the Security framework and for unverified servers.
    private func check(pins keys: [KeyPin], host: String) throws(TLSFailure) -> [PinMismatch] {
        var reports: [PinMismatch] = []
        for set in self.policy.pinSets where set.applies(to: host) && !set.matches(keys) {
            switch set.enforcement {
            case .enforce: throw .pinMismatch
            case .reportOnly: reports.append(PinMismatch(pinSet: set, presented: keys))
            }
        }
        return reports
    }
}

extension KeyPin {
    /// Serial number, signature, issuer, validity and subject, without the optional version (RFC 5280 §4.1).
    private static let fieldCountBeforeKey = 5

    /// Creates the pin of the public key in a certificate in DER form; `nil` if the bytes have no key at its place.
    public init?(certificate der: [UInt8]) {
        guard let certificate = try? DER.parse(der), let signed = certificate.children.first else { return nil }
        let version = ASN1Identifier(tagWithNumber: 0, tagClass: .contextSpecific)
        let fields = signed.children.drop { $0.identifier == version }.dropFirst(Self.fieldCountBeforeKey)
        guard let key = fields.first, key.identifier == .sequence else { return nil }
        self.init(subjectPublicKeyInfo: key.encodedBytes)
    }
}
