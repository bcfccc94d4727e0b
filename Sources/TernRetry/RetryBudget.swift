// SPDX-License-Identifier: Apache-2.0

/// How many retries a host is sent at most, so that a server in trouble is not hammered.
///
/// Each host has a purse of tokens, full at first. A retry takes one; without one there is no retry, and the call ends
/// with what it has. Each call puts in `tokensPerCall`, and each second `tokensPerSecond`: so in the long run a busy
/// client adds a tenth to the load of a server that fails, and an idle one a retry every two seconds.
public struct RetryBudget: Hashable, Sendable {
    /// How many tokens the purse holds.
    package var maximumTokenCount: Double
    /// What each call puts in.
    package var tokensPerCall: Double
    /// What each second puts in.
    package var tokensPerSecond: Double

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
