// SPDX-License-Identifier: Apache-2.0
#if canImport(FoundationEssentials)
public import FoundationEssentials
#else
public import Foundation
#endif

/// The metrics of one call: what each of its requests did, and when.
///
/// All instants are relative to the call's start. ``Response/metrics`` returns what is known so far; the metrics are
/// complete once the body has been read to its end or released.
public struct TaskMetrics: Sendable {
    /// The date at which the call began.
    public var startDate: Date
    /// The requests that were sent for the call, oldest first; at most 64, beyond which the oldest are dropped.
    ///
    /// Empty if nothing was sent, because a stage answered the call.
    public var transactions: [TransactionMetrics]
    /// The duration of the call, to the end of the body; for a running call, the time so far.
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

/// A source of the metrics of a call, while it is running.
package protocol MetricsSource: AnyObject, Sendable {
    /// The metrics so far.
    var metrics: TaskMetrics { get }
}
