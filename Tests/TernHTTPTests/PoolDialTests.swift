// SPDX-License-Identifier: Apache-2.0
import TestSupport
import Testing

@testable import TernHTTP

@Suite("PoolStateMachine: dials")
struct PoolDialTests {
    @Test func `a slot that comes back before the dial serves the call, and the dial leaves a session`() {
        var pool = PoolRun(perHost: 2)
        _ = pool.acquire("a", as: "first")
        #expect(pool.open("d1", "one") == ["first: use one"])
        #expect(pool.acquire("a", as: "second") == "dial d2")
        #expect(pool.back("one") == ["second: reuse one"])
        #expect(pool.counts == [0, 2, 0])
        #expect(pool.open("d2", "two") == ["arm 60"])
        #expect(pool.counts == [1, 1, 0])
    }

    @Test func `a dial whose call was served is for the next that comes`() {
        var pool = PoolRun(perHost: 2)
        _ = pool.acquire("a", as: "first")
        _ = pool.open("d1", "one")
        #expect(pool.acquire("a", as: "second") == "dial d2")
        #expect(pool.back("one") == ["second: reuse one"])
        #expect(pool.acquire("a", as: "third") == "wait")
        #expect(pool.open("d2", "two") == ["third: use two"])
    }

    @Test func `the first to wait is served by the first dial, whichever call began it`() {
        var pool = PoolRun(perHost: 2)
        #expect(pool.acquire("a", as: "first") == "dial d1")
        #expect(pool.acquire("a", as: "second") == "dial d2")
        #expect(pool.open("d2", "two") == ["first: use two", "second: wait"])
        #expect(pool.open("d1", "one") == ["second: use one"])
        #expect(pool.counts == [0, 2, 0])
    }

    @Test func `a dial whose call gave up serves another that waits`() {
        var pool = PoolRun(perHost: 1)
        #expect(pool.acquire("a", as: "first") == "dial d1")
        #expect(pool.acquire("a", as: "second") == "wait")
        #expect(pool.abandon("first") == [])
        #expect(pool.isWanted("d1"))
        #expect(pool.open("d1", "one") == ["second: use one"])
    }

    @Test func `a dial ends when its call gave up and no other waits`() {
        var pool = PoolRun(perHost: 1)
        #expect(pool.acquire("a", as: "first") == "dial d1")
        #expect(pool.abandon("first") == ["cancel d1"])
        #expect(!pool.isWanted("d1"))
        #expect(pool.counts == [0, 1, 0])
        #expect(pool.acquire("a", as: "second") == "wait")
        #expect(pool.fail("d1") == ["second: dial d2"])
        #expect(pool.open("d2", "one") == ["second: use one"])
    }

    @Test func `a dial that is open before it could end is closed, or serves a call that has come`() {
        var pool = PoolRun(perHost: 1)
        _ = pool.acquire("a", as: "first")
        #expect(pool.abandon("first") == ["cancel d1"])
        #expect(pool.open("d1", "one") == ["close one"])
        #expect(pool.counts == [0, 0, 0])
        _ = pool.acquire("a", as: "second")
        #expect(pool.abandon("second") == ["cancel d2"])
        #expect(pool.acquire("a", as: "third") == "wait")
        #expect(pool.open("d2", "two") == ["third: use two"])
    }

    @Test func `a dial that fails fails the call that began it, and the next has a dial of its own`() {
        var pool = PoolRun(perHost: 1)
        _ = pool.acquire("a", as: "first")
        _ = pool.acquire("a", as: "second")
        #expect(pool.fail("d1") == ["first: failed", "second: dial d2"])
        #expect(pool.fail("d2") == ["second: failed"])
        #expect(pool.fail("d2") == [])
        #expect(pool.counts == [0, 0, 0])
    }

    @Test func `a call is not failed by a dial that another began`() {
        var pool = PoolRun(perHost: 1)
        _ = pool.acquire("a", as: "first")
        _ = pool.acquire("a", as: "second")
        _ = pool.abandon("first")
        #expect(pool.fail("d1") == ["second: dial d2"])
        #expect(pool.fail("d2") == ["second: failed"])
    }

