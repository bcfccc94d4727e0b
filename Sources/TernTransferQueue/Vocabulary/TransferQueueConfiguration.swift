// SPDX-License-Identifier: Apache-2.0
public import Tern

/// The limits of a queue.
public struct TransferQueueConfiguration: Hashable, Sendable {
    /// The maximum number of transfers that run at the same time.
    ///
    /// Defaults to 4. A value below 1 has the effect of 1.
    public var maximumRunningCount: Int
    /// The maximum number of transfers of one host that run at the same time.
    ///
    /// The host is the scheme, the host name and the port of the description's URL. Defaults to 2, so that one slow
    /// host does not take all places. A value below 1 has the effect of 1.
    public var maximumRunningCountPerHost: Int
    /// The maximum number of attempts without progress, including the first.
    ///
    /// After 1 MiB of new bytes, the count starts again. If a transfer has begun again, bytes that it had before start
    /// the count only if the attempt lasted for 5 seconds. Attempts that did not reach the network do not count. Defaults
    /// to 10; with the default ``backoff``, the waits take at most eight and a half minutes together. A value below 1
    /// has the effect of 1.
    public var maximumAttemptCount: Int
    /// The time to wait before an attempt after the first.
    ///
    /// Defaults to a bound of one second that doubles up to five minutes, with jitter. After an attempt that started the
    /// count again and lasted less than 5 seconds, the queue waits 500 milliseconds longer, or `initialDelay` of the
    /// backoff if that is shorter.
    public var backoff: Backoff
    /// The maximum time that a server may make a transfer wait with `Retry-After` (RFC 9110 §10.2.3).
    ///
    /// Defaults to one day. If the server asks for more, the transfer fails with
    /// ``TransferFailure/Reason/serverUnavailable``.
    public var maximumRetryAfter: Duration
    /// The time to wait between attempts while the network is gone.
    ///
    /// While the network is gone, only one transfer at a time tries whether it is back. Defaults to a bound of one
    /// second that doubles up to one minute, with jitter.
    public var probeBackoff: Backoff
    /// The maximum number of transfers in the queue, whatever their state.
    ///
    /// Defaults to 10,000. All of them are in memory.
    public var maximumCount: Int

    /// Creates limits.
    ///
    /// - Parameters:
    ///   - maximumRunningCount: The maximum number of transfers that run at the same time. Defaults to 4.
    ///   - maximumRunningCountPerHost: The maximum number of transfers of one host that run at the same time. Defaults
    ///     to 2.
    ///   - maximumAttemptCount: The maximum number of attempts without progress. Defaults to 10.
    ///   - backoff: The time to wait before an attempt. Defaults to at most five minutes.
    ///   - maximumRetryAfter: The maximum time to wait for `Retry-After`. Defaults to one day.
    ///   - probeBackoff: The time to wait between attempts while the network is gone. Defaults to at most one minute.
    ///   - maximumCount: The maximum number of transfers in the queue. Defaults to 10,000.
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
