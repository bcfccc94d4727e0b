// SPDX-License-Identifier: Apache-2.0

/// The purses of all hosts: events in, answers out.
package struct RetryBudgetStateMachine<Host: Hashable & Sendable>: Sendable {
    private struct Purse {
        var tokenCount: Double
        /// When it was last filled up, in time since a beginning of no meaning.
        var instant: Duration
    }

    /// More hosts than a program talks to at a time; those whose purse is full need no entry.
    package static var maximumHostCount: Int { 1024 }

    private var purses: [Host: Purse] = [:]

    /// Creates purses, all full.
    package init() {}

    /// A call to a host begins.
    package mutating func begin(_ host: Host, _ budget: RetryBudget, now: Duration) {
        guard let purse = self.purses[host] else { return }
        let tokenCount = Self.count(of: purse, budget, now) + max(0, budget.tokensPerCall)
        self.put(tokenCount, host, budget, now)
    }

    /// Takes a token for a retry; `false` if there is none.
    package mutating func take(_ host: Host, _ budget: RetryBudget, now: Duration) -> Bool {
        let tokenCount = self.purses[host].map { Self.count(of: $0, budget, now) } ?? budget.maximumTokenCount
        guard tokenCount >= 1 else { return false }
        self.put(tokenCount - 1, host, budget, now)
        return true
    }

    private mutating func put(_ tokenCount: Double, _ host: Host, _ budget: RetryBudget, _ now: Duration) {
        guard tokenCount < budget.maximumTokenCount else {
            self.purses[host] = nil
            return
        }
        if self.purses[host] == nil, self.purses.count >= Self.maximumHostCount { self.forgetOldest() }
        self.purses[host] = Purse(tokenCount: tokenCount, instant: now)
    }

    private mutating func forgetOldest() {
        guard let oldest = self.purses.min(by: { $0.value.instant < $1.value.instant }) else { return }
        self.purses[oldest.key] = nil
    }

    private static func count(of purse: Purse, _ budget: RetryBudget, _ now: Duration) -> Double {
        let seconds = max(0, (now - purse.instant) / .seconds(1))
        return min(budget.maximumTokenCount, purse.tokenCount + seconds * max(0, budget.tokensPerSecond))
    }
}
