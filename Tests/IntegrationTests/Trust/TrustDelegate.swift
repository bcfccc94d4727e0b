// SPDX-License-Identifier: Apache-2.0
import Synchronization
import Tern
import TestSupport

/// A delegate that decides about servers, and provides client certificates.
final class TrustDelegate: TaskDelegate {
    typealias Decide = @Sendable (ServerTrust) async -> ChallengeDisposition?
    typealias Identify = @Sendable (ClientCertificateRequest) async -> ChallengeDisposition?

    /// A flag that is raised for each question about a server.
    let asked = Flag()
    /// A flag that is raised for each request for a client certificate.
    let identified = Flag()

    private let decide: Decide
    private let identify: Identify
    private let seen = Mutex<[AuthenticationChallenge]>([])

    init(_ decide: @escaping Decide = { _ in nil }, identify: @escaping Identify = { _ in nil }) {
        (self.decide, self.identify) = (decide, identify)
    }

    /// A delegate that approves every server, after a short delay.
    static var approving: TrustDelegate {
        TrustDelegate { trust in
            await Task.yield()
            return .useCredential(Credential(trust: trust))
        }
    }

    /// Returns a delegate that presents a client certificate.
    static func showing(_ identity: ClientIdentity) -> TrustDelegate {
        TrustDelegate(identify: { _ in
            await Task.yield()
            return .useCredential(Credential(identity: identity))
        })
    }

    /// The questions so far.
    var challenges: [AuthenticationChallenge] { self.seen.withLock { $0 } }

    /// The certificates of the servers in the questions.
    var trusts: [ServerTrust] {
        self.challenges.compactMap { if case .serverTrust(let trust) = $0.kind { trust } else { nil } }
    }

    func task(_ task: TaskInfo, didReceive challenge: AuthenticationChallenge) async -> ChallengeDisposition? {
        self.seen.withLock { $0.append(challenge) }
        switch challenge.kind {
        case .serverTrust(let trust):
            self.asked.raise()
            return await self.decide(trust)
        case .clientCertificate(let request):
            self.identified.raise()
            return await self.identify(request)
        default:
            return nil
        }
    }
}
