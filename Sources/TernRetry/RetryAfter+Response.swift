// SPDX-License-Identifier: Apache-2.0
import HTTPTypes
package import TernErrors
package import TernRequests

extension RetryAfter {
    /// Returns the time that a response asks to wait, relative to its `Date`, or to `now` if it has none.
    static func delay(of response: HTTPResponse, now: HTTPDate) -> Duration? {
        guard let text = response.headerFields[.retryAfter], let retryAfter = RetryAfter(text, now: now) else {
            return nil
        }
        return retryAfter.delay(from: response.headerFields[.date].flatMap { HTTPDate($0, now: now) } ?? now)
    }
}

extension ClientError {
    /// Returns the time that a response with a transient status asks to wait (RFC 9110 §10.2.3), at most a minute, or `nil`.
    package func requestedDelay(now: HTTPDate) -> Duration? {
        guard let response = self.context.response, Self.transientStatusCodes.contains(response.status.code) else {
            return nil
        }
        return RetryAfter.delay(of: response, now: now).map { min($0, RetryPolicy.defaultMaximumRetryAfter) }
    }
}
