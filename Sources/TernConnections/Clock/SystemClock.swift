// SPDX-License-Identifier: Apache-2.0
import Dispatch

#if canImport(Glibc)
import Glibc
#elseif canImport(Musl)
import Musl
#else
import Darwin
#endif

/// The machine's own clock, which continues while the machine sleeps.
///
/// If an instant passes while the machine sleeps, its action runs late, because timers stop during sleep.
public struct SystemClock: TransportClock {
    #if canImport(Darwin)
    private static let source = CLOCK_MONOTONIC
    #else
    private static let source = CLOCK_BOOTTIME
    #endif

    /// Creates the clock; all instances are equivalent.
    public init() {}

    public var now: ClockInstant {
        var time = timespec()
        clock_gettime(Self.source, &time)
        return ClockInstant(nanoseconds: Int64(time.tv_sec) &* 1_000_000_000 &+ Int64(time.tv_nsec))
    }

    public func schedule(at instant: ClockInstant, _ action: @escaping @Sendable () -> Void) -> ScheduledAction {
        let timer = CancellableTimer(after: self.now.duration(to: instant), action)
        return ScheduledAction { timer.cancel() }
    }
}

/// A timer that is released as soon as it is cancelled.
///
/// The timer of a sleeping task is not: the runtime keeps it until its time has come, even if the task is cancelled, so
/// a busy client would keep the timers of a whole minute.
///
/// Invariant of the unchecked conformance: Dispatch's own functions may be called from any thread.
private final class CancellableTimer: @unchecked Sendable {
    /// The queue for actions.
    ///
    /// It is serial, and actions are short.
    ///
    /// Dispatch gives a serial queue a thread even if all of its concurrent queues are blocked, so code that blocks
    /// those does not delay timers.
    private static let queue = DispatchQueue(label: "tern.clock")

    private let source = DispatchSource.makeTimerSource(queue: CancellableTimer.queue)

    init(after delay: Duration, _ action: @escaping @Sendable () -> Void) {
        let (seconds, attoseconds) = delay.components
        let nanoseconds = Double(seconds) * 1e9 + Double(attoseconds) / 1e9
        // Beyond a year the difference does not matter.
        self.source.schedule(deadline: .now() + .nanoseconds(Int(min(max(0, nanoseconds), 3e16))))
        self.source.setEventHandler(handler: action)
        self.source.activate()
    }

    func cancel() { self.source.cancel() }
}
