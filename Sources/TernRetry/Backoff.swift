// SPDX-License-Identifier: Apache-2.0

/// The time to wait before each retry: by default, a random time up to a bound that grows exponentially to a maximum.
public struct Backoff: Hashable, Sendable {
    /// The random part of a delay.
    @nonexhaustive
    public enum Jitter: Hashable, Sendable {
        /// The whole delay is random, so that the clients of a recovering server do not all return at the same moment.
        case full
        /// The delay is the bound itself; intended for tests.
        case none
    }

    package var initialDelay: Duration
    package var maximumDelay: Duration
    /// The factor by which the bound grows with each retry; a value that is below 1, or not finite, counts as 1.
    package var factor: Double
    package var jitter: Jitter

    /// Creates a backoff.
    ///
    /// - Parameters:
    ///   - initialDelay: The bound before the first retry.
    ///   - maximumDelay: The largest bound. Beyond it, the bound does not grow.
    ///   - factor: The factor by which the bound grows; a value that is below 1, or not finite, counts as 1.
    ///   - jitter: The random part of the delay.
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

    /// Returns the time to wait before a retry; the number of the first retry is 1.
    public func delay(before retry: Int, using generator: inout some RandomNumberGenerator) -> Duration {
        let maximum = max(.zero, self.maximumDelay)
        var bound = min(max(.zero, self.initialDelay), maximum)
        let factor = self.factor.isFinite ? max(1, self.factor) : 1
        var growths = retry - 1
        while growths > 0, factor > 1, bound > .zero, bound < maximum {
            // Compare before multiplying, so that the factor cannot cause an overflow.
            bound = (maximum / bound) <= factor ? maximum : bound * factor
            growths -= 1
        }
        switch self.jitter {
        case .full: return bound * Double.random(in: 0...1, using: &generator)
        case .none: return bound
        }
    }
}
