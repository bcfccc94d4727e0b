// SPDX-License-Identifier: Apache-2.0
import HTTPTypes
import NIOCore
import TernErrors
import TernRequests
import TernStrictTransport
import TernTransport

/// Follows redirects (RFC 9110 §15.4) that the redirect policy or a delegate allows.
struct Redirects: Stage {
    /// The maximum number of times that one call sends the same request; a server may set a cookie and redirect to the same URL.
    ///
    /// Beyond it, the call throws `ClientError.redirectFailed(.loop)`.
    private static let maximumVisitCount = 3

    let policy: RedirectPolicy
    /// The hosts for which this stage changes `http` to `https`, because the rules for a redirect depend on the scheme that was
    /// sent.
    let strictTransport: (any StrictTransportStore)?

    @inline(__always)  // inlining into the witness saves a stack frame for every call
    func respond(to call: HTTPCall, next: NextStages) async throws(ClientError) -> HTTPReply {
        let call = self.strictTransport == nil ? call : try self.secured(call)
        let reply = try await next.respond(to: call)
        guard RedirectStep.isRedirect(reply.response) else { return reply }
        return try await self.follow(reply, of: call, next: next)
    }

    private func follow(
        _ first: HTTPReply,
        of original: HTTPCall,
        next: NextStages
    ) async throws(ClientError) -> HTTPReply {
        let policy = original.request.options.redirects ?? self.policy
        var call = original
        var reply = first
        var taken: [Response.Redirect] = []
        var visits = [RedirectStep.Visit(call.request): 1]
        while RedirectStep.isRedirect(reply.response) {
            let response = reply.response
            let context = { call.context(.redirect, response: response.httpResponse) }
            guard let step = try await self.next(after: response, of: call, policy) else { break }
            var request = step.request
            request.renewWebSocketKey()
            guard taken.count < max(0, policy.maximumCount) else {
                throw .redirectFailed(.tooMany(limit: policy.maximumCount), context())
            }
            visits[RedirectStep.Visit(request), default: 0] += 1
            guard visits[RedirectStep.Visit(request), default: 0] <= Self.maximumVisitCount else {
                throw .redirectFailed(.loop, context())
            }
            taken.append(Response.Redirect(url: call.request.url.withoutUserInfo, statusCode: response.statusCode))
            reply.discardBody()  // the next request may need the connection
            try await self.turn(&call, to: request, step.target, from: original.destination.origin, context)
            reply = try await next.respond(toAttempt: call)
        }
        if !taken.isEmpty { reply.response = reply.response.after(taken) }
        return reply
    }

    /// Returns the request to send next, and its target if the URL has another; `nil` to return the redirect as the response.
    private func next(
        after response: Response,
        of call: HTTPCall,
        _ policy: RedirectPolicy
    ) async throws(ClientError) -> (request: Request, target: String?)? {
        let context = { call.context(.redirect, response: response.httpResponse) }
        let step: RedirectStep
        do throws(RedirectFailure) {
            let found = try RedirectStep(
                response,
                of: call.request,
                from: call.destination,
                isHandshake: call.upgrade == .webSocket,
                self.rule(for: call)
            )
            guard let found else { return nil }
            step = found
        } catch {
            // If the policy follows no redirects, an invalid location does not matter.
            if policy.scope == .nowhere { return nil }
            throw .redirectFailed(error, context())
        }
        switch try await call.delegation?.answer(redirect: response, to: step.request, for: call) {
        case .follow(let request):
            let secured = try self.secured(request, of: call, context)
            return (secured, secured.url == step.request.url ? step.target : nil)
        case .stop: return nil
        case .cancel: throw .cancelled(context())
        case nil: break
        }
        switch policy.scope {
        case .nowhere: return nil
        case .sameOrigin: if !step.isSameOrigin { return nil }
        default: break
        }
        if step.isInsecure, !policy.allowsInsecure {
            throw .redirectFailed(.insecure, context())
        }
        return (step.request, step.target)
    }

    // MARK: Strict transport

    private func rule(for call: HTTPCall) -> StrictTransportRule? {
        self.strictTransport.map { StrictTransportRule(store: $0, now: call.clock.date) }
    }

    private func secured(_ call: HTTPCall) throws(ClientError) -> HTTPCall {
        guard let rule = self.rule(for: call), rule.concerns(call.request, to: call.destination) else { return call }
        var call = call
        do throws(RequestFailure) {
            call.request.url = try StrictTransportRule.secured(call.request.url)
            call.destination = try call.request.destination()
        } catch {
            throw .invalidRequest(error, call.context(.prepare))
        }
        call.delegation?.replace(with: call.request)
        return call
    }

    /// Returns the request that a delegate chose, with an https URL if its host demands https.
    private func secured(
        _ request: Request,
        of call: HTTPCall,
        _ context: () -> ClientError.Context
    ) throws(ClientError) -> Request {
        guard let rule = self.rule(for: call) else { return request }
        do throws(RequestFailure) {
            guard rule.concerns(request, to: try request.destination()) else { return request }
            var request = request
            request.url = try StrictTransportRule.secured(request.url)
            return request
        } catch {
            throw .redirectFailed(.invalidLocation(error.reasonOfLocation), context())
        }
    }

    private func turn(
        _ call: inout HTTPCall,
        to request: Request,
        _ target: String?,
        from firstOrigin: Origin,
        _ context: () -> ClientError.Context
    ) async throws(ClientError) {
        do throws(RequestFailure) {
            call.destination = try request.destination()
            if let target { call.destination = call.destination.requesting(target) }
        } catch {
            throw .redirectFailed(.invalidLocation(error.reasonOfLocation), context())
        }
        call.request = request
        call.request.options[FirstOriginOption.self] = firstOrigin
        try await call.renewBody()
        call.attempt += 1
        call.delegation?.begin(call.request, attempt: call.attempt, isRedirect: true)
    }
}
