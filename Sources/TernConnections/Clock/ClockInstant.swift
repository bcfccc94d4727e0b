// SPDX-License-Identifier: Apache-2.0

/// A point in time of a monotonic clock, in nanoseconds.
///
/// The compiler knows its layout, unlike that of `ContinuousClock.Instant`, so copying it is cheaper.
@frozen
public struct ClockInstant: InstantProtocol, Sendable {
    /// The time since the arbitrary origin of the clock, in nanoseconds.
    public var nanoseconds: Int64

    /// The durations whose `components` do not trap.
    private static let longest = Duration.seconds(Int64.max)
    private static let shortest = Duration.seconds(Int64.min)

    /// Creates an instant.
    public init(nanoseconds: Int64) { self.nanoseconds = nanoseconds }

    /// Returns the instant that is `duration` later, in whole nanoseconds; an overflow gives the latest or earliest instant.
    public func advanced(by duration: Duration) -> ClockInstant {
        let (seconds, attoseconds) = min(max(duration, Self.shortest), Self.longest).components
        let (whole, overflowed) = seconds.multipliedReportingOverflow(by: 1_000_000_000)
        let (sum, exceeded) = self.nanoseconds.addingReportingOverflow(whole)
        guard !overflowed, !exceeded else { return ClockInstant(nanoseconds: seconds < 0 ? .min : .max) }
        let (result, isOutside) = sum.addingReportingOverflow(attoseconds / 1_000_000_000)
        guard !isOutside else { return ClockInstant(nanoseconds: attoseconds < 0 ? .min : .max) }
        return ClockInstant(nanoseconds: result)
    }

    /// Returns the time from this instant to `other`.
    public func duration(to other: ClockInstant) -> Duration {
        let (difference, overflows) = other.nanoseconds.subtractingReportingOverflow(self.nanoseconds)
        guard overflows else { return .nanoseconds(difference) }
        return .nanoseconds(other.nanoseconds) - .nanoseconds(self.nanoseconds)
    }

    public static func < (one: ClockInstant, other: ClockInstant) -> Bool { one.nanoseconds < other.nanoseconds }
}
