// SPDX-License-Identifier: Apache-2.0
import HTTPTypes
import NIOCore
import TernAuthentication
import TernErrors
@_spi(CrossModuleInlining) import TernFields
import TernProxies
import TernRequests
import TernTransport

/// Answers the challenges of servers and of forwarding proxies (RFC 9110 §11), and sends known credentials at once.
///
/// If a request sets `Authorization` or `Proxy-Authorization` itself, this stage does not change that field.
/// ``ProxyTunnelAuthorizer`` answers the challenges to CONNECT requests.
struct Authentication: Stage {
    let finder: CredentialFinder
    /// Chooses the proxies; `nil` with a custom transport, which may have its own, and must not get the credentials for others.
    let router: Router?
    let tokens: [BearerAuthentication]

    @inline(__always)  // inlining into the witness saves a stack frame for every call
    func respond(to call: HTTPCall, next: NextStages) async throws(ClientError) -> HTTPReply {
        // Most calls have no credential to send and receive no challenge, so they need none of the work below.
        if self.tokens.isEmpty, self.finder.known.isEmpty, self.router?.isDirect(call) ?? true {
            let reply = try await next.respond(to: call)
            guard reply.response.statusCode == 401 else { return reply }
            return try await self.respond(to: call, nil, first: reply, next: next)
        }
        let route: Route = if let router = self.router { try router.route(for: call) } else { .direct }
        let proxy: Proxy? = if case .forward(let proxy) = route { proxy } else { nil }
        var call = call
        call.resolvedRoute = ResolvedRoute(route, for: call)
        if case .tunnel = route { call.tunnelAttempts = TunnelAttempts() }
        // A Unix-domain socket leads to a server other than the one that the URL names, so send no token through it.
        if call.request.options.unixSocketPath == nil, let source = self.tokens.first(where: { $0.covers(call) }) {
            return try await self.respond(to: call, by: source, proxy, next: next)
        }
        return try await self.respond(to: call, proxy, next: next)
    }

    // MARK: Tokens

    /// Sends the token with the first request, and after a 401 once more with a new token (RFC 6750 §3.1).
    private func respond(
        to original: HTTPCall,
        by source: BearerAuthentication,
        _ proxy: Proxy?,
        next: NextStages
    ) async throws(ClientError) -> HTTPReply {
        guard original.request.options.credential == nil, !original.request.fields.contains(.authorization) else {
            return try await self.respond(to: original, proxy, next: next)
        }
        var call = original
        let token = try await source.token(rejecting: nil, for: call)
        call.request.fields[.authorization] = try source.fieldValue(token, for: call)
        var reply = try await self.respond(to: call, proxy, next: next)
        guard reply.response.statusCode == 401 else { return reply }
        // Free the connection, because the refresh may need it: the pool may allow no other connection to the host.
        reply.discardBody()
        let new = try await source.token(rejecting: token, for: call)
        try await call.renewBody()
        call.request.fields[.authorization] = try source.fieldValue(new, for: call)
        call.attempt += 1
        call.delegation?.begin(call.request, attempt: call.attempt)
        return try await self.respond(to: call, proxy, next: next)
    }

    // MARK: Challenges

    private func respond(
        to original: HTTPCall,
        _ proxy: Proxy?,
        first: HTTPReply? = nil,
        next: NextStages
    ) async throws(ClientError) -> HTTPReply {
        var call = original
        var attempts = (server: ChallengeAttempts(), proxy: ChallengeAttempts())
        let server = Challenger.server(call.destination.origin)
        var answered = first
        if answered == nil {
            try await self.preempt(server, &call, &attempts.server)
            if let proxy { try await self.preempt(.proxy(proxy), &call, &attempts.proxy) }
        }
        while true {
            var reply = if let known = answered.take() { known } else { try await next.respond(toAttempt: call) }
            let challenger = Challenger(reply.response.statusCode, server.origin, proxy)
            // A proxy forwards a request only after it has accepted the credential, whatever the server answers.
            if let proxy, challenger?.isProxy != true {
                reply = try await self.learn(from: reply, .proxy(proxy), call, attempts.proxy)
            }
            switch challenger {
            case let challenger? where Self.hasOwnField(original, challenger):
                return reply  // the caller answers challenges
            case .server?:
                guard try await self.answer(reply, from: server, &call, &attempts.server) else { return reply }
                // The field of a Digest credential counts the requests (RFC 7616 §3.4). So the next request needs a
                // new field for the proxy, too.
                if let proxy { try await self.authorize(&call, .proxy(proxy), &attempts.proxy) }
            case .proxy(let proxy)?:
                guard try await self.answer(reply, from: .proxy(proxy), &call, &attempts.proxy) else { return reply }
                try await self.authorize(&call, server, &attempts.server)
            case nil:
                return try await self.learn(from: reply, server, call, attempts.server)
            }
        }
    }

