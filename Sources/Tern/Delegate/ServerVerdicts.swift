// SPDX-License-Identifier: Apache-2.0
import TernAuthentication
import TernConnections

/// The answers that the delegates of a call have given about servers.
///
/// They are kept, so that the delegates need not answer again for another connection to the same server.
struct ServerVerdicts: Sendable {
    /// An answer of a delegate.
    struct Answer: Sendable {
        fileprivate let disposition: ChallengeDisposition
        fileprivate let isOwn: Bool

        /// Creates an answer; `isOwn` says whether the call's own delegate gave it.
        init(_ disposition: ChallengeDisposition, isOwn: Bool) {
            (self.disposition, self.isOwn) = (disposition, isOwn)
        }
    }

    /// The next step of a decision about a server.
    enum Step: Sendable {
        /// The decision is known.
        case decided(TrustDecision)
        /// These delegates have to be asked.
        case ask(DelegateQuestion<ChallengeDisposition>.Audience)
    }

    /// The host and the certificates that a question was about.
    ///
    /// The host matters: the right answer for one host may be wrong for another host with the same certificates.
    private struct Server: Hashable {
        let host: String
        let chain: [[UInt8]]

        init(_ trust: ServerTrust) { (self.host, self.chain) = (trust.host, trust.chain) }
    }

    private enum Verdict {
        /// A delegate decided, or all delegates left the decision to the evaluation of the certificates.
        case decided(TrustDecision)
        /// The call's own delegate returned `nil`, and the client's delegate was not asked.
        case abstained
    }

    private var verdicts: [Server: Verdict] = [:]

    /// Returns the next step of a decision about a server.
    ///
    /// - Parameters:
    ///   - trust: The server and its certificates.
    ///   - isEstablished: Whether the connection was established before, for another call. Then only the call's own
    ///     delegate is asked.
    /// - Returns: The decision, or the delegates to ask.
    func step(for trust: ServerTrust, isEstablished: Bool) -> Step {
        switch self.verdicts[Server(trust)] {
        case .decided(let decision): .decided(decision)
        case .abstained where isEstablished: .decided(.accept(isForOneCall: false))
        case .abstained: .ask(.shared)
        case nil: .ask(isEstablished ? .own : .both)
        }
    }

    /// Keeps the answer about a server, and returns the decision.
    ///
    /// - Parameters:
    ///   - answer: The answer, or `nil` if no delegate answered.
    ///   - trust: The server and its certificates.
    ///   - isEstablished: Whether the connection was established before, for another call.
    /// - Returns: The decision.
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
