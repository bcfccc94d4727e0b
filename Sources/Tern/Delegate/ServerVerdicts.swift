// SPDX-License-Identifier: Apache-2.0
import TernAuthentication
import TernConnections

/// The answers of a call's delegates about servers, kept for further connections to the same servers.
struct ServerVerdicts: Sendable {
    struct Answer: Sendable {
        fileprivate let disposition: ChallengeDisposition
        fileprivate let isOwn: Bool

        init(_ disposition: ChallengeDisposition, isOwn: Bool) {
            (self.disposition, self.isOwn) = (disposition, isOwn)
        }
    }

    enum Step: Sendable {
        case decided(TrustDecision)
        case ask(DelegateQuestion<ChallengeDisposition>.Audience)
    }

    /// The host and the certificates of a question; another host with the same certificates may get another answer.
    private struct Server: Hashable {
        let host: String
        let chain: [[UInt8]]

        init(_ trust: ServerTrust) { (self.host, self.chain) = (trust.host, trust.chain) }
    }

    private enum Verdict {
        case decided(TrustDecision)
        /// The call's own delegate, if any, gave no answer, and the client's delegate was not asked.
        case abstained
    }

    private var verdicts: [Server: Verdict] = [:]

    /// Returns the next step; if the connection was established for another call, only the call's own delegate is asked.
    func step(for trust: ServerTrust, isEstablished: Bool) -> Step {
        switch self.verdicts[Server(trust)] {
        case .decided(let decision): .decided(decision)
        case .abstained where isEstablished: .decided(.accept(isForOneCall: false))
        case .abstained: .ask(.shared)
        case nil: .ask(isEstablished ? .own : .both)
        }
    }

    /// Keeps the answer about a server, and returns the decision.
    mutating func answered(_ answer: Answer?, about trust: ServerTrust, isEstablished: Bool) -> TrustDecision {
        guard let answer else {
            self.verdicts[Server(trust)] = isEstablished ? .abstained : .decided(.byDefault)
            return isEstablished ? .accept(isForOneCall: false) : .byDefault
        }
        let decision = Self.decision(answer, on: trust)
        self.verdicts[Server(trust)] = .decided(decision)
        return decision
    }

    private static func decision(_ answer: Answer, on trust: ServerTrust) -> TrustDecision {
        switch answer.disposition {
        case .useCredential(let credential):
            // The credential counts only if it approves the certificates that the server presented in this handshake.
            guard case .trust(let approved) = credential.content, approved.chain == trust.chain else {
                return .byDefault
            }
            return .accept(isForOneCall: answer.isOwn && !trust.isTrusted)
        case .cancel: return .reject
        case .performDefaultHandling, .rejectProtectionSpace: return .byDefault
        }
    }
}
