// SPDX-License-Identifier: Apache-2.0

/// Counts the retry tokens of all hosts; the caller passes each event and the current time.
package struct RetryBudgetStateMachine<Host: Hashable & Sendable>: Sendable {
    private struct TokenBucket {
        var tokenCount: Double
        var instant: Duration
    }

    /// The maximum number of hosts with an entry; a host without one has all its tokens.
    package static var maximumHostCount: Int { 1024 }

    private var buckets: [Host: TokenBucket] = [:]

    package init() {}

    package mutating func begin(_ host: Host, _ budget: RetryBudget, now: Duration) {
        guard let bucket = self.buckets[host] else { return }
        let tokenCount = Self.count(of: bucket, budget, now) + max(0, budget.tokensPerCall)
        self.put(tokenCount, host, budget, now)
    }

    package mutating func take(_ host: Host, _ budget: RetryBudget, now: Duration) -> Bool {
        let tokenCount = self.buckets[host].map { Self.count(of: $0, budget, now) } ?? budget.maximumTokenCount
        guard tokenCount >= 1 else { return false }
        self.put(tokenCount - 1, host, budget, now)
        return true
    }

    private mutating func put(_ tokenCount: Double, _ host: Host, _ budget: RetryBudget, _ now: Duration) {
        guard tokenCount < budget.maximumTokenCount else {
            self.buckets[host] = nil
            return
        }
        if self.buckets[host] == nil, self.buckets.count >= Self.maximumHostCount { self.forgetOldest() }
        self.buckets[host] = TokenBucket(tokenCount: tokenCount, instant: now)
    }

    private mutating func forgetOldest() {
        guard let oldest = self.buckets.min(by: { $0.value.instant < $1.value.instant }) else { return }
        self.buckets[oldest.key] = nil
    }

    private static func count(of bucket: TokenBucket, _ budget: RetryBudget, _ now: Duration) -> Double {
        let seconds = max(0, (now - bucket.instant) / .seconds(1))
        return min(budget.maximumTokenCount, bucket.tokenCount + seconds * max(0, budget.tokensPerSecond))
    }
}
