// SPDX-License-Identifier: Apache-2.0
import Foundation
import Tern

/// Decides when to retry a file: after a pause, and not before the time that `Retry-After` names.
struct Retrying: Sendable {
    var maximumCount = 3
    /// The pause before a retry: random, so that many files do not retry at once, with a limit that doubles each time.
    var backoff = Backoff()
    /// The longest time that a server may ask the program to wait before it gives up until the next run.
    var maximumRetryAfter: Duration = .seconds(60)

    /// Returns the time to wait before a retry, counted from 1; `nil` if the program should not retry.
    func delay(before retry: Int, after error: any Error, now: Date = Date()) -> Duration? {
        guard retry <= self.maximumCount, Self.isWorthAnotherTry(error) else { return nil }
        var generator = SystemRandomNumberGenerator()
        let pause = self.backoff.delay(before: retry, using: &generator)
        guard let delay = Self.requestedDelay(error, HTTPDate(secondsSince1970: Int64(now.timeIntervalSince1970)))
        else {
            return pause
        }
        // Add the random pause, because the server may have named the same time for many files.
        return delay <= self.maximumRetryAfter ? delay + pause : nil
    }

    private static func isWorthAnotherTry(_ error: any Error) -> Bool {
        (error as? ClientError)?.isRetryable ?? (error is FileFetch.UnusablePart)
    }

    /// Returns the time that `Retry-After` names (RFC 9110 §10.2.3), relative to the response's `Date` if it has one.
    private static func requestedDelay(_ error: any Error, _ now: HTTPDate) -> Duration? {
        guard let fields = (error as? ClientError)?.context.response?.headerFields,
            let retryAfter = fields[.retryAfter].flatMap({ RetryAfter($0, now: now) })
        else { return nil }
        return retryAfter.delay(from: fields[.date].flatMap { HTTPDate($0, now: now) } ?? now)
    }
}
