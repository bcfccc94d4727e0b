// SPDX-License-Identifier: Apache-2.0
package import HTTPTypes
package import TernErrors
package import TernRequests

/// Decides from the outcome of an attempt whether to retry.
///
/// The decision depends only on its arguments and has no side effects, so tests need no client.
package struct RetryDecision: Sendable {
    /// The outcome of an attempt.
    package enum Outcome: Sendable {
        /// The head of a response arrived.
        case response(HTTPResponse)
        /// The attempt failed, in most cases before the head of a response arrived.
        ///
        /// `isFirst` is `true` if no attempt since the last retry was answered with a challenge or a redirect.
        case failure(ClientError, isFirst: Bool)
    }

    /// The decision.
    package enum Action: Hashable, Sendable {
        /// Give the caller the current result.
        case stop
        /// Wait at least this long, then make another attempt.
        case retry(after: Duration)
    }

    private let policy: RetryPolicy

    /// Creates a decision for a policy.
    package init(_ policy: RetryPolicy) { self.policy = policy }

    /// Returns whether and when to retry a call.
    ///
    /// This method does not check whether the call's body can be sent again.
    ///
    /// - Parameters:
    ///   - outcome: The outcome of the attempt.
    ///   - method: The method of the request.
    ///   - fields: The fields of the request.
    ///   - attempt: The number of the attempt, from 1. Attempts after challenges and redirects do not count.
    ///   - now: The current time by this machine's clock. The method compares a date in `Retry-After` with the
    ///     response's `Date`, or with `now` if the response has no `Date`.
    ///   - generator: The source of the jitter.
    /// - Returns: The action.
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
            let isUndelivered = error.context.delivery != .unknown
            guard error.isRetryable, error.context.response == nil || isUndelivered,
                isIdempotent || isFirst && isUndelivered
            else { return .stop }
            return .retry(after: self.policy.backoff.delay(before: attempt, using: &generator))
        case .response(let response):
            guard self.policy.statusCodes.contains(response.status.code), isIdempotent else { return .stop }
            let backoff = self.policy.backoff.delay(before: attempt, using: &generator)
            guard let delay = Self.requestedDelay(of: response, now) else { return .retry(after: backoff) }
            // Add the random backoff, because many clients may have received the same `Retry-After`.
            return delay <= self.policy.maximumRetryAfter ? .retry(after: delay + backoff) : .stop
        }
    }

    private static func requestedDelay(of response: HTTPResponse, _ now: HTTPDate) -> Duration? {
        guard let text = response.headerFields[.retryAfter], let retryAfter = RetryAfter(text, now: now) else {
            return nil
        }
        return retryAfter.delay(from: response.headerFields[.date].flatMap { HTTPDate($0, now: now) } ?? now)
    }
}
