// SPDX-License-Identifier: Apache-2.0
import Dispatch
import TernCLibrary

/// The machine's own clock, which continues while the machine sleeps; a sleep may delay waiting actions by its length.
public struct SystemClock: TransportClock {
    /// Creates the clock; all instances are equivalent.
    public init() {}

    public var now: ClockInstant {
        var time = timespec()
        clock_gettime(Self.source, &time)
        return ClockInstant(nanoseconds: Int64(time.tv_sec) &* 1_000_000_000 &+ Int64(time.tv_nsec))
    }

    public func schedule(at instant: ClockInstant, _ action: @escaping @Sendable () -> Void) -> ScheduledAction {
        SlowWork.begins()
        let timer = CancellableTimer(after: self.now.duration(to: instant), action)
        return ScheduledAction { timer.cancel() }
    }
}

/// A timer that is released as soon as it is cancelled, unlike that of `Task.sleep`.
///
/// Invariant of the unchecked conformance: any thread may call the functions of Dispatch.
private final class CancellableTimer: @unchecked Sendable {
    /// Serial, because Dispatch gives a serial queue a thread even if code blocks the concurrent queues.
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
