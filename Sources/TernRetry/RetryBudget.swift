// SPDX-License-Identifier: Apache-2.0

/// How many retries a host is sent at most, so that a server in trouble is not hammered.
///
/// Each host has a purse of tokens, full at first. A retry takes one; without one there is no retry, and the call ends
/// with what it has. Each call puts in ``tokensPerCall``, and each second ``tokensPerSecond``: so in the long run a busy
/// client adds a tenth to the load of a server that fails, and an idle one a retry every two seconds.
public struct RetryBudget: Hashable, Sendable {
    /// How many tokens the purse holds.
    public var maximumTokenCount: Double
    /// What each call puts in.
    public var tokensPerCall: Double
    /// What each second puts in.
    public var tokensPerSecond: Double

    /// Creates a budget.
    ///
    /// - Parameters:
    ///   - maximumTokenCount: how many tokens the purse holds; 10 by default, enough for a burst of failures.
    ///   - tokensPerCall: what each call puts in; 0.1 by default.
    ///   - tokensPerSecond: what each second puts in; 0.5 by default.
    public init(maximumTokenCount: Double = 10, tokensPerCall: Double = 0.1, tokensPerSecond: Double = 0.5) {
        self.maximumTokenCount = maximumTokenCount
        self.tokensPerCall = tokensPerCall
        self.tokensPerSecond = tokensPerSecond
    }
}

/// The purses of all hosts: events in, answers out.
public struct RetryBudgetStateMachine<Host: Hashable & Sendable>: Sendable {
    private struct Purse {
        var tokenCount: Double
        /// When it was last filled up, in time since a beginning of no meaning.
        var instant: Duration
    }

    /// More hosts than a program talks to at a time; those whose purse is full need no entry.
    public static var maximumHostCount: Int { 1024 }

    private var purses: [Host: Purse] = [:]

    /// Creates purses, all full.
    public init() {}

    /// A call to a host begins.
    public mutating func begin(_ host: Host, _ budget: RetryBudget, now: Duration) {
        guard let purse = self.purses[host] else { return }
        let tokenCount = Self.count(of: purse, budget, now) + max(0, budget.tokensPerCall)
        self.put(tokenCount, host, budget, now)
    }

    /// Takes a token for a retry; `false` if there is none.
    public mutating func take(_ host: Host, _ budget: RetryBudget, now: Duration) -> Bool {
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
