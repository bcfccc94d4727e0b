// SPDX-License-Identifier: Apache-2.0
import Foundation
import Tern

/// When a file is tried again: not at once, and not before the server wants to be asked again, if it says so.
struct Retrying: Sendable {
    /// How often.
    var maximumCount = 3
    /// Twice as long each time, and at random, so that many files do not come back at once.
    var backoff = Backoff()
    /// A server that wants to be left alone for longer is left alone; the next run asks it again.
    var maximumRetryAfter: Duration = .seconds(60)

    /// How long to wait.
    ///
    /// - Parameters:
    ///   - retry: which retry it would be, from 1.
    ///   - error: why the last try failed.
    ///   - now: the present.
    /// - Returns: the time; `nil` if no further try is worth while.
    func delay(before retry: Int, after error: any Error, now: Date = Date()) -> Duration? {
        guard retry <= self.maximumCount, Self.isWorthAnotherTry(error) else { return nil }
        var generator = SystemRandomNumberGenerator()
        let pause = self.backoff.delay(before: retry, using: &generator)
        guard let wish = Self.wish(error, HTTPDate(secondsSince1970: Int64(now.timeIntervalSince1970))) else {
            return pause
        }
        // The pause comes on top: many files may have been told the same.
        return wish <= self.maximumRetryAfter ? wish + pause : nil
    }

    private static func isWorthAnotherTry(_ error: any Error) -> Bool {
        (error as? ClientError)?.isRetryable ?? (error is FileFetch.UnusablePart)
    }

    /// What `Retry-After` says (RFC 9110 §10.2.3), by the clock of the server if it has one.
    private static func wish(_ error: any Error, _ now: HTTPDate) -> Duration? {
        guard let fields = (error as? ClientError)?.context.response?.headerFields,
            let wish = fields[.retryAfter].flatMap({ RetryAfter($0, now: now) })
        else { return nil }
        return wish.delay(from: fields[.date].flatMap { HTTPDate($0, now: now) } ?? now)
    }
}
