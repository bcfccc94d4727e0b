// SPDX-License-Identifier: Apache-2.0

/// How many values a `CombineAsyncStream` asks for, and what becomes of those that the loop has not taken yet.
///
/// Counts are at least 1; what is less counts as 1.
@nonexhaustive
public enum BufferingPolicy: Hashable, Sendable {
    /// Asks for a value when the loop waits for one: the publisher is as fast as the loop.
    ///
    /// A value that comes unasked, from a publisher that does not heed demand, is dropped.
    case oneAtATime
    /// Asks for this many values ahead of the loop, and for more as they are taken.
    ///
    /// A value that comes unasked, from a publisher that does not heed demand, is dropped.
    case prefetching(Int)
    /// Asks for all values at once, and keeps this many; while it is full, new ones are dropped.
    case bufferingOldest(Int)
    /// Asks for all values at once, and keeps this many; while it is full, each new one takes the place of the oldest.
    case bufferingNewest(Int)
}
