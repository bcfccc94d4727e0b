// SPDX-License-Identifier: Apache-2.0
import HTTPTypes
import TernAuthentication
import TernErrors
import TernProxies
import TernRequests
import TernTransport

/// Finds the credential that answers a challenge: from the delegates, the request, its URL, an earlier call, or the store.
struct CredentialFinder: Sendable {
    let known: AcceptedCredentials
    let store: (any CredentialStore)?
    let awaitsProxyChallenges: Bool

    /// Returns whether to send the request again, with the credential that `attempts` then has.
    func answer(
        _ response: HTTPResponse,
        from challenger: Challenger,
        target: String,
        for call: HTTPCall,
        _ attempts: inout ChallengeAttempts
    ) async throws(ClientError) -> Bool {
        let fields = response.headerFields[fields: challenger.challengeField]
        // Skip challenges that cannot be parsed. If no challenge is left, the caller gets the response unchanged.
        let challenges = HTTPChallenge.readable(in: fields.map { $0.withUnsafeBytesOfValue { Array($0) } })
        // A response without the field has none, but it "indicates that authorization has been refused for those
        // credentials" that were sent (RFC 9110 §15.5.2).
        guard !challenges.isEmpty || fields.isEmpty else { return false }
        switch attempts.challenged(by: challenges) {
        case .again: return true
        case .refused(let refused):
            self.known.forget(refused)
            if refused.credential.persistence == .stored { try await self.remove(refused, for: call) }
        case .new: break
        }
        guard !attempts.isExhausted else { return false }
        for challenge in ChallengeRanking.strongestFirst(challenges) {
            let space = ProtectionSpace(origin: challenger.origin, isProxy: challenger.isProxy, challenge: challenge)
            guard !attempts.isRejected(space) else { continue }
            let question = AuthenticationChallenge(
                kind: .http(challenge),
                protectionSpace: space,
                proposedCredential: try await self.proposal(for: space, challenger, call, attempts),
                previousFailureCount: attempts.failureCount(in: space),
                response: response
            )
            guard let credential = try await self.decide(question, call, &attempts) else { continue }
            try self.use(credential, for: challenge, space, of: challenger, target: target, call, &attempts)
            return true
        }
        return false
    }

    /// Asks the delegates; returns the proposed credential if they leave the decision to the client, or theirs does not fit.
    private func decide(
        _ question: AuthenticationChallenge,
        _ call: HTTPCall,
        _ attempts: inout ChallengeAttempts
    ) async throws(ClientError) -> Credential? {
        switch try await call.delegation?.answer(question, for: call) {
        case .useCredential(let credential) where Self.fits(credential, question.protectionSpace.scheme):
            return credential
        case .useCredential, .performDefaultHandling, nil:
            return question.proposedCredential
        case .cancel:
            throw .authenticationFailed(.cancelled, call.context(.authenticate, response: question.response))
        case .rejectProtectionSpace:
            attempts.reject(question.protectionSpace)
            return nil
        }
    }

    /// Returns the credential to use if no delegate chooses one; `nil` if the client knows none that may succeed.
    private func proposal(
        for space: ProtectionSpace,
        _ challenger: Challenger,
        _ call: HTTPCall,
        _ attempts: ChallengeAttempts
    ) async throws(ClientError) -> Credential? {
        let isGood = { (credential: Credential) in
            Self.fits(credential, space.scheme) && !attempts.isRefused(credential)
        }
        if let explicit = Self.requestCredential(for: challenger, by: call) {
            // No other credential replaces the request's own credential.
            return Self.allows(space.scheme, for: challenger, by: call) && isGood(explicit) ? explicit : nil
        }
        guard call.request.options.unixSocketPath == nil else { return nil }
        if let used = self.known.credential(in: space, of: challenger), isGood(used) { return used }
        guard let stored = try await self.stored(for: space, call), isGood(stored) else { return nil }
        return stored
    }

