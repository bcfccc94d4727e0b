// SPDX-License-Identifier: Apache-2.0
public import TernErrors
public import TernRetry

/// The rules by which a download or an upload continues within one call after an interruption.
public struct ResumptionPolicy: Hashable, Sendable {
    /// The number of new bytes after which the attempts count from the start again: a long download survives any number of
    /// interruptions, but a server that sends only a few bytes each time does not keep a call alive.
    package static let progressByteCount: Int64 = 1 << 20

    package var maximumAttemptCount: Int
    package var backoff: Backoff
    package var statusCodes: Set<Int>
    package var maximumRetryAfter: Duration

    /// Creates a policy.
    ///
    /// - Parameters:
    ///   - maximumAttemptCount: The maximum number of attempts without progress, including the first. Beyond it, the call usually
    ///     throws the last error, or returns the last response if it refuses to create an upload with the IETF's draft; the
    ///     bytes stay for a later call, if it can continue. After 1 MiB of new bytes, which the server must acknowledge in an
    ///     upload, the count usually starts again. A value below 1 has the effect of 1.
    ///   - backoff: The time to wait after an interruption or a temporary refusal.
    ///   - statusCodes: The statuses of a response after which the client tries again, if the request may be repeated; with tus,
    ///     also 423 (Locked).
    ///   - maximumRetryAfter: The maximum time that the server may make the call wait with `Retry-After`, in addition to the
    ///     backoff. Beyond it, the call usually throws `ClientError.validationFailed(.status)`, or returns the response if it
    ///     refuses to create an upload with the IETF's draft.
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

    /// The default rules: a call makes up to five attempts without progress.
    public static let automatic = ResumptionPolicy()

    /// As a rule, the call ends at the first interruption; a later call may continue the transfer if the server allows that.
    public static let manual = ResumptionPolicy(maximumAttemptCount: 1)
}

struct DownloadAttempts: Sendable {
    let policy: ResumptionPolicy

    private(set) var failedCount = 0
    private var failedCountSinceProgress = 0
    /// The number of bytes of the file that were present at the last progress.
    private var progressMark: Int64 = 0

    init(_ policy: ResumptionPolicy) { self.policy = policy }

    var areUsedUp: Bool { self.failedCountSinceProgress >= self.policy.maximumAttemptCount }

    mutating func begin(with byteCount: Int64) { self.progressMark = byteCount }

    /// Records the number of bytes that are present, which is progress if there are enough new ones.
    mutating func note(_ byteCount: Int64) {
        guard byteCount - self.progressMark >= ResumptionPolicy.progressByteCount else { return }
        self.progressMark = byteCount
        self.failedCountSinceProgress = 0
    }

    /// Counts a failed attempt, unless another has counted since its exchange began: if a line breaks, all its exchanges fail at
    /// once.
    mutating func fail(since count: Int) {
        guard count == self.failedCount else { return }
        self.failedCount += 1
        self.failedCountSinceProgress += 1
    }

    mutating func startAgain() { self.failedCountSinceProgress = 0 }

    func delay(using generator: inout some RandomNumberGenerator) -> Duration {
        self.policy.backoff.delay(before: max(1, self.failedCountSinceProgress), using: &generator)
    }
}
