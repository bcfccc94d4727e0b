// SPDX-License-Identifier: Apache-2.0
import TernRetry

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
