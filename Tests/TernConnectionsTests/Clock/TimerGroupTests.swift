// SPDX-License-Identifier: Apache-2.0
import Synchronization
import TernConnections
import TernTesting
import Testing

@Suite struct TimerGroupTests {
    /// Counts the timers that were set on a clock.
    private final class CountingClock: TransportClock {
        let base = ManualClock()
        let count = Atomic<Int>(0)

        var now: ClockInstant { self.base.now }

        func schedule(at instant: ClockInstant, _ action: @escaping @Sendable () -> Void) -> ScheduledAction {
            self.count.add(1, ordering: .relaxed)
            return self.base.schedule(at: instant, action)
        }
    }

    private final class Log: Sendable {
        private let entries = Mutex<[Int]>([])

        var all: [Int] { self.entries.withLock { $0 } }

        func note(_ number: Int) { self.entries.withLock { $0.append(number) } }
    }

    private let clock = CountingClock()
    private let log = Log()

    private func schedule(_ number: Int, in group: TimerGroup, after delay: Duration) -> ScheduledAction {
        group.schedule(at: group.now.advanced(by: delay)) { [log] in log.note(number) }
    }

    @Test func `actions run in the order of their instants, each once`() {
        let group = TimerGroup(self.clock)
        let timers = [3, 1, 2, 5, 4].map { self.schedule($0, in: group, after: .seconds($0)) }
        self.clock.base.advance(by: .seconds(2))
        #expect(self.log.all == [1, 2])
        self.clock.base.advance(by: .seconds(10))
        #expect(self.log.all == [1, 2, 3, 4, 5])
        self.clock.base.advance(by: .seconds(10))
        #expect(self.log.all.count == 5)
        withExtendedLifetime(timers) {}
    }

    @Test func `cancelled and released timers never run`() {
        let group = TimerGroup(self.clock)
        let first = self.schedule(1, in: group, after: .seconds(1))
        _ = self.schedule(2, in: group, after: .seconds(1))
        let third = self.schedule(3, in: group, after: .seconds(1))
        first.cancel()
        first.cancel()
        self.clock.base.advance(by: .seconds(2))
        #expect(self.log.all == [3])
        third.cancel()
    }

    @Test func `a timer that has ended does not cancel the one that has its place`() {
        let group = TimerGroup(self.clock)
        let cancelled = self.schedule(1, in: group, after: .seconds(1))
        cancelled.cancel()
        let fired = self.schedule(2, in: group, after: .seconds(1))
        cancelled.cancel()
        self.clock.base.advance(by: .seconds(1))
        let last = self.schedule(3, in: group, after: .seconds(1))
        cancelled.cancel()
        fired.cancel()
        self.clock.base.advance(by: .seconds(1))
        #expect(self.log.all == [2, 3])
        withExtendedLifetime(last) {}
    }

    @Test func `timers that are cancelled set no other timers`() {
        let group = TimerGroup(self.clock)
        for number in 0..<1000 { self.schedule(number, in: group, after: .seconds(60 + number)).cancel() }
        #expect(self.clock.count.load(ordering: .relaxed) == 1)
        let timer = self.schedule(1, in: group, after: .seconds(100))
        self.clock.base.advance(by: .seconds(60))
        #expect(self.clock.count.load(ordering: .relaxed) == 2)
        self.clock.base.advance(by: .seconds(40))
        #expect(self.log.all == [1])
        withExtendedLifetime(timer) {}
    }

    @Test func `an earlier timer comes first`() {
        let group = TimerGroup(self.clock)
        let timers = [10, 1].map { self.schedule($0, in: group, after: .seconds($0)) }
        self.clock.base.advance(by: .seconds(1))
        #expect(self.log.all == [1])
        self.clock.base.advance(by: .seconds(9))
        #expect(self.log.all == [1, 10])
        withExtendedLifetime(timers) {}
    }

    @Test func `an action may set the next timer`() {
        let group = TimerGroup(self.clock)
        let next = Mutex<ScheduledAction?>(nil)
        let timer = group.schedule(at: group.now.advanced(by: .seconds(1))) {
            let timer = self.schedule(2, in: group, after: .seconds(1))
            next.withLock { $0 = timer }
        }
        self.clock.base.advance(by: .seconds(1))
        self.clock.base.advance(by: .seconds(1))
        #expect(self.log.all == [2])
        withExtendedLifetime(timer) {}
    }

    @Test func `a released group runs nothing`() {
        var timers: [ScheduledAction] = []
        do {
            let group = TimerGroup(self.clock)
            timers.append(self.schedule(1, in: group, after: .seconds(1)))
        }
        self.clock.base.advance(by: .seconds(2))
        #expect(self.log.all.isEmpty)
        #expect(self.clock.base.scheduledDelays.isEmpty)
    }
}
