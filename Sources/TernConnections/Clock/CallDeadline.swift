// SPDX-License-Identifier: Apache-2.0
package import Synchronization
public import TernErrors

/// An instant after which waiting ends, and the limit that set it.
public struct CallDeadline: Hashable, Sendable {
    /// The instant at which waiting ends.
    public var instant: ClockInstant
    /// The limit that set the deadline.
    public var timeout: Timeout
    /// The duration of the limit, for the error that reports it.
    public var limit: Duration

    /// Creates a deadline that ends `limit` after `start`.
    package init(_ timeout: Timeout, limit: Duration, from start: ClockInstant) {
        self.instant = start.advanced(by: limit)
        self.timeout = timeout
        self.limit = limit
    }

    /// Creates a deadline `limit` after the clock's current instant; `nil` without a limit.
    package init?(_ timeout: Timeout, limit: Duration?, on clock: any TransportClock) {
        guard let limit else { return nil }
        self.init(timeout, limit: limit, from: clock.now)
    }

    /// Returns the call's error for a passed deadline.
    ///
    /// - Parameter context: The context of what was awaited.
    /// - Returns: `ClientError.timedOut`.
    package func error(_ context: ClientError.Context) -> ClientError {
        .timedOut(self.timeout, limit: self.limit, context)
    }

    /// Returns the earlier of two deadlines, either of which may be absent.
    package static func earlier(_ one: CallDeadline?, _ other: CallDeadline?) -> CallDeadline? {
        guard let one else { return other }
        guard let other else { return one }
        return one.instant <= other.instant ? one : other
    }
}

/// Decides when to set a timer so that no deadline is missed, without a timer for each request.
///
/// One timer serves all waits on a connection in turn: a timer is set only if no earlier one is set, and the owner
/// checks the deadlines again when it fires. So a busy connection sets about one timer per timeout period.
struct DeadlineTimer: Sendable {
    /// The instant at which the timer fires; `nil` when none is set.
    private(set) var armedInstant: ClockInstant?

    /// Records a wait until `deadline`; returns when to set a timer, if one must be set.
    mutating func wait(until deadline: CallDeadline?) -> ClockInstant? {
        guard let deadline else { return nil }
        if let armedInstant = self.armedInstant, armedInstant <= deadline.instant { return nil }
        self.armedInstant = deadline.instant
        return deadline.instant
    }

    /// The timer fired.
    mutating func fired() { self.armedInstant = nil }

    /// Records that a timer is no longer needed; one that is being set at this moment is not kept.
    mutating func disarm() { self.armedInstant = nil }
}

/// Lock-protected state with one timer that is armed again and again, outside the lock.
package protocol TimedState {
    /// The timer that is currently set.
    var timer: ScheduledAction? { get set }
    /// The instant at which a timer must fire; `nil` when none is needed.
    var armedInstant: ClockInstant? { get }
}

extension Mutex where Value: TimedState {
    /// Sets a timer and keeps it, unless it is no longer needed.
    ///
    /// Before it is kept, it may have fired, and its action may have set the next one; or another thread may have set
    /// an earlier one. Then the other timer is kept, because releasing a timer cancels it.
    ///
    /// - Parameters:
    ///   - instant: The instant at which it fires.
    ///   - clock: The clock that sets it.
    ///   - action: The action of the timer. It must not retain the owner of the lock.
    package borrowing func arm(
        at instant: ClockInstant,
        on clock: any TransportClock,
        _ action: @escaping @Sendable () -> Void
    ) {
        let timer = clock.schedule(at: instant, action)
        let superseded: ScheduledAction? = self.withLock { state in
            guard state.armedInstant == instant else { return timer }
            defer { state.timer = timer }
            return state.timer
        }
        superseded?.cancel()
    }
}
