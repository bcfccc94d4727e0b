// SPDX-License-Identifier: Apache-2.0
package import HTTPTypes
package import TernErrors
package import TernRequests

/// What is known after a try, and what follows from it: pure, and so tested with values.
package struct RetryDecision: Sendable {
    /// How a try ended.
    package enum Outcome: Sendable {
        /// The head of a response came.
        case response(HTTPResponse)
        /// It failed before; `isFirst` if no attempt before this one was answered, by a challenge or a redirect.
        case failure(ClientError, isFirst: Bool)
    }

    /// What is done.
    package enum Action: Hashable, Sendable {
        /// Give the caller what there is.
        case stop
        /// Wait so long at least, then try again.
        case retry(after: Duration)
    }

    private let policy: RetryPolicy

    /// Decides by a policy.
    package init(_ policy: RetryPolicy) { self.policy = policy }

    /// Whether a call that ended so is tried again, and when; whether its body can be sent again is seen elsewhere.
    ///
    /// - Parameters:
    ///   - outcome: how the try ended.
    ///   - method: the request's method.
    ///   - fields: the request's fields.
    ///   - attempt: which try it was, from 1.
    ///   - now: the present by this machine's clock; where the response has a `Date`, that counts.
    ///   - generator: where jitter comes from.
    /// - Returns: what to do.
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
            // A limit of time that the whole call has leaves no time for another try.
            // A response that began may have been used in part; that of a proxy to CONNECT is none to the request.
            let isUndelivered = error.context.delivery != .unknown
            guard error.isRetryable, error.context.response == nil || isUndelivered,
                isIdempotent || isFirst && isUndelivered
            else { return .stop }
            return .retry(after: self.policy.backoff.delay(before: attempt, using: &generator))
        case .response(let response):
            guard self.policy.statusCodes.contains(response.status.code), isIdempotent else { return .stop }
            let backoff = self.policy.backoff.delay(before: attempt, using: &generator)
            guard let wish = Self.wish(of: response, now) else { return .retry(after: backoff) }
            // The jitter comes on top: many clients may have been told the same.
            return wish <= self.policy.maximumRetryAfter ? .retry(after: wish + backoff) : .stop
        }
    }

    private static func wish(of response: HTTPResponse, _ now: HTTPDate) -> Duration? {
        guard let text = response.headerFields[.retryAfter], let wish = RetryAfter(text, now: now) else { return nil }
        return wish.delay(from: response.headerFields[.date].flatMap { HTTPDate($0, now: now) } ?? now)
    }
}
