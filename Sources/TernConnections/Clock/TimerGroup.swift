// SPDX-License-Identifier: Apache-2.0
import Synchronization
package import TernRequests

/// A clock that runs all timers of one owner, such as a connection with its streams, with a single timer of another
/// clock.
///
/// Nearly all timers are cancelled long before their time. In this clock, such a timer costs only an entry in a table.
/// A system timer would wake a thread when it is set, and again when it is cancelled. The timer of the other clock
/// stays set for the earliest instant. When this timer fires, the group runs the actions that are due, and sets the
/// timer for the next action.
package final class TimerGroup: TransportClock {
    private struct Entry {
        let instant: ClockInstant
        let action: @Sendable () -> Void
    }

    private struct Locked: TimedState {
        var entries: [Int: Entry] = [:]
        var lastNumber = 0
        var armedInstant: ClockInstant?
        var timer: ScheduledAction?

        /// Notes that the timer must fire at an instant; returns `false` if the timer is already set early enough.
        mutating func needsTimer(at instant: ClockInstant) -> Bool {
            if let armedInstant, armedInstant <= instant { return false }
            self.armedInstant = instant
            return true
        }

        /// Removes the actions that are due, and returns them in the order of their instants.
        mutating func takeDue(now: ClockInstant) -> [Entry] {
            let due = self.entries.filter { $0.value.instant <= now }
            for number in due.keys { self.entries[number] = nil }
            return due.values.sorted { $0.instant < $1.instant }
        }
    }

    private let base: any TransportClock
    private let locked = Mutex(Locked())

    /// Creates a group without timers.
    ///
    /// - Parameter base: The clock that measures the time.
    package init(_ base: any TransportClock) { self.base = base }

    deinit { self.locked.withLock { $0.timer.take() }?.cancel() }

    package var now: ClockInstant { self.base.now }

    package var date: HTTPDate { self.base.date }

    package func schedule(at instant: ClockInstant, _ action: @escaping @Sendable () -> Void) -> ScheduledAction {
        let (number, needsTimer) = self.locked.withLock { locked in
            locked.lastNumber += 1
            locked.entries[locked.lastNumber] = Entry(instant: instant, action: action)
            return (locked.lastNumber, locked.needsTimer(at: instant))
        }
        if needsTimer { self.arm(at: instant) }
        return ScheduledAction { [weak self] in
            guard let self else { return }
            // The entry is released outside of the lock, because its action may release other timers.
            _ = self.locked.withLock { $0.entries.removeValue(forKey: number) }
        }
    }

    private func arm(at instant: ClockInstant) {
        self.locked.arm(at: instant, on: self.base) { [weak self] in self?.timerFired() }
    }

    private func timerFired() {
        let now = self.base.now
        let (due, next) = self.locked.withLock { locked -> ([Entry], ClockInstant?) in
            locked.armedInstant = nil
            let due = locked.takeDue(now: now)
            let next = locked.entries.values.lazy.map(\.instant).min()
            return (due, next.flatMap { locked.needsTimer(at: $0) ? $0 : nil })
        }
        if let next { self.arm(at: next) }
        for entry in due { entry.action() }
    }
}
