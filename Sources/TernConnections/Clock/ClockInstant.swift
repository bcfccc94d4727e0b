// SPDX-License-Identifier: Apache-2.0

/// A point in time of a monotonic clock, in nanoseconds.
///
/// The compiler knows its layout, unlike that of `ContinuousClock.Instant`, so copying it is cheaper.
@frozen
public struct ClockInstant: InstantProtocol, Sendable {
    /// The time since the arbitrary origin of the clock, in nanoseconds.
    public var nanoseconds: Int64

    /// Creates an instant.
    public init(nanoseconds: Int64) { self.nanoseconds = nanoseconds }

    /// Returns the instant that is `duration` later, in whole nanoseconds; an overflow gives the latest or earliest instant.
    public func advanced(by duration: Duration) -> ClockInstant {
        let (seconds, attoseconds) = duration.components
        let (whole, overflowed) = seconds.multipliedReportingOverflow(by: 1_000_000_000)
        let (sum, exceeded) = self.nanoseconds.addingReportingOverflow(whole)
        guard !overflowed, !exceeded else { return ClockInstant(nanoseconds: seconds < 0 ? .min : .max) }
        let (result, isOutside) = sum.addingReportingOverflow(attoseconds / 1_000_000_000)
        guard !isOutside else { return ClockInstant(nanoseconds: attoseconds < 0 ? .min : .max) }
        return ClockInstant(nanoseconds: result)
    }

    /// Returns the time from this instant to `other`; traps if `Int64` cannot hold it in nanoseconds.
    public func duration(to other: ClockInstant) -> Duration { .nanoseconds(other.nanoseconds - self.nanoseconds) }

    public static func < (one: ClockInstant, other: ClockInstant) -> Bool { one.nanoseconds < other.nanoseconds }
}
