// SPDX-License-Identifier: Apache-2.0
import Synchronization
import TernConnections
import TernRequests
import TernTesting
import TestSupport
import Testing

@Suite("ManualClock", .hangLimit)
struct ManualClockTests {
    private final class Log: Sendable {
        private let names = Mutex<[String]>([])

        var all: [String] { self.names.withLock { $0 } }

        func add(_ name: String) { self.names.withLock { $0.append(name) } }
    }

    private let clock = ManualClock()
    private let log = Log()

    private func schedule(_ name: String, in delay: Duration) -> ScheduledAction {
        self.clock.schedule(at: self.clock.now.advanced(by: delay)) { [log] in log.add(name) }
    }

    @Test func `time stands still until it is moved`() {
        let start = self.clock.now
        #expect(self.clock.now == start)
        self.clock.advance(by: .seconds(3))
        #expect(start.duration(to: self.clock.now) == .seconds(3))
    }

    @Test func `the last date is followed by no other`() {
        let last = HTTPDate(secondsSince1970: .max)
        let clock = ManualClock(date: last)
        clock.advance(by: .seconds(1))
        #expect(clock.date == last)
    }

    @Test func `due actions are called in the order of their instants, equal ones as they were scheduled`() {
        let actions = [
            self.schedule("late", in: .seconds(3)), self.schedule("early", in: .seconds(1)),
            self.schedule("middle", in: .seconds(2)), self.schedule("middle too", in: .seconds(2)),
        ]
        self.clock.advance(by: .seconds(3))
        #expect(self.log.all == ["early", "middle", "middle too", "late"])
        withExtendedLifetime(actions) {}
    }

    @Test func `a delay with a fraction of a nanosecond is found and passes`() async throws {
        let delay = Duration(secondsComponent: 3, attosecondsComponent: 358_860_022_745_811_000)
        let action = self.schedule("it", in: delay)
        try await self.clock.waitForScheduled(in: delay)
        try await self.clock.waitForScheduled(within: delay)
        self.clock.advance(by: delay)
        #expect(self.log.all == ["it"])
        withExtendedLifetime(action) {}
    }

    @Test func `an action is called once, and not before its instant`() {
        let action = self.schedule("it", in: .seconds(2))
        self.clock.advance(by: .milliseconds(1999))
        #expect(self.log.all == [])
        self.clock.advance(by: .milliseconds(1))
        self.clock.advance(by: .seconds(5))
        #expect(self.log.all == ["it"])
        withExtendedLifetime(action) {}
    }

    @Test func `an action sees the instant for which it was scheduled`() {
        let start = self.clock.now
        let seen = Mutex<ClockInstant?>(nil)
        let action = self.clock.schedule(at: start.advanced(by: .seconds(1))) { [clock] in
            let now = clock.now
            seen.withLock { $0 = now }
        }
        self.clock.advance(by: .seconds(10))
        #expect(seen.withLock { $0 } == start.advanced(by: .seconds(1)))
        withExtendedLifetime(action) {}
    }

    @Test func `what an action schedules is called in the same advance if it is due`() {
        let second = Mutex<ScheduledAction?>(nil)
        let first = self.clock.schedule(at: self.clock.now.advanced(by: .seconds(1))) { [clock, log] in
            let action = clock.schedule(at: clock.now.advanced(by: .seconds(1))) { log.add("second") }
            second.withLock { $0 = action }
        }
        self.clock.advance(by: .seconds(2))
        #expect(self.log.all == ["second"])
        withExtendedLifetime(first) {}
    }

    @Test func `cancelled and released actions are not called`() {
        let cancelled = self.schedule("cancelled", in: .seconds(1))
        cancelled.cancel()
        _ = self.schedule("released", in: .seconds(1))
        #expect(self.clock.scheduledCount == 0)
        self.clock.advance(by: .seconds(1))
        #expect(self.log.all == [])
    }

    @Test func `an action of the past is called without an advance`() async {
        let called = Suspension<Void>()
        let action = self.clock.schedule(at: self.clock.now) { called.resume(with: ()) }
        await called.wait(onCancel: ())
        withExtendedLifetime(action) {}
    }

    @Test func `an action that is scheduled during an advance is called`() async {
        for _ in 0..<10_000 {
            let clock = ManualClock()
            let called = Suspension<Void>()
            let instant = clock.now.advanced(by: .seconds(1))
            async let action = Task.detached { clock.schedule(at: instant) { called.resume(with: ()) } }.value
            clock.advance(by: .seconds(1))
            await called.wait(onCancel: ())
            withExtendedLifetime(await action) {}
        }
    }

    @Test func `waiting ends when enough actions are scheduled`() async throws {
        async let waiting: Void = self.clock.waitForScheduled(count: 2)
        let actions = [self.schedule("one", in: .seconds(1)), self.schedule("two", in: .seconds(1))]
        try await waiting
        #expect(self.clock.scheduledDelays == [.seconds(1), .seconds(1)])
        withExtendedLifetime(actions) {}
    }

    @Test func `waiting for a delay names one timer among others`() async throws {
        async let waiting: Void = self.clock.waitForScheduled(in: .seconds(5))
        let other = self.schedule("other", in: .seconds(1))
        let meant = self.schedule("meant", in: .seconds(5))
        try await waiting
        withExtendedLifetime((other, meant)) {}
    }

    @Test func `waiting ends when its task is cancelled`() async throws {
        let waiting = Task { [clock] in try await clock.waitForScheduled(count: 1) }
        waiting.cancel()
        try await waiting.value
    }
}
