// SPDX-License-Identifier: Apache-2.0
import Dispatch
public import TernRequests

#if canImport(Glibc)
import Glibc
#elseif canImport(Musl)
import Musl
#else
import Darwin
#endif

/// The time that a transport goes by: tells it, and calls back when an instant is reached.
///
/// A seam, so that tests can drive every timeout by hand; see `ManualClock` in `TernTesting`.
public protocol TransportClock: Sendable {
    /// The present instant.
    var now: Instant { get }

    /// The present date, which machines may set forward and back: for what servers say in dates, not for limits of time.
    ///
    /// By default the machine's.
    var date: HTTPDate { get }

    /// Calls `action` once `instant` is reached, on any thread, unless the result is cancelled or released before.
    func schedule(at instant: Instant, _ action: @escaping @Sendable () -> Void) -> ScheduledAction
}

extension TransportClock {
    /// The machine's date.
    public var date: HTTPDate {
        var time = timespec()
        clock_gettime(CLOCK_REALTIME, &time)
        return HTTPDate(secondsSince1970: Int64(time.tv_sec))
    }
}

/// An action that waits for its instant; cancelling or releasing it prevents the action if it has not begun.
public final class ScheduledAction: Sendable {
    private let onCancel: @Sendable () -> Void

    /// Creates a handle that runs `onCancel`, which must be idempotent, when it is cancelled or
    /// released.
    public init(onCancel: @escaping @Sendable () -> Void) { self.onCancel = onCancel }

    deinit { self.onCancel() }

    /// Prevents the action if it has not begun.
    public func cancel() { self.onCancel() }
}

/// A point in time of a clock that never goes back, to the nanosecond.
///
/// `ContinuousClock.Instant` says the same, but its layout is not known to the compiler outside the standard library, and
/// every structure that holds one is then copied by calls into the runtime: a quarter of the cost of a small request.
@frozen
public struct Instant: InstantProtocol, Sendable {
    /// The time since the clock's beginning, which has no meaning of its own.
    public var nanoseconds: Int64

    /// Creates an instant.
    public init(nanoseconds: Int64) { self.nanoseconds = nanoseconds }

    /// The instant `duration` later; as late as can be told if that is later still.
    public func advanced(by duration: Duration) -> Instant {
        let (seconds, attoseconds) = duration.components
        let (whole, overflowed) = seconds.multipliedReportingOverflow(by: 1_000_000_000)
        let (sum, exceeded) = self.nanoseconds.addingReportingOverflow(whole)
        guard !overflowed, !exceeded else { return Instant(nanoseconds: seconds < 0 ? .min : .max) }
        let (result, isOutside) = sum.addingReportingOverflow(attoseconds / 1_000_000_000)
        return Instant(nanoseconds: isOutside ? .max : result)
    }

    /// The time from this instant to `other`.
    public func duration(to other: Instant) -> Duration { .nanoseconds(other.nanoseconds - self.nanoseconds) }

    /// Whether `one` is earlier than `other`.
    public static func < (one: Instant, other: Instant) -> Bool { one.nanoseconds < other.nanoseconds }
}

/// The machine's own clock, which goes on while the machine sleeps.
///
/// An action whose instant passed while the machine slept comes late, for the timers themselves stand still then.
public struct SystemClock: TransportClock {
    #if canImport(Darwin)
    private static let source = CLOCK_MONOTONIC
    #else
    private static let source = CLOCK_BOOTTIME
    #endif

    /// Creates the clock; all are alike.
    public init() {}

    public var now: Instant {
        var time = timespec()
        clock_gettime(Self.source, &time)
        return Instant(nanoseconds: Int64(time.tv_sec) &* 1_000_000_000 &+ Int64(time.tv_nsec))
    }

    public func schedule(at instant: Instant, _ action: @escaping @Sendable () -> Void) -> ScheduledAction {
        let timer = CancellableTimer(after: self.now.duration(to: instant), action)
        return ScheduledAction { timer.cancel() }
    }
}

/// A timer that is gone once it is cancelled.
///
/// A task that sleeps is not: the runtime keeps what would wake it until its time has come, even if it is cancelled, so
/// that a busy client would hold the timers of a whole minute.
///
/// Invariant of the unchecked conformance: Dispatch's own functions may be called from any thread.
private final class CancellableTimer: @unchecked Sendable {
    /// Serial, and actions are short.
    ///
    /// Dispatch gives such a queue a thread even where all of its concurrent ones are blocked: whoever blocks them must
    /// hold up no timer.
    private static let queue = DispatchQueue(label: "tern.clock")

    private let source = DispatchSource.makeTimerSource(queue: CancellableTimer.queue)

    init(after delay: Duration, _ action: @escaping @Sendable () -> Void) {
        let (seconds, attoseconds) = delay.components
        let nanoseconds = Double(seconds) * 1e9 + Double(attoseconds) / 1e9
        // Beyond a year it does not matter.
        self.source.schedule(deadline: .now() + .nanoseconds(Int(min(max(0, nanoseconds), 3e16))))
        self.source.setEventHandler(handler: action)
        self.source.activate()
    }

    func cancel() { self.source.cancel() }
}
