// SPDX-License-Identifier: Apache-2.0
public import Tern

/// The limits of a queue.
public struct TransferQueueConfiguration: Hashable, Sendable {
    /// The maximum number of transfers that run at the same time, at least 1.
    ///
    /// Beyond it, the other transfers wait.
    public var maximumRunningCount: Int
    /// The maximum number of transfers of one host (scheme, host name and port) that run at the same time, at least 1.
    ///
    /// Beyond it, the other transfers wait. Defaults to 2, so that one slow host does not take all places.
    public var maximumRunningCountPerHost: Int
    /// The maximum number of attempts without progress, including the first.
    ///
    /// Beyond it, the transfer fails, and waits for `resume`. After about 1 MiB of new bytes, which the server must acknowledge in
    /// an upload, the count usually starts again. Bytes that an earlier attempt had transferred count only if the attempt lasts for
    /// 5 seconds. See ``QueuedTransfer/failedAttemptCount`` for what does not count. Defaults to 10; with the default
    /// ``backoff``, and without `Retry-After` and attempts that do not count, the waits take at most about eight and a half minutes
    /// together. A value below 1 has the effect of 1.
    public var maximumAttemptCount: Int
    /// The time to wait after a failed attempt, except after a failure of the network; a `Retry-After` is added.
    ///
    /// Beyond it, the transfer may start again. If the failed attempt has transferred 1 MiB in less than 5 seconds, the queue
    /// usually waits at least 500 milliseconds longer, or `initialDelay` of the backoff if that is shorter.
    public var backoff: Backoff
    /// The maximum time of a server's `Retry-After` (RFC 9110 §10.2.3).
    ///
    /// Beyond it, the transfer fails, usually as ``TransferFailure/Reason/serverUnavailable``.
    public var maximumRetryAfter: Duration
    /// The time to wait after a failure of the network; while the network is gone, the queue starts only one transfer at a time.
    public var probeBackoff: Backoff
    /// The number of transfers, whatever their state, at which the queue is full; all of them are in memory.
    ///
    /// Beyond it, ``TransferQueue/add(_:)`` throws ``TransferQueueError/full(limit:)``.
    public var maximumCount: Int

    /// Creates limits from the values of the properties.
    public init(
        maximumRunningCount: Int = 4,
        maximumRunningCountPerHost: Int = 2,
        maximumAttemptCount: Int = 10,
        backoff: Backoff = Backoff(initialDelay: .seconds(1), maximumDelay: .seconds(300)),
        maximumRetryAfter: Duration = .seconds(86400),
        probeBackoff: Backoff = Backoff(initialDelay: .seconds(1), maximumDelay: .seconds(60)),
        maximumCount: Int = 10_000
    ) {
        self.maximumRunningCount = maximumRunningCount
        self.maximumRunningCountPerHost = maximumRunningCountPerHost
        self.maximumAttemptCount = maximumAttemptCount
        self.backoff = backoff
        self.maximumRetryAfter = maximumRetryAfter
        self.probeBackoff = probeBackoff
        self.maximumCount = maximumCount
    }
}
