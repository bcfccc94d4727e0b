// SPDX-License-Identifier: Apache-2.0
import SwiftASN1
public import TernAuthentication
package import TernErrors
package import TernFoundation

/// Evaluates the certificates of servers.
///
/// A chain is trusted if all of this is true:
///
/// - A path leads from the server's certificate to a trusted one (RFC 5280 §6).
/// - The server's certificate names the host (RFC 9525), and may be used by servers.
/// - Every certificate of the path is valid at the time of the evaluation.
/// - The path satisfies the host's pins.
///
/// If a chain is not trusted, the reason is the first of these cases of `TLSFailure` that applies:
///
/// 1. `invalidCertificate`: the certificate is malformed.
/// 2. `selfSigned`, `unknownRoot`: no path leads to a trusted certificate, so nothing in the server's certificate can
///    be relied on.
/// 3. `constraintViolated`: an issuer signed the certificate, but was not allowed to, or a certificate has an
///    unsupported critical extension. If the server's certificate has such an extension, this case precedes case 2.
/// 4. `invalidCertificate`: a certificate names two signature algorithms, or is signed with SHA-1. Then `wrongUsage`
///    and `wrongHost`: the certificate is not for this use or this host.
/// 5. `certificateExpired`, `certificateNotYetValid`: the certificate is for this host, but the path has a certificate
///    that is not valid at this time.
/// 6. `pinMismatch`: the certificate is for this host, but no key of the path is pinned.
///
/// If several paths lead to trusted certificates, the first path without a failure is used. If all paths fail, the
/// reason comes from the path whose failure is furthest down this list. OpenSSL and browsers use the same order.
/// Revocation is not checked.
///
/// On Linux, and on all platforms with `TrustPolicy.Roots.only`, this module finds the paths and applies the rules;
/// swift-certificates parses the certificates and verifies their signatures. On Apple platforms, the Security framework
/// evaluates the system's roots. It knows the decisions of the user and the administrator, and has further rules, such
/// as a maximum validity. Pins then apply only to the path that the framework returns.
package struct TrustEvaluator: Sendable {
    /// The policy of the evaluator.
    package let policy: TrustPolicy

    private let anchors: TrustAnchors

    /// Reads the certificates that the application trusts.
    ///
    /// This may read files, so reuse the evaluator. It does not read the system's roots: see ``readSystemRoots()``.
    ///
    /// - Parameter policy: The policy.
    /// - Throws: `TLSFailure.configuration` if a certificate cannot be read, or a list of them is empty.
    package init(_ policy: TrustPolicy) throws(TLSFailure) {
        self.policy = policy
        self.anchors = try TrustAnchors(policy.roots)
    }

    /// Reads the system's roots, if the policy has them and no evaluator of this process has read them.
    ///
    /// Takes milliseconds the first time, so that a client reads the roots while the server prepares its answer. Blocks
    /// while another thread reads them. Apple's Security framework reads them itself.
    ///
    /// - Throws: `TLSFailure.configuration` if the system has no roots, or they cannot be read.
    package func readSystemRoots() throws(TLSFailure) {
        if case .system(let trust) = self.anchors { try trust.readRoots() }
    }

    /// Evaluates the certificates that a server presented.
    ///
    /// The evaluation takes about a millisecond, off the caller's actor. It first reads the system's roots if
    /// ``readSystemRoots()`` has not; Apple's Security framework may also fetch missing certificates. Cancellation has
    /// no effect.
    ///
    /// - Parameters:
    ///   - chain: The certificates in DER form, the server's own first. At most 16 certificates, with at most 256 KiB
    ///     in total. In a handshake, the TLS library accepts at most 100 KiB.
    ///   - host: The requested host: a DNS name in its ASCII form, with or without a final dot, or an IPv4 or IPv6
    ///     address.
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
            // If no path was verified, the handshake proves only that the server has the private key of its own
            // certificate, so only that certificate's pin counts.
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

    /// Checks the host's pins against the keys of the path.
    ///
    /// A path that Tern found already satisfies the enforced pin sets. For a path from the Security framework, and for
    /// the key of an unverified server, no earlier step has checked the pins.
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
    /// The number of fields before the key in a certificate, without the optional version (RFC 5280 §4.1).
    ///
    /// They are the serial number, signature, issuer, validity and subject.
    private static let fieldCountBeforeKey = 5

    /// Creates the pin of a certificate's key; `nil` if the bytes are not a certificate.
    ///
    /// The pin covers the key's bytes as they are, because another encoding of the same key has another digest.
    ///
    /// - Parameter der: The certificate in DER form.
    public init?(certificate der: [UInt8]) {
        guard let certificate = try? DER.parse(der), let signed = certificate.children.first else { return nil }
        let version = ASN1Identifier(tagWithNumber: 0, tagClass: .contextSpecific)
        let fields = signed.children.drop { $0.identifier == version }.dropFirst(Self.fieldCountBeforeKey)
        guard let key = fields.first, key.identifier == .sequence else { return nil }
        self.init(subjectPublicKeyInfo: key.encodedBytes)
    }
}
