// SPDX-License-Identifier: Apache-2.0
package import HTTPTypes
package import TernErrors
public import TernRequests

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

/// When the server wants to be asked again: the value of `Retry-After` (RFC 9110 §10.2.3).
public enum RetryAfter: Hashable, Sendable {
    /// After this time.
    case delay(Duration)
    /// Not before this date.
    case date(HTTPDate)

    /// The longest delay that is told apart from longer ones: 2³¹ seconds, as for ages (RFC 9111 §1.2.2).
    private static let maximumSeconds: Int64 = 1 << 31

    /// Reads the field's value; `nil` if it is neither a number of seconds nor a date.
    ///
    /// - Parameters:
    ///   - text: the value.
    ///   - now: the present, by which a date with a year of two digits is understood.
    public init?(_ text: String, now: HTTPDate) {
        let isNumber = !text.isEmpty && text.utf8.allSatisfy { (UInt8(ascii: "0")...UInt8(ascii: "9")).contains($0) }
        if isNumber {
            self = .delay(.seconds(min(Int64(text) ?? Self.maximumSeconds, Self.maximumSeconds)))
        } else if let date = HTTPDate(text, now: now) {
            self = .date(date)
        } else {
            return nil
        }
    }

    /// How long to wait.
    ///
    /// - Parameter now: the present, by the clock of the server: that of its `Date`, if it sent one.
    /// - Returns: the time from `now`; zero for a date that is over.
    public func delay(from now: HTTPDate) -> Duration {
        switch self {
        case .delay(let delay):
            return delay
        case .date(let date):
            let (seconds, overflows) = date.secondsSince1970.subtractingReportingOverflow(now.secondsSince1970)
            return .seconds(overflows ? Self.maximumSeconds : min(max(0, seconds), Self.maximumSeconds))
        }
    }
}
