// SPDX-License-Identifier: Apache-2.0

/// A limit for the number of retries to each origin, so that retries do not overload a server in trouble.
///
/// Each origin starts with the maximum number of tokens. A retry takes one token. If no token is left, the client does
/// not retry, and the call ends with the result of its last attempt. Each call adds `tokensPerCall` tokens, and each
/// second adds `tokensPerSecond` tokens.
///
/// With the defaults, the retries of a busy client add about a tenth to the load of a failing server in the long run. A
/// client with few calls can retry every two seconds.
public struct RetryBudget: Hashable, Sendable {
    /// The maximum number of tokens of an origin.
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
