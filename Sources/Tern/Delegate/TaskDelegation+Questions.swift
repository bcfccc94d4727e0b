// SPDX-License-Identifier: Apache-2.0
import Synchronization
import TernAuthentication
import TernConnections
import TernErrors
import TernRequests
import TernTransport

extension TaskDelegation {
    /// Asks the call's delegates and waits for the answer.
    ///
    /// - Parameters:
    ///   - inquiry: The question.
    ///   - call: The call. Its deadline limits the wait.
    ///   - phase: The phase for the context of an error.
    /// - Returns: The answer, or `nil` if no delegate answers.
    /// - Throws: `ClientError.cancelled` or `ClientError.timedOut` when the call ends before a delegate answers.
    func ask<Answer>(
        _ inquiry: DelegateQuestion<Answer>,
        for call: HTTPCall,
        _ phase: ClientError.Phase
    ) async throws(ClientError) -> Answer? {
        switch await self.outcome(of: inquiry, until: call.deadline) {
        case .answered(let answer, _): return answer
        case .unanswered: return nil
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
        self.post { state in
            state.machine.post(.question(state.task, inquiry))
        }
        let outcome = await inquiry.outcome(until: deadline, on: self.clock)
        switch outcome {
        case .answered, .unanswered: break
        case .cancelled, .timedOut: self.abandon(inquiry)
        }
        return outcome
    }

    private static func asking(
        _ challenge: AuthenticationChallenge,
        _ audience: DelegateQuestion<ChallengeDisposition>.Audience = .both
    ) -> DelegateQuestion<ChallengeDisposition> {
        DelegateQuestion(audience) { await $0.task($1, didReceive: challenge) }
    }

    /// Returns the delegates' answer to a 401 or 407, or `nil` if no delegate answers.
    func answer(
        _ challenge: AuthenticationChallenge,
        for call: HTTPCall
    ) async throws(ClientError) -> ChallengeDisposition? {
        try await self.ask(Self.asking(challenge), for: call, .authenticate)
    }

    /// Returns the delegates' answer to a redirect, or `nil` if no delegate answers.
    func answer(
        redirect response: Response,
        to request: Request,
        for call: HTTPCall
    ) async throws(ClientError) -> RedirectDisposition? {
        let inquiry = DelegateQuestion { await $0.task($1, willRedirectTo: request, for: response) }
        return try await self.ask(inquiry, for: call, .redirect)
    }

    /// Returns a new body from the delegates, or `nil` if no delegate provides one.
    func newBody(for request: Request, _ call: HTTPCall) async throws(ClientError) -> RequestBody? {
        try await self.ask(DelegateQuestion { await $0.task($1, needsNewBodyFor: request) }, for: call, .send)
    }
}

/// The questions that the transport asks during a TLS handshake.
extension TaskDelegation: TLSDecider {
    func decide(on trust: ServerTrust, port: Int, isEstablished: Bool) async -> TrustDecision {
        let server = Server(host: trust.host, chain: trust.chain)
        let audience: DelegateQuestion<ChallengeDisposition>.Audience
        switch self.state.withLock({ $0.verdicts[server] }) {
        case .decided(let decision): return decision
        case .abstained where isEstablished: return .accept(isForOneCall: false)
        case .abstained: audience = .shared
        case nil: audience = isEstablished ? .own : .both
        }
        let challenge = AuthenticationChallenge(
            kind: .serverTrust(trust),
            protectionSpace: Self.space(trust.host, port, .serverTrust)
        )
        let verdict: Verdict
        switch await self.outcome(of: Self.asking(challenge, audience), until: nil) {
        case .answered(let disposition, let isOwn):
            verdict = .decided(Self.decision(disposition, on: trust, isOwn: isOwn))
        case .unanswered: verdict = isEstablished ? .abstained : .decided(.byDefault)
        case .cancelled, .timedOut: return .byDefault  // the handshake no longer waits for an answer
        }
        // Keep the answer, so that the delegates need not answer again for another connection to the same server.
        self.state.withLock { $0.verdicts[server] = verdict }
        guard case .decided(let decision) = verdict else { return .accept(isForOneCall: false) }
        return decision
    }

