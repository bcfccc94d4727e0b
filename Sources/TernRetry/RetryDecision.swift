// SPDX-License-Identifier: Apache-2.0
package import HTTPTypes
package import TernErrors
package import TernRequests

/// Decides from the outcome of an attempt whether to retry.
package struct RetryDecision: Sendable {
    package enum Outcome: Sendable {
        /// The head of a response arrived, `isRedirected` if a server answered an earlier request of this attempt with a redirect.
        case response(HTTPResponse, isRedirected: Bool)
        /// The call failed; `isFirst` if, since the last retry, no earlier request was answered with a challenge or a redirect.
        case failure(ClientError, isFirst: Bool)
    }

    package enum Action: Hashable, Sendable {
        case stop
        case retry(after: Duration)
    }

    /// Too many requests (RFC 6585 §4), and not available (RFC 9110 §15.6.4).
    private static let refusals: Set<Int> = [429, 503]

    private let policy: RetryPolicy

    package init(_ policy: RetryPolicy) { self.policy = policy }

    /// Returns whether and when to retry a call, without a check whether its body can be sent again; `attempt` counts from 1.
    package func action(
        after outcome: Outcome,
        _ method: HTTPRequest.Method,
        _ fields: HTTPFields,
        attempt: Int,
        now: HTTPDate,
        using generator: inout some RandomNumberGenerator
    ) -> Action {
        guard attempt < self.policy.maximumAttemptCount else { return .stop }
        let isIdempotent = self.policy.isIdempotent(method, fields)
        switch outcome {
        case .failure(let error, let isFirst):
            // `isRetryable` is false once the time limit of the whole call has passed. If the server's response has
            // begun, the caller may have used a part of it. A proxy's response to CONNECT does not prevent a retry,
            // because the request was not delivered.
            let isUndelivered = error.context.isUndelivered
            guard error.isRetryable, error.context.response == nil || isUndelivered,
                isIdempotent || isFirst && isUndelivered
            else { return .stop }
            return .retry(after: self.policy.backoff.delay(before: attempt, using: &generator))
        case .response(let response, let isRedirected):
            guard self.policy.statusCodes.contains(response.status.code) else { return .stop }
            let requested = RetryAfter.delay(of: response, now: now)
            // A challenge before this response does no harm: a 401 "indicates that the request has not been applied"
            // (RFC 9110 §15.5.2).
            let isUnprocessed =
                self.policy.trustsRetryAfter && requested != nil && !isRedirected
                && Self.refusals.contains(response.status.code)
            guard isIdempotent || isUnprocessed else { return .stop }
            let backoff = self.policy.backoff.delay(before: attempt, using: &generator)
            guard let delay = requested else { return .retry(after: backoff) }
            // Add the random backoff, because many clients may have received the same `Retry-After`.
            return delay <= self.policy.maximumRetryAfter ? .retry(after: delay + backoff) : .stop
        }
    }
}
