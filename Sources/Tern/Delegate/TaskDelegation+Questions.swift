// SPDX-License-Identifier: Apache-2.0
import Synchronization
import TernAuthentication
import TernConnections
import TernErrors
import TernRequests
import TernTransport

extension TaskDelegation {
    /// Asks the call's delegates, and waits for the answer.
    ///
    /// - Parameters:
    ///   - inquiry: the question.
    ///   - call: the call, which is not longer waited for than it may take.
    ///   - phase: what an error's context says.
    /// - Returns: the answer; `nil` if it was for neither of them to say.
    /// - Throws: `ClientError.cancelled` or `ClientError.timedOut`.
    func ask<Answer>(
        _ inquiry: Inquiry<Answer>,
        for call: HTTPCall,
        _ phase: ClientError.Phase
    ) async throws(ClientError) -> Answer? {
        switch await self.outcome(of: inquiry, until: call.deadline) {
        case .answered(let answer, _): return answer
        case .notMine: return nil
        case .cancelled: throw .cancelled(call.context(phase))
        case .timedOut(let deadline):
            throw deadline.error(call.context(phase))
        }
    }

    private func outcome<Answer>(
        of inquiry: Inquiry<Answer>,
        until deadline: CallDeadline?
    ) async -> Inquiry<Answer>.Outcome {
        guard self.hasDelegates else { return .notMine }
        self.post { state in
            state.machine.post(.question(state.task, inquiry))
        }
        let outcome = await inquiry.outcome(until: deadline, on: self.clock)
        switch outcome {
        case .answered, .notMine: break
        case .cancelled, .timedOut: self.abandon(inquiry)
        }
        return outcome
    }

    private static func asking(
        _ challenge: AuthenticationChallenge,
        _ audience: Inquiry<ChallengeDisposition>.Audience = .both
    ) -> Inquiry<ChallengeDisposition> {
        Inquiry(audience) { await $0.task($1, didReceive: challenge) }
    }

    /// What to do about a 401 or 407; `nil` if no delegate says.
    func answer(
        _ challenge: AuthenticationChallenge,
        for call: HTTPCall
    ) async throws(ClientError) -> ChallengeDisposition? {
        try await self.ask(Self.asking(challenge), for: call, .authenticate)
    }

    /// What to do about a redirect; `nil` if no delegate says.
    func answer(
        redirect response: Response,
        to request: Request,
        for call: HTTPCall
    ) async throws(ClientError) -> RedirectDisposition? {
        let inquiry = Inquiry { await $0.task($1, willRedirectTo: request, for: response) }
        return try await self.ask(inquiry, for: call, .redirect)
    }

    /// The body to send again; `nil` if no delegate has one.
    func newBody(for request: Request, _ call: HTTPCall) async throws(ClientError) -> RequestBody? {
        try await self.ask(Inquiry { await $0.task($1, needsNewBodyFor: request) }, for: call, .send)
    }
}

/// What is asked during a TLS handshake.
extension TaskDelegation: TLSDecider {
    func decide(on trust: ServerTrust, port: Int, isEstablished: Bool) async -> TrustDecision {
        let server = Server(host: trust.host, chain: trust.chain)
        let audience: Inquiry<ChallengeDisposition>.Audience
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
        case .notMine: verdict = isEstablished ? .abstained : .decided(.byDefault)
        case .cancelled, .timedOut: return .byDefault  // the handshake no longer waits for it
        }
        // The call may need further connections to the same server; its delegate has spoken.
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
            // What was approved must be what was shown.
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

/// Something that a call's delegates are asked, one after the other.
protocol Question: AnyObject, Sendable {
    /// Asks, unless the answer is no longer awaited.
    func ask(_ delegates: TaskDelegation.Delegates, _ task: TaskInfo) async
}

/// One question with its answer, for which one task waits.
final class Inquiry<Answer: Sendable>: Question {
    /// What came of it.
    enum Outcome: Sendable {
        /// A delegate answered; `isOwn` if it was the call's own.
        case answered(Answer, isOwn: Bool)
        /// It was for neither of them to say.
        case notMine
        /// The call was cancelled.
        case cancelled
        /// The call's time was over.
        case timedOut(CallDeadline)
    }

    /// Who is asked.
    enum Audience {
        /// The call's own delegate, and where it has no opinion the client's.
        case both
        /// The call's own.
        case own
        /// The client's.
        case shared
    }

    /// Asks one delegate.
    typealias Asking = @Sendable (any TaskDelegate, TaskInfo) async -> Answer?

    private let suspension = Suspension<Outcome>()
    private let audience: Audience
    private let asking: Asking

    /// Creates a question.
    ///
    /// - Parameters:
    ///   - audience: who is asked; both by default.
    ///   - asking: asks one delegate.
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
        guard self.audience != .own, !Task.isCancelled, let shared = delegates.shared else { return .notMine }
        return await self.asking(shared, task).map { .answered($0, isOwn: false) } ?? .notMine
    }

    /// Waits for the outcome; asks no further delegate once it is here.
    func outcome(until deadline: CallDeadline?, on clock: any TransportClock) async -> Outcome {
        await self.suspension.wait(until: deadline, on: clock, late: { .timedOut($0) }, onCancel: .cancelled)
    }
}