    @Test func `a session that its call no longer wants serves another, or is closed`() {
        var pool = PoolRun(perHost: 1)
        _ = pool.acquire("a", as: "first")
        _ = pool.acquire("a", as: "second")
        #expect(pool.open("d1", "one") == ["first: use one"])
        #expect(pool.decline("one") == ["second: use one"])
        #expect(pool.decline("one") == ["close one"])
        #expect(pool.counts == [0, 0, 0])
        _ = pool.acquire("a", as: "third")
        _ = pool.open("d2", "two")
        #expect(pool.acquire("a", as: "fourth") == "wait")
        #expect(pool.back("two") == ["fourth: reuse two"])
        #expect(pool.decline("two", wasReused: true) == ["arm 60"])
    }

    @Test func `a connection of one call alone serves that call`() {
        var pool = PoolRun(perHost: 2)
        #expect(pool.acquire("a", as: "first") == "dial d1")
        #expect(pool.acquire("a", as: "second") == "dial d2")
        #expect(pool.open("d2", "two", capacity: 100, isShared: false) == ["second: use two"])
        #expect(pool.closed("two") == [])
        #expect(pool.open("d1", "one") == ["first: use one"])
    }

    @Test func `a connection of one call alone is closed when that call has gone, and the next dials`() {
        var pool = PoolRun(perHost: 1, closesAtOnce: false)
        _ = pool.acquire("a", as: "first")
        _ = pool.acquire("a", as: "second")
        _ = pool.abandon("first")
        #expect(pool.open("d1", "one", isShared: false) == ["close one"])
        #expect(pool.closed("one") == ["second: dial d2"])
        #expect(pool.open("d2", "two", isShared: false) == ["second: use two"])
    }

    @Test func `calls in excess of the limit are served as dials and slots come`() {
        var pool = PoolRun(perHost: 2)
        for name in ["1", "2", "3", "4", "5"] { _ = pool.acquire("a", as: name) }
        #expect(pool.counts == [0, 2, 3])
        #expect(pool.open("d1", "one") == ["1: use one"])
        #expect(pool.back("one") == ["2: reuse one"])
        // The third call now gets the dial that the second call caused.
        #expect(pool.open("d2", "two") == ["3: use two"])
        #expect(pool.back("one") == ["4: reuse one"])
        #expect(pool.back("two") == ["5: reuse two"])
        #expect(pool.counts == [0, 2, 0])
    }

    @Test func `a place that is free again is dialed for the call that waits longest`() {
        var pool = PoolRun(perHost: 1)
        _ = pool.acquire("a", as: "first")
        _ = pool.open("d1", "one")
        _ = pool.acquire("a", as: "second")
        _ = pool.acquire("a", as: "third")
        #expect(pool.closed("one") == ["second: dial d2"])
        #expect(pool.abandon("second") == [])
        #expect(pool.open("d2", "two") == ["third: use two"])
    }

    @Test func `shutting down ends the dials`() {
        var pool = PoolRun(perHost: 1)
        _ = pool.acquire("a", as: "first")
        _ = pool.acquire("b", as: "second")
        #expect(Set(pool.shutDown()) == ["cancel d1", "cancel d2"])
        #expect(pool.fail("d1") == [])
        #expect(pool.open("d2", "late") == ["close late"])
        #expect(pool.counts == [0, 0, 0])
    }

    @Test(arguments: [false, true])
    func `any sequence of events keeps places, slots and calls in order`(isMultiplexing: Bool) {
        var generator = SeededGenerator(seed: 42)
        for _ in 0..<400 {
            var world = PoolWorld(perHost: Int(generator.next() % 3) + 1, isMultiplexing: isMultiplexing)
            for step in 0..<200 { world.step(at: Double(step) / 8, &generator) }
            world.finish()
            #expect(world.run.counts == [0, 0, 0])
        }
    }
}

