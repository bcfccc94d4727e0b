// SPDX-License-Identifier: Apache-2.0
import Synchronization
import TernAuthentication
import TernConnections
import TernErrors
import TernRequests
import TernTransport

extension TaskDelegation {
    /// Asks the call's delegates and waits for the answer, until the call ends.
    func ask<Answer>(
        _ inquiry: DelegateQuestion<Answer>,
        for call: HTTPCall,
        _ phase: ClientError.Phase
    ) async throws(ClientError) -> Answer? {
        switch await self.outcome(of: inquiry, until: call.deadline) {
        case .answered(let answer, _): return answer
        case .unanswered, .ended: return nil
        case .cancelled: throw .cancelled(call.context(phase))
        case .timedOut(let deadline):
            throw deadline.error(call.context(phase))
        }
    }

    private func outcome<Answer>(
        of inquiry: DelegateQuestion<Answer>,
        until deadline: CallDeadline?
    ) async -> DelegateQuestion<Answer>.Outcome {
        guard self.hasDelegates else { return .unanswered }
        let question = self.state.withLock { state -> DelegateQueueStateMachine<Message>.Question? in
            guard let asked = state.machine.ask(.question(state.progress.task, inquiry)) else { return nil }
            self.perform(asked.action, &state)
            return asked.question
        }
        guard let question else { return .ended }
        let outcome = await inquiry.outcome(until: deadline, on: self.clock)
        switch outcome {
        case .answered, .unanswered, .ended: break
        case .cancelled, .timedOut: self.abandon(question)
        }
        return outcome
    }

    private static func asking(
        _ challenge: AuthenticationChallenge,
        _ audience: DelegateQuestion<ChallengeDisposition>.Audience = .both
    ) -> DelegateQuestion<ChallengeDisposition> {
        DelegateQuestion(audience) { await $0.task($1, didReceive: challenge) }
    }

    func answer(
        _ challenge: AuthenticationChallenge,
        for call: HTTPCall
    ) async throws(ClientError) -> ChallengeDisposition? {
        try await self.ask(Self.asking(challenge), for: call, .authenticate)
    }

    func answer(
        redirect response: Response,
        to request: Request,
        for call: HTTPCall
    ) async throws(ClientError) -> RedirectDisposition? {
        let inquiry = DelegateQuestion { await $0.task($1, willRedirectTo: request, for: response) }
        return try await self.ask(inquiry, for: call, .redirect)
    }

    func newBody(for request: Request, _ call: HTTPCall) async throws(ClientError) -> RequestBody? {
        try await self.ask(DelegateQuestion { await $0.task($1, needsNewBodyFor: request) }, for: call, .send)
    }
}

/// The questions of a TLS handshake, which may go on for another call after the end of this one.
///
/// A question that no delegate can answer any more is refused: the dial fails, and the pool dials again for the waiting call.
extension TaskDelegation: TLSDecider {
    func decide(on trust: ServerTrust, port: Int, isEstablished: Bool) async -> TrustDecision {
        let audience: DelegateQuestion<ChallengeDisposition>.Audience
        switch self.state.withLock({ $0.verdicts.step(for: trust, isEstablished: isEstablished) }) {
        case .decided(let decision): return decision
        case .ask(let asked): audience = asked
        }
        let challenge = AuthenticationChallenge(
            kind: .serverTrust(trust),
            protectionSpace: Self.space(trust.host, port, .serverTrust)
        )
        let answer: ServerVerdicts.Answer?
        switch await self.outcome(of: Self.asking(challenge, audience), until: nil) {
        case .answered(let disposition, let isOwn): answer = ServerVerdicts.Answer(disposition, isOwn: isOwn)
        case .unanswered: answer = nil
        case .ended: return .reject
        case .cancelled, .timedOut: return .byDefault  // the handshake no longer waits for an answer
        }
        return self.state.withLock { $0.verdicts.answered(answer, about: trust, isEstablished: isEstablished) }
    }

    func identity(for request: ClientCertificateRequest) async -> IdentityDecision {
        let challenge = AuthenticationChallenge(
            kind: .clientCertificate(request),
            protectionSpace: Self.space(request.host, request.port, .clientCertificate)
        )
        let (answer, isOwn): (ChallengeDisposition, Bool)
        switch await self.outcome(of: Self.asking(challenge), until: nil) {
        case .answered(let disposition, let own): (answer, isOwn) = (disposition, own)
        case .ended: return .reject
        case .unanswered, .cancelled, .timedOut: return .none
        }
        switch answer {
        case .useCredential(let credential):
            guard case .identity(let identity) = credential.content else { return .none }
            return .show(identity, isForOneCall: isOwn)
        case .cancel: return .reject
        case .performDefaultHandling, .rejectProtectionSpace: return .none
        }
    }

    private static func space(_ host: String, _ port: Int, _ scheme: AuthenticationScheme) -> ProtectionSpace {
        ProtectionSpace(
            origin: Origin(scheme: .https, host: host, port: port),
            isProxy: false,
            scheme: scheme,
            realm: nil
        )
    }
}
