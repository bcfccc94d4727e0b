// SPDX-License-Identifier: Apache-2.0
package import Synchronization
public import TernErrors

/// The instant at which a time limit ends, and the limit itself.
public struct CallDeadline: Hashable, Sendable {
    /// The instant at which the limit ends.
    public var instant: ClockInstant
    /// The kind of the time limit, such as that of the whole call.
    public var timeout: Timeout
    /// The duration of the time limit, for the error.
    public var limit: Duration

    package init(_ timeout: Timeout, limit: Duration, from start: ClockInstant) {
        self.instant = start.advanced(by: limit)
        self.timeout = timeout
        self.limit = limit
    }

    /// Creates a deadline that ends `limit` after the clock's current instant; `nil` without a limit.
    package init?(_ timeout: Timeout, limit: Duration?, on clock: any TransportClock) {
        guard let limit else { return nil }
        self.init(timeout, limit: limit, from: clock.now)
    }

    /// Returns the error that a call reports when the deadline has passed.
    package func error(_ context: ClientError.Context) -> ClientError {
        .timedOut(self.timeout, limit: self.limit, context)
    }

    package static func earlier(_ one: CallDeadline?, _ other: CallDeadline?) -> CallDeadline? {
        guard let one else { return other }
        guard let other else { return one }
        return one.instant <= other.instant ? one : other
    }
}

/// Decides when an ``Inbox`` or an ``Outbox`` sets its one timer for its deadlines, about once per timeout period.
///
/// A wait sets the timer only if no timer is set that fires before its deadline. When the timer fires, the owner checks the
/// current deadline, and sets the timer again if that deadline has not passed.
struct DeadlineTimer: Sendable {
    /// The instant at which the timer fires; `nil` when none is set.
    private(set) var armedInstant: ClockInstant?

    /// Returns the instant for which to set a timer; `nil` if no new timer is needed.
    mutating func wait(until deadline: CallDeadline?) -> ClockInstant? {
        guard let deadline else { return nil }
        if let armedInstant = self.armedInstant, armedInstant <= deadline.instant { return nil }
        self.armedInstant = deadline.instant
        return deadline.instant
    }

    mutating func fired() { self.armedInstant = nil }

    /// Records that no timer is needed any more, so that a timer that another thread is setting now is cancelled.
    mutating func disarm() { self.armedInstant = nil }
}

/// State that a lock protects, and that has one timer, which is set outside the lock.
package protocol TimedState {
    var timer: ScheduledAction? { get set }
    /// The instant at which the timer must fire; `nil` when no timer is needed.
    var armedInstant: ClockInstant? { get }
}

extension TimedState {
    /// Keeps a timer that is still needed; returns the timer to cancel: the new one if it is not needed, else the previous one.
    package mutating func keep(_ timer: ScheduledAction, for instant: ClockInstant) -> ScheduledAction? {
        guard self.armedInstant == instant else { return timer }
        defer { self.timer = timer }
        return self.timer
    }
}

extension Mutex where Value: TimedState {
    /// Sets a timer, and keeps it if it is still needed; while it is set, it retains what the action retains.
    package borrowing func arm(
        at instant: ClockInstant,
        on clock: any TransportClock,
        _ action: @escaping @Sendable () -> Void
    ) {
        let timer = clock.schedule(at: instant, action)
        self.withLock { $0.keep(timer, for: instant) }?.cancel()
    }
}