    /// Returns the credential that the request or its URL has for a server, or that the proxy's URL has for a proxy.
    static func requestCredential(for challenger: Challenger, by call: HTTPCall) -> Credential? {
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

    private static func allows(_ scheme: AuthenticationScheme, for challenger: Challenger, by call: HTTPCall) -> Bool {
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
        _ call: HTTPCall,
        _ attempts: inout ChallengeAttempts
    ) throws(ClientError) {
        do throws(AuthorizationError) {
            let authorizer = try Authorizer(
                challenge,
                credential,
                origin: space.origin,
                target: target,
                isProxy: space.isProxy
            )
            let isFromRequest = Self.requestCredential(for: challenger, by: call)?.content == credential.content
            let active = ActiveCredential(
                authorizer,
                credential,
                for: space,
                of: challenger,
                isFromRequest: isFromRequest && !challenger.isProxy
            )
            attempts.use(active, isInherited: false)
        } catch {
            throw .authenticationFailed(.credentialNotUsable(error.description), call.context(.authenticate))
        }
    }

    /// Returns a credential to send without waiting for a challenge: only the request's own, if it has one.
    func known(to challenger: Challenger, target: String, for call: HTTPCall) -> ActiveCredential? {
        guard !self.known.isEmpty, call.request.options.unixSocketPath == nil else { return nil }
        let explicit = Self.requestCredential(for: challenger, by: call)
        return self.known.credential(for: challenger, target: target) { active in
            // No other credential replaces the request's own credential. If the request has none, do not use a
            // credential that came with another request.
            guard let explicit else { return !active.isFromRequest }
            return explicit.content == active.credential.content
                && Self.allows(active.space.scheme, for: challenger, by: call)
        }
    }

    /// Returns the user and the password of a proxy's URL, to send with Basic without waiting for a challenge (RFC 9110 §11.4).
    ///
    /// The proxy would get the password anyway, by asking for Basic, and some proxies close the connection instead of asking.
    func preemptive(for challenger: Challenger, by call: HTTPCall) -> ActiveCredential? {
        guard !self.awaitsProxyChallenges, challenger.isProxy,
            let credential = Self.requestCredential(for: challenger, by: call),
            let authorizer = try? Authorizer(preemptive: credential, origin: challenger.origin, isProxy: true)
        else { return nil }
        let space = ProtectionSpace(origin: challenger.origin, isProxy: true, scheme: authorizer.scheme)
        return ActiveCredential(authorizer, credential, for: space, of: challenger)
    }

    /// Keeps the credential as its persistence says, unless the status leaves open whether the server has accepted it.
    func accepted(_ attempts: ChallengeAttempts, _ statusCode: Int, for call: HTTPCall) async throws(ClientError) {
        guard let active = attempts.active, attempts.isNew, call.request.options.unixSocketPath == nil else { return }
        guard statusCode < 500, statusCode != 403, statusCode != 429 else { return }
        switch active.credential.persistence {
        case .none: return
        case .forSession: self.known.keep(active)
        case .stored:
            self.known.keep(active)
            guard statusCode < 400, let store = self.store else { return }
            let (credential, space) = (active.credential, active.space)
            try await Bounded.run(for: call) { await store.store(credential, for: space) }
        }
    }

    // MARK: The store, which may be slow

    private func stored(for space: ProtectionSpace, _ call: HTTPCall) async throws(ClientError) -> Credential? {
        guard let store = self.store else { return nil }
        return try await Bounded.run(for: call) { await store.credential(for: space) }
    }

    /// Removes the refused credential from the store, if the store has not replaced it meanwhile.
    private func remove(_ refused: ActiveCredential, for call: HTTPCall) async throws(ClientError) {
        guard let store = self.store else { return }
        let (content, space) = (refused.credential.content, refused.space)
        try await Bounded.run(for: call) {
            if await store.credential(for: space)?.content == content { await store.remove(for: space) }
        }
    }
}
