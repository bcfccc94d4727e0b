// SPDX-License-Identifier: Apache-2.0

/// How long to wait before each further try: exponential, with jitter and a cap.
public struct Backoff: Hashable, Sendable {
    /// How much of the bound is left to chance.
    @nonexhaustive
    public enum Jitter: Hashable, Sendable {
        /// All: a random time between zero and the bound, so that the clients of a server that comes back do not come back
        /// all at once.
        case full
        /// Nothing: the bound itself. For tests.
        case none
    }

    /// The bound before the second try.
    package var initialDelay: Duration
    /// The cap of the bound.
    package var maximumDelay: Duration
    /// By what the bound grows from try to try; below 1 counts as 1.
    package var factor: Double
    /// How much is left to chance.
    package var jitter: Jitter

    /// Creates a backoff.
    ///
    /// - Parameters:
    ///   - initialDelay: the bound before the second try; 0.5 s by default.
    ///   - maximumDelay: the cap; 20 s by default.
    ///   - factor: by what the bound grows; 2 by default.
    ///   - jitter: how much is left to chance; all by default.
    public init(
        initialDelay: Duration = .milliseconds(500),
        maximumDelay: Duration = .seconds(20),
        factor: Double = 2,
        jitter: Jitter = .full
    ) {
        self.initialDelay = initialDelay
        self.maximumDelay = maximumDelay
        self.factor = factor
        self.jitter = jitter
    }

    /// How long to wait.
    ///
    /// - Parameters:
    ///   - retry: which retry it is, from 1.
    ///   - generator: where the jitter comes from.
    /// - Returns: a time from zero to the bound.
    public func delay(before retry: Int, using generator: inout some RandomNumberGenerator) -> Duration {
        let maximum = max(.zero, self.maximumDelay)
        var bound = min(max(.zero, self.initialDelay), maximum)
        let factor = self.factor.isFinite ? max(1, self.factor) : 1
        var growths = retry - 1
        while growths > 0, factor > 1, bound > .zero, bound < maximum {
            // Compared before it is multiplied, so that no factor is too large.
            bound = (maximum / bound) <= factor ? maximum : bound * factor
            growths -= 1
        }
        switch self.jitter {
        case .full: return bound * Double.random(in: 0...1, using: &generator)
        case .none: return bound
        }
    }
}
