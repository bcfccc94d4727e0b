// SPDX-License-Identifier: Apache-2.0
import Synchronization
import TernConnections

/// A clock that stands still until a test moves it.
final class SteppedClock: TransportClock {
    private struct State {
        var now = ClockInstant(nanoseconds: 0)
        var actions: [Int: (instant: ClockInstant, run: @Sendable () -> Void)] = [:]
        var lastNumber = 0
    }

    private let state = Mutex(State())

    var now: ClockInstant { self.state.withLock { $0.now } }

    /// The number of timers that are set.
    var timerCount: Int { self.state.withLock { $0.actions.count } }

    func schedule(at instant: ClockInstant, _ action: @escaping @Sendable () -> Void) -> ScheduledAction {
        let number = self.state.withLock { state in
            state.lastNumber += 1
            state.actions[state.lastNumber] = (instant, action)
            return state.lastNumber
        }
        return ScheduledAction { [weak self] in _ = self?.state.withLock { $0.actions.removeValue(forKey: number) } }
    }

    /// Moves the clock, and runs the timers that are due.
    func advance(by duration: Duration) {
        let due = self.state.withLock { state in
            state.now = state.now.advanced(by: duration)
            let now = state.now
            let due = state.actions.filter { $0.value.instant <= now }
            for number in due.keys { state.actions[number] = nil }
            return due.sorted { $0.key < $1.key }
        }
        for (_, action) in due { action.run() }
    }
}