    func identity(for request: ClientCertificateRequest) async -> IdentityDecision {
        let challenge = AuthenticationChallenge(
            kind: .clientCertificate(request),
            protectionSpace: Self.space(request.host, request.port, .clientCertificate)
        )
        guard case .answered(let answer, let isOwn) = await self.outcome(of: Self.asking(challenge), until: nil) else {
            return .none
        }
        switch answer {
        case .useCredential(let credential):
            guard case .identity(let identity) = credential.content else { return .none }
            return .show(identity, isForOneCall: isOwn)
        case .cancel: return .reject
        case .performDefaultHandling, .rejectProtectionSpace: return .none
        }
    }

    private static func decision(
        _ disposition: ChallengeDisposition,
        on trust: ServerTrust,
        isOwn: Bool
    ) -> TrustDecision {
        switch disposition {
        case .useCredential(let credential):
            // The credential counts only if it approves the certificates that the server presented in this handshake.
            guard case .trust(let approved) = credential.content, approved.chain == trust.chain else {
                return .byDefault
            }
            return .accept(isForOneCall: isOwn && !trust.isTrusted)
        case .cancel: return .reject
        case .performDefaultHandling, .rejectProtectionSpace: return .byDefault
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

/// A question for the delegates of a call, which answer one after the other.
protocol Question: AnyObject, Sendable {
    /// Asks the delegates, unless no task waits for the answer any longer.
    func ask(_ delegates: TaskDelegation.Delegates, _ task: TaskInfo) async
}

/// A question, its answer, and the task that waits for the answer.
final class DelegateQuestion<Answer: Sendable>: Question {
    /// The result of a question.
    enum Outcome: Sendable {
        /// A delegate answered; `isOwn` is `true` if it was the call's own delegate.
        case answered(Answer, isOwn: Bool)
        /// All delegates returned `nil`.
        case unanswered
        /// The call was cancelled.
        case cancelled
        /// The call ran out of time.
        case timedOut(CallDeadline)
    }

    /// The delegates to ask.
    enum Audience {
        /// The call's own delegate, and then the client's delegate if the first returns `nil`.
        case both
        /// The call's own delegate.
        case own
        /// The client's delegate.
        case shared
    }

    /// A closure that asks one delegate.
    typealias Asking = @Sendable (any TaskDelegate, TaskInfo) async -> Answer?

    private let suspension = Suspension<Outcome>()
    private let audience: Audience
    private let asking: Asking

    /// Creates a question.
    ///
    /// - Parameters:
    ///   - audience: The delegates to ask. Defaults to both delegates.
    ///   - asking: A closure that asks one delegate.
    init(_ audience: Audience = .both, _ asking: @escaping Asking) {
        self.audience = audience
        self.asking = asking
    }

    func ask(_ delegates: TaskDelegation.Delegates, _ task: TaskInfo) async {
        guard !self.suspension.isResolved else { return }
        self.suspension.resume(with: await self.answer(delegates, task))
    }

    private func answer(_ delegates: TaskDelegation.Delegates, _ task: TaskInfo) async -> Outcome {
        if self.audience != .shared, let own = delegates.own, let answer = await self.asking(own, task) {
            return .answered(answer, isOwn: true)
        }
        guard self.audience != .own, !Task.isCancelled, let shared = delegates.shared else { return .unanswered }
        return await self.asking(shared, task).map { .answered($0, isOwn: false) } ?? .unanswered
    }

    /// Waits for the outcome.
    ///
    /// If the wait ends early, the question does not ask the remaining delegates.
    func outcome(until deadline: CallDeadline?, on clock: any TransportClock) async -> Outcome {
        await self.suspension.wait(until: deadline, on: clock, onTimeout: { .timedOut($0) }, onCancel: .cancelled)
    }
}
