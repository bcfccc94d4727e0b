// SPDX-License-Identifier: Apache-2.0
package import Synchronization

/// What a lock protects that sets one timer after the other, outside of the lock.
package protocol TimedState {
    /// The timer that is set.
    var timer: ScheduledAction? { get set }
    /// When a timer is to fire; `nil` when none is wanted.
    var armedInstant: Instant? { get }
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
        at instant: Instant,
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
