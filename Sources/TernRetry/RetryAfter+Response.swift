// SPDX-License-Identifier: Apache-2.0
import HTTPTypes
package import TernErrors
package import TernRequests

extension RetryAfter {
    /// Returns the time that a response asks to wait; `nil` if it has no `Retry-After`.
    ///
    /// - Parameters:
    ///   - response: The response.
    ///   - now: The current time by this machine's clock. The method compares a date with the response's `Date`, or
    ///     with `now` if the response has none.
    /// - Returns: The time to wait.
    static func delay(of response: HTTPResponse, now: HTTPDate) -> Duration? {
        guard let text = response.headerFields[.retryAfter], let retryAfter = RetryAfter(text, now: now) else {
            return nil
        }
        return retryAfter.delay(from: response.headerFields[.date].flatMap { HTTPDate($0, now: now) } ?? now)
    }
}

extension ClientError {
    /// Returns the time that the response of this error asks a sequence to wait before it connects again; `nil` if there
    /// is no such time.
    ///
    /// "Servers send the 'Retry-After' header field to indicate how long the user agent ought to wait before making a
    /// follow-up request" (RFC 9110 §10.2.3). The time is at most the one that a server can make a call wait. A sequence
    /// that would wait longer could not tell its user anything.
    ///
    /// - Parameter now: The current time by this machine's clock.
    /// - Returns: The time to wait.
    package func requestedDelay(now: HTTPDate) -> Duration? {
        guard let response = self.context.response, Self.transientStatusCodes.contains(response.status.code) else {
            return nil
        }
        return RetryAfter.delay(of: response, now: now).map { min($0, RetryPolicy.defaultMaximumRetryAfter) }
    }
}