    /// Prepares the call to answer a challenge; `false` if there is no answer, so that the caller gets the response.
    private func answer(
        _ reply: HTTPReply,
        from challenger: Challenger,
        _ call: inout HTTPCall,
        _ attempts: inout ChallengeAttempts
    ) async throws(ClientError) -> Bool {
        let target = call.destination.target
        let response = reply.response.httpResponse
        guard try await self.finder.answer(response, from: challenger, target: target, for: call, &attempts) else {
            return false
        }
        reply.body.discard()  // the next request may need the connection
        try await call.renewBody()
        try await self.authorize(&call, challenger, &attempts)
        call.attempt += 1
        call.delegation?.begin(call.request, attempt: call.attempt)
        return true
    }

    /// Adds a credential without waiting for a challenge: the request's own, one that was accepted before, or that of the proxy's
    /// URL.
    private func preempt(
        _ challenger: Challenger,
        _ call: inout HTTPCall,
        _ attempts: inout ChallengeAttempts
    ) async throws(ClientError) {
        let target = call.destination.target
        if !challenger.isProxy, let option = call.request.options.credential, option.isPreemptive {
            guard !Self.hasOwnField(call, challenger) else { return }
            guard try Self.use(option, at: challenger, target, call, &attempts) else { return }
        } else {
            guard !Self.hasOwnField(call, challenger) else { return }
            let known = self.finder.known(to: challenger, target: target, for: call)
            guard let active = known ?? self.finder.preemptive(for: challenger, by: call) else { return }
            attempts.use(active, isInherited: true)
        }
        try await self.authorize(&call, challenger, &attempts)
    }

    /// Whether the request sets the field for credentials itself, so that the caller handles challenges.
    private static func hasOwnField(_ call: HTTPCall, _ challenger: Challenger) -> Bool {
        call.request.fields.contains(challenger.authorizationField)
    }

    /// Uses the credential that the request sets; `false` if the request does not allow the scheme.
    private static func use(
        _ option: RequestCredential,
        at challenger: Challenger,
        _ target: String,
        _ call: HTTPCall,
        _ attempts: inout ChallengeAttempts
    ) throws(ClientError) -> Bool {
        do throws(AuthorizationError) {
            let credential = option.credential
            let authorizer = try Authorizer(preemptive: credential, origin: challenger.origin, target: target)
            guard option.schemes?.contains(authorizer.scheme) ?? true else { return false }
            let space = ProtectionSpace(origin: challenger.origin, scheme: authorizer.scheme)
            attempts.use(ActiveCredential(authorizer, credential, for: space, of: challenger), isInherited: true)
            return true
        } catch {
            throw .authenticationFailed(.credentialNotUsable(error.description), call.context(.authenticate))
        }
    }

    private func authorize(
        _ call: inout HTTPCall,
        _ challenger: Challenger,
        _ attempts: inout ChallengeAttempts
    ) async throws(ClientError) {
        guard let active = attempts.active else { return }
        let bodyHash = try await BodyDigest.hash(of: call.request.body, by: active, for: call)
        let target = challenger.isProxy ? call.destination.absoluteTarget : call.destination.target
        do throws(AuthorizationError) {
            let method = call.request.method.rawValue
            guard let value = try attempts.fieldBytes(method: method, target: target, bodyHash: bodyHash) else {
                return
            }
            let name = challenger.authorizationField
            let field = HTTPField(name: name, value: value)
            call.request.fields[fields: name] = [field]
            guard !challenger.isProxy, let sent = call.stageContext[SentFields.Key.self] else { return }
            let own = CredentialFinder.requestCredential(for: challenger, by: call)
            sent.note(authorization: field, isOwn: own?.content == active.credential.content)
        } catch {
            throw .authenticationFailed(.credentialNotUsable(error.description), call.context(.authenticate))
        }
    }

    /// Checks the server's proof, at the end of a body that it covers, and keeps a credential that the server has accepted.
    private func learn(
        from reply: HTTPReply,
        _ challenger: Challenger,
        _ call: HTTPCall,
        _ attempts: ChallengeAttempts
    ) async throws(ClientError) -> HTTPReply {
        guard let active = attempts.active else { return reply }
        var reply = reply
        if active.space.scheme == .digest, let field = reply.response.fields[fields: challenger.infoField].first {
            let info = field.withUnsafeBytesOfValue { Array($0) }
            let head = reply.response.httpResponse
            let known = self.finder.known
            let check: @Sendable (String?) throws(ClientError) -> Void = { hash throws(ClientError) in
                do throws(AuthorizationError) {
                    try active.withAuthorizer { authorizer throws(AuthorizationError) in
                        try authorizer.received(authenticationInfo: info, responseBodyHash: hash)
                    }
                } catch {
                    known.forget(active)
                    throw .authenticationFailed(.serverNotAuthentic, call.context(.authenticate, response: head))
                }
            }
            // The proof covers the content as the server sent it, so the client cannot check the proof after
            // decompression.
            if let hasher = active.bodyHasher, !reply.response.noticedFields.contains(.contentEncoding) {
                reply.body = try reply.body.verified(hasher, for: call) { hash throws(ClientError) in try check(hash) }
            } else {
                try check(nil)
            }
        }
        try await self.finder.accepted(attempts, reply.response.statusCode, for: call)
        return reply
    }
}
