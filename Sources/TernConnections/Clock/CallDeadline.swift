// SPDX-License-Identifier: Apache-2.0
package import Synchronization
public import TernErrors

/// The instant at which a wait ends, and the time limit that has set this instant.
public struct CallDeadline: Hashable, Sendable {
    /// The instant at which waiting ends.
    public var instant: ClockInstant
    /// The kind of the time limit, such as the limit of the whole call.
    public var timeout: Timeout
    /// The duration of the time limit, for the message of the error.
    public var limit: Duration

    /// Creates a deadline that ends `limit` after `start`.
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
    ///
    /// - Parameter context: The context of the wait.
    /// - Returns: `ClientError.timedOut`.
    package func error(_ context: ClientError.Context) -> ClientError {
        .timedOut(self.timeout, limit: self.limit, context)
    }

    /// Returns the earlier of two deadlines, or the only one; `nil` if there is none.
    package static func earlier(_ one: CallDeadline?, _ other: CallDeadline?) -> CallDeadline? {
        guard let one else { return other }
        guard let other else { return one }
        return one.instant <= other.instant ? one : other
    }
}

/// Decides when a connection sets a timer for its deadlines, so that not every request needs a timer.
///
/// A connection has at most one timer. A wait whose deadline is earlier than the timer sets the timer to this deadline;
/// other waits leave the timer as it is. When the timer fires, the owner checks the current deadline, and sets the
/// timer again if necessary. So a busy connection sets about one timer per timeout period.
struct DeadlineTimer: Sendable {
    /// The instant at which the timer fires; `nil` when no timer is set.
    private(set) var armedInstant: ClockInstant?

    /// Records a wait until `deadline`.
    ///
    /// - Returns: The instant for which to set a timer; `nil` if no new timer is needed.
    mutating func wait(until deadline: CallDeadline?) -> ClockInstant? {
        guard let deadline else { return nil }
        if let armedInstant = self.armedInstant, armedInstant <= deadline.instant { return nil }
        self.armedInstant = deadline.instant
        return deadline.instant
    }

    /// Records that the timer fired.
    mutating func fired() { self.armedInstant = nil }

    /// Records that no timer is needed any more.
    ///
    /// If another thread is setting a timer at this moment, that timer is cancelled.
    mutating func disarm() { self.armedInstant = nil }
}

/// State that a lock protects, and that has one timer.
///
/// The timer is set outside the lock.
package protocol TimedState {
    /// The timer that is set; `nil` if there is none.
    var timer: ScheduledAction? { get set }
    /// The instant at which the timer must fire; `nil` when no timer is needed.
    var armedInstant: ClockInstant? { get }
}

extension TimedState {
    /// Keeps a timer that was set for an instant, if it is still needed; returns the timer to cancel.
    ///
    /// Two things may happen before a thread takes the lock to keep its timer. The timer may have fired, and its action
    /// may have set the next timer; or another thread may have set an earlier timer. In both cases the other timer
    /// stays, and this method returns the new one.
    package mutating func keep(_ timer: ScheduledAction, for instant: ClockInstant) -> ScheduledAction? {
        guard self.armedInstant == instant else { return timer }
        defer { self.timer = timer }
        return self.timer
    }
}

extension Mutex where Value: TimedState {
    /// Sets a timer, and keeps it if it is still needed.
    ///
    /// - Parameters:
    ///   - instant: The instant at which the timer fires.
    ///   - clock: The clock that sets the timer.
    ///   - action: The action of the timer. It must not retain the owner of the lock.
    package borrowing func arm(
        at instant: ClockInstant,
        on clock: any TransportClock,
        _ action: @escaping @Sendable () -> Void
    ) {
        let timer = clock.schedule(at: instant, action)
        self.withLock { $0.keep(timer, for: instant) }?.cancel()
    }
}
