// SPDX-License-Identifier: Apache-2.0
public import TernFoundation

/// The metrics of one call: its exchanges, and the times of their steps, relative to ``startDate``.
public struct TaskMetrics: Sendable {
    /// The date at which the call began, or at which the client had prepared the body of its request.
    public var startDate: Date
    /// The last 64 exchanges, oldest first; empty if the transport got no request, for example because the cache answered.
    public var transactions: [TransactionMetrics]
    /// The time from ``startDate`` to the end of the call; while the call is running, the time so far.
    public var duration: Duration
    package var redirectCount: Int
    /// Whether the call is over, so that the metrics no longer change.
    public var isComplete: Bool

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

package protocol MetricsSource: AnyObject, Sendable {
    var metrics: TaskMetrics { get }
}
