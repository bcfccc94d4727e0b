// SPDX-License-Identifier: Apache-2.0
import Synchronization
package import TernRequests

/// A clock that runs all timers of one owner, such as a connection with its streams, with a single timer of another clock.
///
/// Nearly all timers are cancelled before their time, so each costs only an entry in a table. The other clock's timer stays set
/// for the earliest instant.
package final class TimerGroup: TransportClock {
    private struct Entry {
        /// Distinguishes the timers, because another timer may later have the place of this one.
        let number: Int
        let instant: ClockInstant
        let action: @Sendable () -> Void
    }

    private struct Locked: TimedState {
        /// The timers, and `nil` in free places; not a dictionary, because that would compute two hashes for each timer.
        var entries: [Entry?] = []
        var freePlaces: [Int] = []
        var lastNumber = 0
        var armedInstant: ClockInstant?
        var timer: ScheduledAction?

        /// Notes that the timer must fire at an instant; returns `false` if it is already set early enough.
        mutating func needsTimer(at instant: ClockInstant) -> Bool {
            if let armedInstant, armedInstant <= instant { return false }
            self.armedInstant = instant
            return true
        }

        mutating func add(
            at instant: ClockInstant,
            _ action: @escaping @Sendable () -> Void
        ) -> (place: Int, number: Int) {
            self.lastNumber += 1
            let entry = Entry(number: self.lastNumber, instant: instant, action: action)
            let place = self.freePlaces.popLast() ?? self.entries.count
            if place == self.entries.count { self.entries.append(entry) } else { self.entries[place] = entry }
            return (place, self.lastNumber)
        }

        mutating func remove(_ number: Int, at place: Int) -> Entry? {
            guard self.entries[place]?.number == number else { return nil }
            self.freePlaces.append(place)
            return self.entries[place].take()
        }

        /// Removes the actions that are due, and returns them in the order of their instants.
        mutating func takeDue(now: ClockInstant) -> [Entry] {
            var due: [Entry] = []
            for place in self.entries.indices {
                guard let entry = self.entries[place], entry.instant <= now else { continue }
                due.append(entry)
                _ = self.remove(entry.number, at: place)
            }
            return due.sorted { $0.instant < $1.instant }
        }
    }

    private let base: any TransportClock
    private let locked = Mutex(Locked())

    package init(_ base: any TransportClock) { self.base = base }

    deinit { self.locked.withLock { $0.timer.take() }?.cancel() }

    package var now: ClockInstant { self.base.now }

    package var date: HTTPDate { self.base.date }

    package func schedule(at instant: ClockInstant, _ action: @escaping @Sendable () -> Void) -> ScheduledAction {
        let (place, number, needsTimer) = self.locked.withLock { locked in
            let (place, number) = locked.add(at: instant, action)
            return (place, number, locked.needsTimer(at: instant))
        }
        if needsTimer { self.arm(at: instant) }
        return ScheduledAction { [weak self] in
            guard let self else { return }
            // The entry is released outside of the lock, because its action may release other timers.
            _ = self.locked.withLock { $0.remove(number, at: place) }
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
            let next = locked.entries.lazy.compactMap { $0?.instant }.min()
            return (due, next.flatMap { locked.needsTimer(at: $0) ? $0 : nil })
        }
        if let next { self.arm(at: next) }
        for entry in due { entry.action() }
    }
}
