// SPDX-License-Identifier: Apache-2.0
import Synchronization
import TernConnections
import TernErrors
import TernRequests
import TernRetry
import TernTransport

/// Retries a call after a failure, or a response such as 503; above ``Redirects``, so that each retry begins with the original
/// request.
struct Retry: Stage {
    let policy: RetryPolicy?
    let budgets: RetryBudgets

    var isIdle: Bool { self.policy == nil }

    func isNeeded(by call: HTTPCall) -> Bool { call.request.options.retry != nil }

    func respond(to call: HTTPCall, next: NextStages) async throws(ClientError) -> HTTPReply {
        guard let policy = call.request.options.retry ?? self.policy else { return try await next.respond(to: call) }
        var call = call
        if call.request.isRepeatable, !policy.isIdempotent(call.request.method, call.request.fields) {
            call.request.options.isRepeatable = false  // so that the transport does not repeat it either
        }
        guard policy.maximumAttemptCount > 1 else { return try await next.respond(to: call) }
        return try await self.respond(to: call, by: policy, next: next)
    }

    private func respond(
        to original: HTTPCall,
        by policy: RetryPolicy,
        next: NextStages
    ) async throws(ClientError) -> HTTPReply {
        self.budgets.begin(original, policy)
        var call = original
        var attemptCount = 1
        // Advances with the retries only while no server can have acted on any attempt.
        var firstAttempt = original.attempt
        while true {
            let result = await Self.result(of: call, next)
            guard let delay = self.delay(after: result, of: call, policy, attemptCount),
                try await Self.renewBody(of: &call), self.budgets.take(Self.origin(of: result, call), call, policy)
            else { return try Self.reply(of: result, firstAttempt) }
            let isWithoutEffect = firstAttempt == call.attempt && Self.isUndelivered(result, call)
            let cause = Self.cause(result)
            // The requests after challenges and redirects have counted as attempts, too.
            let attempt = Self.attempt(of: result, call)
            // Discard the body, because the retry may need its connection.
            if case .success(let reply) = result { reply.body.discard() }
            if case .response(let refused) = cause {
                call.stageContext[RetriedStatus.self] = refused.statusCode  // the cache may have stored this response
            }
            call.delegation?.willRetry(after: delay, because: cause)
            try await Self.wait(delay, for: call)
            attemptCount += 1
            call.attempt = attempt + 1
            if isWithoutEffect { firstAttempt = call.attempt }
            call.delegation?.begin(call.request, attempt: call.attempt)
        }
    }

    private static func result(of call: HTTPCall, _ next: NextStages) async -> Result<HTTPReply, ClientError> {
        do throws(ClientError) {
            return .success(try await next.respond(toAttempt: call))
        } catch {
            return .failure(error)
        }
    }

    /// Returns the result of the last attempt, whose error tells the caller about the earlier ones.
    private static func reply(
        of result: Result<HTTPReply, ClientError>,
        _ firstAttempt: Int
    ) throws(ClientError) -> HTTPReply {
        switch result {
        case .success(let reply): return reply
        case .failure(var error):
            error.context.firstAttempt = firstAttempt
            throw error
        }
    }

    /// Returns whether no server has answered or can have acted on any request since the last retry.
    private static func isUndelivered(_ result: Result<HTTPReply, ClientError>, _ call: HTTPCall) -> Bool {
        switch result {
        case .success: false
        case .failure(let error): error.context.attempt <= call.attempt && error.context.isUndelivered
        }
    }

    /// Returns the delay before a retry, or `nil` if the policy or the call's deadline allows none.
    private func delay(
        after result: Result<HTTPReply, ClientError>,
        of call: HTTPCall,
        _ policy: RetryPolicy,
        _ attemptCount: Int
    ) -> Duration? {
        let outcome: RetryDecision.Outcome
        switch result {
        case .success(let reply):
            // Check the status first: most responses are never retried, so their fields need not be copied.
            guard policy.statusCodes.contains(reply.response.statusCode) else { return nil }
            outcome = .response(reply.response.httpResponse, isRedirected: !reply.response.redirects.isEmpty)
        case .failure(let error):
            // If the failure came after a redirect or a challenge, a server has answered an earlier request. So do not
            // assume that the call had no effect.
            outcome = .failure(error, isFirst: error.context.attempt <= call.attempt)
        }
        var generator = SystemRandomNumberGenerator()
        let action = RetryDecision(policy).action(
            after: outcome,
            call.request.method,
            call.request.fields,
            attempt: attemptCount,
            now: call.clock.date,
            using: &generator
        )
        guard case .retry(let delay) = action else { return nil }
        if let deadline = call.deadline, call.clock.now.advanced(by: delay) >= deadline.instant { return nil }
        return delay
    }

    /// Ensures that the client can send the body again; `false` if no delegate provides a new one.
    private static func renewBody(of call: inout HTTPCall) async throws(ClientError) -> Bool {
        do throws(ClientError) {
            try await call.renewBody()
            return true
        } catch {
            if case .uploadFailed(.notReplayable, _) = error { return false }
            throw error
        }
    }

    private static func attempt(of result: Result<HTTPReply, ClientError>, _ call: HTTPCall) -> Int {
        let told = call.delegation?.attempt ?? call.attempt
        switch result {
        case .success(let reply): return max(told, call.attempt + reply.response.redirects.count)
        case .failure(let error): return max(told, error.context.attempt)
        }
    }

    /// Returns the origin that failed, which after redirects may not be that of the original request.
    private static func origin(of result: Result<HTTPReply, ClientError>, _ call: HTTPCall) -> String {
        switch result {
        case .success(let reply):
            let place = try? Destination(reply.response.url)
            return (place ?? call.destination).origin.description
        case .failure(let error):
            return error.context.origin
        }
    }

    private static func cause(_ result: Result<HTTPReply, ClientError>) -> RetryCause {
        switch result {
        case .success(let reply): .response(reply.response)
        case .failure(let error): .failure(error)
        }
    }

    private static func wait(_ delay: Duration, for call: HTTPCall) async throws(ClientError) {
        let end = call.clock.now.advanced(by: delay)
        let isOver = await Suspension<Bool>().wait(until: end, on: call.clock, onTimeout: true, onCancel: false)
        guard isOver else { throw .cancelled(call.context(.retry)) }
    }
}

/// The retry budgets of a client, one for each origin or Unix-domain socket; all calls of the client share them.
final class RetryBudgets: Sendable {
    private let state = Mutex(RetryBudgetStateMachine<String>())

    /// Records that a call begins, which adds to the budget of its origin or socket.
    func begin(_ call: HTTPCall, _ policy: RetryPolicy) {
        guard let budget = policy.budget else { return }
        let host = Self.host(call.destination.origin.description, call)
        self.state.withLock { $0.begin(host, budget, now: Self.now(call)) }
    }

    /// Uses one retry of the budget of an origin; `false` if none is left.
    func take(_ origin: String, _ call: HTTPCall, _ policy: RetryPolicy) -> Bool {
        guard let budget = policy.budget else { return true }
        let host = Self.host(origin, call)
        return self.state.withLock { $0.take(host, budget, now: Self.now(call)) }
    }

    /// Returns the key of a budget: the path of the Unix-domain socket, or the origin if there is no socket.
    private static func host(_ origin: String, _ call: HTTPCall) -> String {
        call.request.options.unixSocketPath ?? origin
    }

    private static func now(_ call: HTTPCall) -> Duration { .nanoseconds(call.clock.now.nanoseconds) }
}
