// SPDX-License-Identifier: Apache-2.0

/// A point in time of a clock that never goes back, to the nanosecond.
///
/// `ContinuousClock.Instant` says the same, but its layout is not known to the compiler outside the standard library, and
/// every structure that holds one is then copied by calls into the runtime: a quarter of the cost of a small request.
@frozen
public struct ClockInstant: InstantProtocol, Sendable {
    /// The time since the clock's beginning, which has no meaning of its own.
    public var nanoseconds: Int64

    /// Creates an instant.
    public init(nanoseconds: Int64) { self.nanoseconds = nanoseconds }

    /// The instant `duration` later; as late as can be told if that is later still.
    public func advanced(by duration: Duration) -> ClockInstant {
        let (seconds, attoseconds) = duration.components
        let (whole, overflowed) = seconds.multipliedReportingOverflow(by: 1_000_000_000)
        let (sum, exceeded) = self.nanoseconds.addingReportingOverflow(whole)
        guard !overflowed, !exceeded else { return ClockInstant(nanoseconds: seconds < 0 ? .min : .max) }
        let (result, isOutside) = sum.addingReportingOverflow(attoseconds / 1_000_000_000)
        return ClockInstant(nanoseconds: isOutside ? .max : result)
    }

    /// The time from this instant to `other`.
    public func duration(to other: ClockInstant) -> Duration { .nanoseconds(other.nanoseconds - self.nanoseconds) }

    /// Whether `one` is earlier than `other`.
    public static func < (one: ClockInstant, other: ClockInstant) -> Bool { one.nanoseconds < other.nanoseconds }
}
