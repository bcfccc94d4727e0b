// SPDX-License-Identifier: Apache-2.0

/// The time to wait before each retry: exponential, with jitter and a maximum.
///
/// Each delay is a random time between zero and a bound. The bound grows with each retry.
public struct Backoff: Hashable, Sendable {
    /// The random part of a delay.
    @nonexhaustive
    public enum Jitter: Hashable, Sendable {
        /// The whole delay is random, between zero and the bound, so that the clients of a recovering server do not all
        /// return at the same moment.
        case full
        /// No part of the delay is random: the delay is the bound itself.
        ///
        /// Intended for tests.
        case none
    }

    /// The bound before the first retry.
    package var initialDelay: Duration
    /// The value at which the bound stops growing.
    package var maximumDelay: Duration
    /// The factor by which the bound grows with each retry.
    ///
    /// A value that is below 1, or not finite, counts as 1.
    package var factor: Double
    /// The random part of the delay.
    package var jitter: Jitter

    /// Creates a backoff.
    ///
    /// - Parameters:
    ///   - initialDelay: The bound before the first retry. Defaults to 0.5 seconds.
    ///   - maximumDelay: The value at which the bound stops growing. Defaults to 20 seconds.
    ///   - factor: The factor by which the bound grows. Defaults to 2.
    ///   - jitter: The random part of the delay. Defaults to `.full`.
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

    /// Returns the time to wait before a retry.
    ///
    /// - Parameters:
    ///   - retry: The number of the retry, from 1.
    ///   - generator: The source of the jitter.
    /// - Returns: A random time from zero to the bound; the bound itself without jitter.
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
