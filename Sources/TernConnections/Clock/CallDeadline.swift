// SPDX-License-Identifier: Apache-2.0
package import Synchronization
public import TernErrors

/// An instant after which waiting ends, and the limit that set it.
public struct CallDeadline: Hashable, Sendable {
    /// When waiting ends.
    public var instant: ClockInstant
    /// Which limit it is.
    public var timeout: Timeout
    /// How long the limit is, for the error that reports it.
    public var limit: Duration

    /// Creates a deadline that ends `limit` after `start`.
    package init(_ timeout: Timeout, limit: Duration, from start: ClockInstant) {
        self.instant = start.advanced(by: limit)
        self.timeout = timeout
        self.limit = limit
    }

    /// Creates a deadline `limit` after the clock's present, or `nil` without a limit.
    package init?(_ timeout: Timeout, limit: Duration?, on clock: any TransportClock) {
        guard let limit else { return nil }
        self.init(timeout, limit: limit, from: clock.now)
    }

    /// What it means for the call that it has passed.
    ///
    /// - Parameter context: what was waited for.
    /// - Returns: `ClientError.timedOut`.
    package func error(_ context: ClientError.Context) -> ClientError {
        .timedOut(self.timeout, limit: self.limit, context)
    }

    /// The earlier of two deadlines, either of which may be absent.
    package static func earlier(_ one: CallDeadline?, _ other: CallDeadline?) -> CallDeadline? {
        guard let one else { return other }
        guard let other else { return one }
        return one.instant <= other.instant ? one : other
    }
}

/// Decides when a timer must be set so that no deadline is missed, and none is set per request.
///
/// One timer serves all waits on a connection, one after the other: it is armed only when no earlier one is, and the
/// owner looks again when it fires. A busy connection so sets a timer once in a timeout's length.
struct DeadlineTimer: Sendable {
    /// When the timer is to fire; `nil` when none is set.
    private(set) var armedInstant: ClockInstant?

    /// Notes a wait until `deadline`; returns when to set a timer, if one must be set.
    mutating func wait(until deadline: CallDeadline?) -> ClockInstant? {
        guard let deadline else { return nil }
        if let armedInstant = self.armedInstant, armedInstant <= deadline.instant { return nil }
        self.armedInstant = deadline.instant
        return deadline.instant
    }

    /// The timer fired.
    mutating func fired() { self.armedInstant = nil }

    /// No timer is wanted any more; one that is being set at this moment is not kept.
    mutating func disarm() { self.armedInstant = nil }
}

/// State, protected by a lock, with one timer that is armed again and again outside of the lock.
package protocol TimedState {
    /// The timer that is set.
    var timer: ScheduledAction? { get set }
    /// When a timer is to fire; `nil` when none is wanted.
    var armedInstant: ClockInstant? { get }
}

extension Mutex where Value: TimedState {
    /// Sets a timer and keeps it, unless it is not wanted any more.
    ///
    /// Before it is kept it may have fired, and what it did may have set the next; or another thread may have set one
    /// that is to come before. Then that one is kept, which would be cancelled if it were released.
    ///
    /// - Parameters:
    ///   - instant: when it is to fire.
    ///   - clock: sets it.
    ///   - action: what it does; not to hold what the lock is in.
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
