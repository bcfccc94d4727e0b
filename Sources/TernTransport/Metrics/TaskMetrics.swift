// SPDX-License-Identifier: Apache-2.0
#if canImport(FoundationEssentials)
public import FoundationEssentials
#else
public import Foundation
#endif

/// How the time of one call was spent: what each request of it did, and when.
///
/// All instants are relative to the call's start. Those of ``Response/metrics`` are what is known so far; they are
/// complete once the body was read to its end or released.
public struct TaskMetrics: Sendable {
    /// When the call began.
    public var startDate: Date
    /// The requests that were sent for the call, oldest first; at most 64, then the oldest are forgotten.
    ///
    /// It is empty where nothing was sent, because a stage had the answer.
    public var transactions: [TransactionMetrics]
    /// How long the call took, to the end of the body; or how long it has lasted, if it goes on.
    public var duration: Duration
    /// How many redirects were followed.
    package var redirectCount: Int
    /// Whether the call is over, so that nothing changes any more.
    public var isComplete: Bool

    /// Creates the metrics of a call; clients do, and tests.
    ///
    /// - Parameters:
    ///   - startDate: when it began.
    ///   - transactions: its requests; none by default.
    ///   - duration: how long it took; no time by default.
    ///   - redirectCount: how many redirects were followed; 0 by default.
    ///   - isComplete: whether it is over; `false` by default.
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

/// What knows the metrics of a call while it goes on.
package protocol MetricsSource: AnyObject, Sendable {
    /// What is known now.
    var metrics: TaskMetrics { get }
}
