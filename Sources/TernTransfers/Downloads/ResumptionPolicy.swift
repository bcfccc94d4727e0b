// SPDX-License-Identifier: Apache-2.0
public import TernErrors
public import TernRetry

/// The rules by which a download or an upload continues within one call after its connection broke.
public struct ResumptionPolicy: Hashable, Sendable {
    /// The number of new bytes after which the count of attempts starts again: 1 MiB.
    ///
    /// So a long download survives any number of interruptions. A server that sends only a few bytes each time does not
    /// keep a call alive without end.
    package static let progressByteCount: Int64 = 1 << 20

    /// The maximum number of attempts without progress, including the first.
    ///
    /// After 1 MiB of new bytes, the count starts again. A value below 1 has the effect of 1. Defaults to 5.
    public var maximumAttemptCount: Int
    /// The time to wait before an attempt after the first.
    public var backoff: Backoff
    /// The statuses of a response after which the client repeats the request.
    ///
    /// Defaults to `ClientError.transientStatusCodes`.
    public var statusCodes: Set<Int>
    /// The maximum time that the server may make the call wait with `Retry-After`.
    ///
    /// The call waits this long in addition to ``backoff``. Defaults to 60 seconds, as in `RetryPolicy`. If the server
    /// asks for more, the call ends.
    public var maximumRetryAfter: Duration

    /// Creates a policy.
    ///
    /// - Parameters:
    ///   - maximumAttemptCount: The maximum number of attempts without progress, including the first. Defaults to 5.
    ///   - backoff: The time to wait before an attempt. See `Backoff` for its defaults.
    ///   - statusCodes: The statuses after which the client repeats the request. Defaults to
    ///     `ClientError.transientStatusCodes`.
    ///   - maximumRetryAfter: The maximum time to wait for `Retry-After`. Defaults to 60 seconds.
    public init(
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

    /// The default rules: a call repeats its request up to four times without progress.
    public static let automatic = ResumptionPolicy()

    /// The call ends at the first interruption; a later call can continue the transfer.
    public static let manual = ResumptionPolicy(maximumAttemptCount: 1)
}

/// The failed attempts of a call, of which its policy allows a number without progress.
struct DownloadAttempts: Sendable {
    let policy: ResumptionPolicy

    /// The number of failed attempts in the whole call.
    private(set) var failedCount = 0
    /// The number of failed attempts since the last progress.
    private var failedCountSinceProgress = 0
    /// The number of bytes of the file that were present at the last progress.
    private var progressMark: Int64 = 0

    /// Creates the attempts of a call that has made none.
    init(_ policy: ResumptionPolicy) { self.policy = policy }

    /// Whether the policy allows no further attempt.
    var areUsedUp: Bool { self.failedCountSinceProgress >= self.policy.maximumAttemptCount }

    /// Records the number of bytes that are present before the first attempt.
    mutating func begin(with byteCount: Int64) { self.progressMark = byteCount }

    /// Records the number of bytes that are present, which is progress if there are enough new ones.
    mutating func note(_ byteCount: Int64) {
        guard byteCount - self.progressMark >= ResumptionPolicy.progressByteCount else { return }
        self.progressMark = byteCount
        self.failedCountSinceProgress = 0
    }

    /// Counts a failed attempt, unless another has counted since its exchange began.
    ///
    /// If a line breaks, all its exchanges fail, and this counts as one failed attempt.
    ///
    /// - Parameter count: The value of ``failedCount`` when the exchange began.
    mutating func fail(since count: Int) {
        guard count == self.failedCount else { return }
        self.failedCount += 1
        self.failedCountSinceProgress += 1
    }

    /// Allows as many attempts as the policy allows after progress.
    mutating func startAgain() { self.failedCountSinceProgress = 0 }

    /// Returns the time to wait before the next attempt.
    func delay(using generator: inout some RandomNumberGenerator) -> Duration {
        self.policy.backoff.delay(before: max(1, self.failedCountSinceProgress), using: &generator)
    }
}
