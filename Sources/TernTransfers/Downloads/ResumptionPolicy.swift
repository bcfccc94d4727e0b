// SPDX-License-Identifier: Apache-2.0
import TernErrors
package import TernRetry

/// The rules by which a download continues within one call after its connection broke.
package struct ResumptionPolicy: Hashable, Sendable {
    /// The number of new bytes after which the count of attempts starts again: 1 MiB.
    ///
    /// So a long download survives any number of interruptions. A server that sends only a few bytes each time does not
    /// keep a call alive without end.
    package static let progressByteCount: Int64 = 1 << 20

    /// The maximum number of attempts without progress, including the first.
    ///
    /// Defaults to 5.
    package var maximumAttemptCount: Int
    /// The time to wait before an attempt.
    package var backoff: Backoff
    /// The statuses after which the client repeats the request.
    ///
    /// Defaults to `ClientError.transientStatusCodes`.
    package var statusCodes: Set<Int>
    /// The maximum time that the server may make the call wait with `Retry-After`.
    ///
    /// Defaults to 60 seconds, as in `RetryPolicy`. If the server asks for more, the call ends.
    package var maximumRetryAfter: Duration

    /// Creates a policy.
    ///
    /// - Parameters:
    ///   - maximumAttemptCount: The maximum number of attempts without progress, including the first. Defaults to 5.
    ///   - backoff: The time to wait before an attempt. See `Backoff` for its defaults.
    ///   - statusCodes: The statuses after which the client repeats the request. Defaults to
    ///     `ClientError.transientStatusCodes`.
    ///   - maximumRetryAfter: The maximum time to wait for `Retry-After`. Defaults to 60 seconds.
    package init(
        maximumAttemptCount: Int = 5,
        backoff: Backoff = Backoff(),
        statusCodes: Set<Int> = ClientError.transientStatusCodes,
        maximumRetryAfter: Duration = .seconds(60)
    ) {
        self.maximumAttemptCount = maximumAttemptCount
        self.backoff = backoff
        self.statusCodes = statusCodes
        self.maximumRetryAfter = maximumRetryAfter
    }

    /// Ends the call at the first interruption; the record lets a later call continue.
    package static let never = ResumptionPolicy(maximumAttemptCount: 1)
}
