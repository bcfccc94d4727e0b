// SPDX-License-Identifier: Apache-2.0

/// A limit for the number of retries to a host, which protects a server in trouble.
///
/// Each host has a supply of tokens, which is full at first. A retry takes one token. Without a token there is no
/// retry, and the call ends with its current result. Each call adds `tokensPerCall`, and each second adds
/// `tokensPerSecond`.
///
/// With the defaults, a busy client adds a tenth to the load of a failing server in the long run. An idle client adds
/// a retry every two seconds.
public struct RetryBudget: Hashable, Sendable {
    /// The maximum number of tokens.
    package var maximumTokenCount: Double
    /// The number of tokens that each call adds.
    package var tokensPerCall: Double
    /// The number of tokens that each second adds.
    package var tokensPerSecond: Double

    /// Creates a budget.
    ///
    /// - Parameters:
    ///   - maximumTokenCount: The maximum number of tokens. Defaults to 10, enough for a burst of failures.
    ///   - tokensPerCall: The number of tokens that each call adds. Defaults to 0.1.
    ///   - tokensPerSecond: The number of tokens that each second adds. Defaults to 0.5.
    public init(maximumTokenCount: Double = 10, tokensPerCall: Double = 0.1, tokensPerSecond: Double = 0.5) {
        self.maximumTokenCount = maximumTokenCount
        self.tokensPerCall = tokensPerCall
        self.tokensPerSecond = tokensPerSecond
    }
}
