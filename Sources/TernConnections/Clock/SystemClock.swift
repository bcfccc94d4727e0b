// SPDX-License-Identifier: Apache-2.0
import Dispatch
import TernCLibrary

/// The machine's own clock, which continues while the machine sleeps.
///
/// Timers stop during sleep. If the instant of an action passes while the machine sleeps, the action runs late.
public struct SystemClock: TransportClock {
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
/// `Task.sleep` is not suitable: the runtime keeps the timer of a cancelled sleep until its time has come. A busy
/// client would keep all timers of the last minute.
///
/// Invariant of the unchecked conformance: any thread may call the functions of Dispatch.
private final class CancellableTimer: @unchecked Sendable {
    /// The serial queue that runs the actions, which are short.
    ///
    /// Dispatch gives a serial queue a thread even if its concurrent queues are blocked. So code that blocks the
    /// concurrent queues does not delay the timers.
    private static let queue = DispatchQueue(label: "tern.clock")

    private let source = DispatchSource.makeTimerSource(queue: CancellableTimer.queue)

    init(after delay: Duration, _ action: @escaping @Sendable () -> Void) {
        let (seconds, attoseconds) = delay.components
        let nanoseconds = Double(seconds) * 1e9 + Double(attoseconds) / 1e9
        // Limits the delay to about a year: a longer delay makes no difference.
        self.source.schedule(deadline: .now() + .nanoseconds(Int(min(max(0, nanoseconds), 3e16))))
        self.source.setEventHandler(handler: action)
        self.source.activate()
    }

    func cancel() { self.source.cancel() }
}
