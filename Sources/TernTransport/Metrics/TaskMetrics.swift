// SPDX-License-Identifier: Apache-2.0
public import TernFoundation

/// The metrics of one call: its requests, and the times of their steps.
///
/// All instants are relative to the call's start. ``Response/metrics`` returns the metrics that are known so far. They
/// are complete once the body has been read to its end or released.
public struct TaskMetrics: Sendable {
    /// The date at which the call began.
    public var startDate: Date
    /// The requests that were sent for the call, oldest first.
    ///
    /// If there are more than 64, only the last 64 are kept.
    ///
    /// Empty if the transport got no request, for example because the cache answered the call.
    public var transactions: [TransactionMetrics]
    /// The duration of the call, to the end of the body.
    ///
    /// For a running call, this is the time so far.
    public var duration: Duration
    /// The number of redirects that were followed.
    package var redirectCount: Int
    /// Whether the call is over, so that the metrics no longer change.
    public var isComplete: Bool

    /// Creates the metrics of a call; for clients, and for tests.
    ///
    /// - Parameters:
    ///   - startDate: The date at which the call began.
    ///   - transactions: The requests. Defaults to none.
    ///   - duration: The duration. Defaults to zero.
    ///   - redirectCount: The number of redirects that were followed. Defaults to 0.
    ///   - isComplete: Whether the call is over. Defaults to `false`.
    package init(
        startDate: Date,
        transactions: [TransactionMetrics] = [],
        duration: Duration = .zero,
        redirectCount: Int = 0,
        isComplete: Bool = false
    ) {
        self.startDate = startDate
        self.transactions = transactions
        self.duration = duration
        self.redirectCount = redirectCount
        self.isComplete = isComplete
    }
}

/// Provides the metrics of a call while the call is running.
package protocol MetricsSource: AnyObject, Sendable {
    /// The metrics so far.
    var metrics: TaskMetrics { get }
}
