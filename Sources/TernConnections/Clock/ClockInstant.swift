// SPDX-License-Identifier: Apache-2.0

/// A point in time of a monotonic clock, in nanoseconds.
///
/// `ContinuousClock.Instant` has the same meaning, but the compiler does not know its layout outside the standard
/// library. Code would therefore copy every structure with such an instant by calls into the runtime. These calls took
/// a quarter of the time of a small request.
@frozen
public struct ClockInstant: InstantProtocol, Sendable {
    /// The time since the origin of the clock, in nanoseconds.
    ///
    /// The origin is arbitrary.
    public var nanoseconds: Int64

    /// Creates an instant.
    public init(nanoseconds: Int64) { self.nanoseconds = nanoseconds }

    /// Returns the instant that is `duration` later.
    ///
    /// A result out of range becomes the latest possible instant, or for a negative duration the earliest one.
    public func advanced(by duration: Duration) -> ClockInstant {
        let (seconds, attoseconds) = duration.components
        let (whole, overflowed) = seconds.multipliedReportingOverflow(by: 1_000_000_000)
        let (sum, exceeded) = self.nanoseconds.addingReportingOverflow(whole)
        guard !overflowed, !exceeded else { return ClockInstant(nanoseconds: seconds < 0 ? .min : .max) }
        let (result, isOutside) = sum.addingReportingOverflow(attoseconds / 1_000_000_000)
        guard !isOutside else { return ClockInstant(nanoseconds: attoseconds < 0 ? .min : .max) }
        return ClockInstant(nanoseconds: result)
    }

    /// Returns the time from this instant to `other`.
    public func duration(to other: ClockInstant) -> Duration { .nanoseconds(other.nanoseconds - self.nanoseconds) }

    /// Returns whether `one` is earlier than `other`.
    public static func < (one: ClockInstant, other: ClockInstant) -> Bool { one.nanoseconds < other.nanoseconds }
}