/// Performs random events of calls, dials and sessions on a pool's machine, and checks the invariants.
private struct PoolWorld {
    private(set) var run: PoolRun
    private var lent: [String] = []
    private var waiting: Set<String> = []
    private var dials: Set<String> = []
    private var count = 0
    private let perHost: Int
    /// Whether sessions may serve several exchanges.
    private let isMultiplexing: Bool

    init(perHost: Int, isMultiplexing: Bool) {
        self.isMultiplexing = isMultiplexing
        self.perHost = perHost
        self.run = PoolRun(perHost: perHost, idle: 3)
    }

    mutating func step(at second: Double, _ generator: inout SeededGenerator) {
        switch generator.next() % 8 {
        case 0, 1, 2:
            self.count += 1
            let name = "w\(self.count)"
            self.waiting.insert(name)
            let host = ["a", "b"][Int(generator.next() % 2)]
            let answer = self.run.acquire(
                host,
                fresh: generator.next() % 5 == 0,
                multiplexing: self.isMultiplexing,
                first: self.isMultiplexing && generator.next() % 4 == 0,
                at: second,
                as: name
            )
            let parts = answer.split(separator: ", ").map(String.init)
            self.note(parts[0], by: name)
            self.note(Array(parts.dropFirst()))
        case 3:
            guard let dial = self.dials.sorted().first else { return }
            self.dials.remove(dial)
            let isShared = generator.next() % 4 != 0
            let isMultiplexed = self.isMultiplexing && generator.next() % 3 != 0
            self.note(
                self.run.open(
                    dial,
                    "s\(dial)",
                    capacity: isMultiplexed ? 3 : 1,
                    multiplexed: isMultiplexed,
                    isShared: isShared,
                    at: second
                )
            )
        case 4:
            guard let dial = self.dials.sorted().last else { return }
            self.dials.remove(dial)
            self.note(self.run.fail(dial))
        case 5:
            guard let name = self.waiting.sorted().first else { return }
            self.waiting.remove(name)
            self.note(self.run.abandon(name))
        case 6:
            guard let member = self.lent.popLast() else { return }
            // A session that serves several exchanges is closed only when all of them are over.
            if self.lent.contains(member) { return self.note(self.run.back(member, at: second)) }
            if self.isMultiplexing, generator.next() % 4 == 0 { self.note(self.run.end(member)) }
            self.note(generator.next() % 2 == 0 ? self.run.back(member, at: second) : self.run.closed(member))
        default:
            self.note(self.run.fire(at: second))
        }
        #expect(self.run.counts[0] <= 3)
        #expect(self.run.counts[0] + self.run.counts[1] <= 2 * self.perHost)
        #expect(self.run.counts[1] == Set(self.lent).count + self.dials.count)
        // A silent dial does not hold up the calls for which there is room: the timer begins another.
        for host in self.run.machine.hosts where host.waiters.contains(where: { $0.dial == nil }) {
            let isFull = host.sessionCount + host.dials.count >= self.perHost
            #expect(isFull || self.run.machine.armedInstant != nil)
        }
    }

    /// Ends all dials and calls.
    ///
    /// Each waiting call must get a session or fail.
    mutating func finish() {
        for step in 0..<10_000 where !(self.dials.isEmpty && self.lent.isEmpty) {
            if let dial = self.dials.popFirst() { self.note(self.run.open(dial, "s\(dial)", at: Double(step))) }
            if let member = self.lent.popLast() { self.note(self.run.back(member, at: Double(step))) }
        }
        #expect(self.waiting.isEmpty)
        self.note(self.run.shutDown())
    }

    private mutating func note(_ effects: [String]) {
        for effect in effects {
            let parts = effect.split(separator: ": ").map(String.init)
            self.note(parts[parts.count - 1], by: parts.count > 1 ? parts[0] : nil)
        }
    }

    private mutating func note(_ text: String, by waiter: String?) {
        let words = text.split(separator: " ").map(String.init)
        switch words[0] {
        case "use", "reuse":
            self.lent.append(words[1])
            if let waiter { #expect(self.waiting.remove(waiter) != nil) }
        case "dial": self.dials.insert(words[1])
        case "failed": if let waiter { self.waiting.remove(waiter) }
        default: break
        }
    }
}
