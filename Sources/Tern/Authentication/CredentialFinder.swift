// SPDX-License-Identifier: Apache-2.0
import HTTPTypes
import TernAuthentication
import TernErrors
import TernProxies
import TernRequests
import TernTransport

/// Finds the credential that answers a challenge: from the request, the URL, the store, or the delegates.
struct CredentialFinder: Sendable {
    let known: KnownSpaces
    let store: (any CredentialStore)?

    /// Answers one response.
    ///
    /// - Parameters:
    ///   - response: the 401 or 407.
    ///   - challenger: who sent it.
    ///   - target: of the request that it answers, as it was sent.
    ///   - call: the call.
    ///   - round: what was tried before.
    /// - Returns: whether `round` has something to send now.
    /// - Throws: `ClientError`, when a delegate cancels, or the credential cannot be used.
    func answer(
        _ response: HTTPResponse,
        from challenger: Challenger,
        target: String,
        for call: Call,
        _ round: inout ChallengeRound
    ) async throws(ClientError) -> Bool {
        let values = response.headerFields[values: challenger.challengeField]
        // What cannot be understood is not answered: the response goes to the caller as it is.
        guard !values.isEmpty, let challenges = try? HTTPChallenge.parse(values) else { return false }
        switch round.challenged(by: challenges) {
        case .again: return true
        case .refused(let refused):
            self.known.forget(refused)
            if refused.credential.persistence == .stored { await self.store?.remove(for: refused.space) }
        case .new: break
        }
        guard !round.isExhausted else { return false }
        for challenge in ChallengeRanking.strongestFirst(challenges) {
            let space = ProtectionSpace(origin: challenger.origin, isProxy: challenger.isProxy, challenge: challenge)
            guard !round.isRejected(space) else { continue }
            let question = AuthenticationChallenge(
                kind: .http(challenge),
                protectionSpace: space,
                proposedCredential: await self.proposal(for: space, challenger, call, round),
                previousFailureCount: round.failureCount(in: space),
                response: response
            )
            guard let credential = try await self.decide(question, call, &round) else { continue }
            try self.use(credential, for: challenge, space, of: challenger, target: target, call, &round)
            return true
        }
        return false
    }

    /// Asks the delegates, and takes the proposal where they leave it to that.
    private func decide(
        _ question: AuthenticationChallenge,
        _ call: Call,
        _ round: inout ChallengeRound
    ) async throws(ClientError) -> Credential? {
        switch try await call.delegation?.answer(question, for: call) {
        case .useCredential(let credential) where Self.fits(credential, question.protectionSpace.scheme):
            return credential
        case .useCredential, .performDefaultHandling, nil:
            return question.proposedCredential
        case .cancel:
            throw .authenticationFailed(.cancelled, call.context(.authenticate, response: question.response))
        case .rejectProtectionSpace:
            round.reject(question.protectionSpace)
            return nil
        }
    }

    /// What there is without asking anybody, and was not refused before.
    private func proposal(
        for space: ProtectionSpace,
        _ challenger: Challenger,
        _ call: Call,
        _ round: ChallengeRound
    ) async -> Credential? {
        let isGood = { (credential: Credential) in
            Self.fits(credential, space.scheme) && !round.isRefused(credential)
        }
        if let brought = Self.brought(for: challenger, by: call) {
            // Who says as whom to sign in is not signed in as somebody else.
            return Self.allows(space.scheme, for: challenger, by: call) && isGood(brought) ? brought : nil
        }
        if let used = self.known.credential(in: space, of: challenger), isGood(used) { return used }
        guard let stored = await self.store?.credential(for: space), isGood(stored) else { return nil }
        return stored
    }

    /// What the request itself brings, or the URL of the server or the proxy.
    static func brought(for challenger: Challenger, by call: Call) -> Credential? {
        let userInfo: Destination.UserInfo?
        switch challenger {
        case .proxy(let proxy):
            userInfo = proxy.userInfo
        case .server:
            if let option = call.request.options.credential { return option.credential }
            userInfo = call.destination.userInfo
        }
        return userInfo.map { Credential(user: $0.user, password: $0.password ?? "") }
    }

    /// Whether what the request brings may be used by a scheme.
    private static func allows(_ scheme: AuthenticationScheme, for challenger: Challenger, by call: Call) -> Bool {
        guard !challenger.isProxy, let option = call.request.options.credential else { return true }
        return option.schemes?.contains(scheme) ?? true
    }

    private static func fits(_ credential: Credential, _ scheme: AuthenticationScheme) -> Bool {
        switch credential.content {
        case .password: scheme == .basic || scheme == .digest
        case .token: scheme == .bearer
        case .trust, .identity: false
        }
    }

    private func use(
        _ credential: Credential,
        for challenge: HTTPChallenge,
        _ space: ProtectionSpace,
        of challenger: Challenger,
        target: String,
        _ call: Call,
        _ round: inout ChallengeRound
    ) throws(ClientError) {
        do throws(AuthorizationFailure) {
            let authorizer = try Authorizer(
                challenge,
                credential,
                origin: space.origin,
                target: target,
                isProxy: space.isProxy
            )
            let active = ActiveCredential(authorizer, credential, for: space, of: challenger)
            round.use(active, isInherited: false)
        } catch {
            throw .authenticationFailed(.credentialNotUsable(error.description), call.context(.authenticate))
        }
    }

    /// What was sent was accepted.
    func accepted(_ round: ChallengeRound) async {
        guard let active = round.active, round.isNew else { return }
        switch active.credential.persistence {
        case .none: return
        case .forSession: self.known.keep(active)
        case .stored:
            self.known.keep(active)
            await self.store?.store(active.credential, for: active.space)
        }
    }
}
