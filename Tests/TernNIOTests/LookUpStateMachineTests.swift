// SPDX-License-Identifier: Apache-2.0
import TernConnections
import Testing

@testable import TernNIO

@Suite("LookUpStateMachine")
struct LookUpStateMachineTests {
    private typealias Waiter = LookUpStateMachine.Waiter

    /// A machine whose events happen at instants that a test moves.
    private struct Run {
        var machine: LookUpStateMachine
        var now = ClockInstant(nanoseconds: 0)

        init(_ threadCount: Int, of maximumThreadCount: Int? = nil) {
            self.machine = LookUpStateMachine(
                threadCount: threadCount,
                maximumThreadCount: maximumThreadCount ?? threadCount
            )
        }

        mutating func request(_ name: String) -> (waiter: Waiter, starts: [String]) {
            let (waiter, effects) = self.machine.requested(name, in: NameGroup(of: name), now: self.now)
            return (waiter, effects.starts)
        }

        mutating func finish(_ name: String, isAnswered: Bool = true) -> (waiters: [Waiter], starts: [String]) {
            let (waiters, effects) = self.machine.finished(name, isAnswered: isAnswered, now: self.now)
            return (waiters, effects.starts)
        }

        /// Moves the time, and fires the timer if it is set for an instant until then.
        mutating func wait(_ duration: Duration) -> [String] {
            self.now = self.now.advanced(by: duration)
            guard let armed = self.machine.armedInstant, armed <= self.now else { return [] }
            return self.machine.timerFired(now: self.now).starts
        }
    }

    @Test func `names are looked up at once while there are threads, and wait in order when there are none`() {
        var run = Run(2)
        #expect(run.request("a").starts == ["a"])
        #expect(run.request("b").starts == ["b"])
        let third = run.request("c")
        let fourth = run.request("d")
        #expect(third.starts == [] && fourth.starts == [])
        #expect(run.machine.counts == (waiting: 4, queued: 2))
        #expect(run.finish("b").starts == ["c"])
        let (waiters, starts) = run.finish("c")
        #expect(waiters == [third.waiter])
        #expect(starts == ["d"])
        #expect(run.finish("a").starts == [])
        #expect(run.finish("d").waiters == [fourth.waiter])
        #expect(run.machine.counts == (waiting: 0, queued: 0))
        #expect(run.machine.runningCount == 0)
    }

    @Test func `calls that want equal names at the same time share one look-up`() {
        var run = Run(1)
        let running = [run.request("a"), run.request("a")]
        let queued = [run.request("b"), run.request("b"), run.request("b")]
        #expect((running + queued).map(\.starts) == [["a"], [], [], [], []])
        #expect(run.machine.counts == (waiting: 5, queued: 1))
        let (first, starts) = run.finish("a")
        #expect(Set(first) == Set(running.map(\.waiter)))
        #expect(starts == ["b"])
        let (second, none) = run.finish("b")
        #expect(Set(second) == Set(queued.map(\.waiter)))
        #expect(none == [])
    }

    @Test func `a name that was looked up is looked up again by the next call`() {
        var run = Run(1)
        _ = run.request("a")
        _ = run.finish("a")
        #expect(run.request("a").starts == ["a"])
    }

    @Test func `a queued look-up that no call waits for is never started`() {
        var run = Run(1)
        _ = run.request("a")
        let left = [run.request("b").waiter, run.request("b").waiter]
        let kept = run.request("c").waiter
        for waiter in left { run.machine.abandoned(waiter) }
        #expect(run.machine.counts == (waiting: 2, queued: 1))
        #expect(run.finish("a").starts == ["c"])
        #expect(run.finish("c").waiters == [kept])
    }

    @Test func `a look-up goes on while one call waits for it`() {
        var run = Run(1)
        _ = run.request("a")
        let (left, kept) = (run.request("b").waiter, run.request("b").waiter)
        run.machine.abandoned(left)
        run.machine.abandoned(left)
        #expect(run.finish("a").starts == ["b"])
        #expect(run.finish("b").waiters == [kept])
    }

    @Test func `a look-up that runs keeps its thread though no call waits, and later calls join it`() {
        var run = Run(1)
        run.machine.abandoned(run.request("a").waiter)
        #expect(run.machine.counts == (waiting: 0, queued: 0))
        #expect(run.machine.runningCount == 1)
        let late = run.request("a")
        #expect(late.starts == [])
        #expect(run.finish("a").waiters == [late.waiter])
    }

    @Test func `a name that was given up and is wanted again goes behind the others, once`() {
        var run = Run(1)
        _ = run.request("a")
        run.machine.abandoned(run.request("b").waiter)
        _ = run.request("c")
        let again = run.request("b").waiter
        #expect(run.finish("a").starts == ["c"])
        #expect(run.finish("c").starts == ["b"])
        let (waiters, starts) = run.finish("b")
        #expect(waiters == [again])
        #expect(starts == [])
    }

    @Test func `giving up after the look-up has ended changes nothing`() {
        var run = Run(1)
        let first = run.request("a").waiter
        _ = run.finish("a")
        let second = run.request("a").waiter
        run.machine.abandoned(first)
        #expect(run.machine.counts == (waiting: 1, queued: 0))
        #expect(run.finish("a").waiters == [second])
    }

    @Test func `calls that come and go do not make the queue grow`() {
        var run = Run(1)
        _ = run.request("running")
        let kept = run.request("kept").waiter
        for number in 0..<10_000 {
            run.machine.abandoned(run.request("left \(number)").waiter)
            #expect(run.machine.turnCount < 100)
        }
        #expect(run.finish("running").starts == ["kept"])
        #expect(run.finish("kept").waiters == [kept])
    }

    @Test func `less than one thread counts as one`() {
        var run = Run(0)
        #expect(run.request("a").starts == ["a"])
        #expect(run.request("b").starts == [])
    }

    // MARK: Silent name servers

    @Test func `a look-up that lasts longer than a second makes room for another`() {
        var run = Run(2, of: 4)
        for name in ["silent-1", "silent-2", "a", "b", "c"] { _ = run.request(name) }
        #expect(run.wait(.milliseconds(999)) == [])
        #expect(run.wait(.milliseconds(1)) == ["a", "b"])
        // That is the maximum of all threads.
        #expect(run.wait(.seconds(100)) == [])
        #expect(run.machine.armedInstant == nil)
        #expect(run.finish("a").starts == ["c"])
        #expect(run.machine.counts == (waiting: 4, queued: 0))
    }

    @Test func `the timer is set for the oldest look-up only while a name waits`() {
        var run = Run(2, of: 8)
        _ = run.request("a")
        #expect(run.machine.armedInstant == nil)
        _ = run.wait(.milliseconds(300))
        _ = run.request("b")
        #expect(run.machine.armedInstant == nil)
        _ = run.request("c")
        #expect(run.machine.armedInstant == ClockInstant(nanoseconds: 1_000_000_000))
        #expect(run.wait(.milliseconds(700)) == ["c"])
        #expect(run.machine.armedInstant == nil)
        _ = run.request("d")
        #expect(run.machine.armedInstant == ClockInstant(nanoseconds: 1_300_000_000))
    }

    @Test func `the names of one domain take half of the threads`() {
        var run = Run(4, of: 12)
        let silent = (1...20).map { "silent-\($0).example.com" }
        var starts: [String] = []
        for name in silent { starts += run.request(name).starts }
        #expect(starts == Array(silent[..<2]))
        #expect(run.request("good.example.org").starts == ["good.example.org"])
        #expect(run.wait(.seconds(1)) == Array(silent[2..<4]))
        #expect(run.wait(.seconds(1)) == Array(silent[4..<6]))
        #expect(run.wait(.seconds(1)) == [])
        #expect(run.machine.counts == (waiting: 21, queued: 14))
        for number in 0..<4 { #expect(run.request("other-\(number)").starts == ["other-\(number)"]) }
    }

    @Test func `two silent names a second never keep another name from a thread`() {
        var run = Run(16, of: 128)
        var begun: [(name: String, instant: ClockInstant)] = []
        for step in 0..<600 {
            // Each silent look-up ends after 10 seconds, because the system gives up.
            let ended = begun.prefix { $0.instant.advanced(by: .seconds(10)) <= run.now }
            begun.removeFirst(ended.count)
            for (name, _) in ended { _ = run.finish(name, isAnswered: false) }
            let name = "silent-\(step).example-\(step).com"
            let (waiter, starts) = run.request(name)
            #expect(starts == [name])
            begun.append((name, run.now))
            run.machine.abandoned(waiter)
            #expect(run.request("good-\(step).org").starts == ["good-\(step).org"])
            #expect(run.finish("good-\(step).org").starts == [])
            _ = run.wait(.milliseconds(250))
        }
    }

    @Test func `half of the threads are for answered names once no call waits for the look-ups of the other half`() {
        var run = Run(4, of: 8)
        _ = run.request("known")
        _ = run.finish("known")
        for number in 0..<4 { run.machine.abandoned(run.request("left-\(number)").waiter) }
        _ = run.wait(.seconds(1))
        #expect(run.request("new").starts == [])
        #expect(run.request("known").starts == ["known"])
        // A call that waits again makes its look-up count as wanted.
        #expect(run.request("left-0").starts == ["new"])
    }

    @Test func `names that were answered before go first, and those that failed do not`() {
        var run = Run(1)
        for name in ["known", "failed"] {
            _ = run.request(name)
            _ = run.finish(name, isAnswered: name == "known")
        }
        for name in ["running", "new", "failed", "known"] { _ = run.request(name) }
        #expect(run.finish("running").starts == ["known"])
        #expect(run.finish("known").starts == ["new"])
        #expect(run.finish("new").starts == ["failed"])
    }

    @Test func `domains take turns`() {
        var run = Run(1)
        for name in ["running", "1.example.com", "2.example.com", "3.example.com", "a.org", "b.org"] {
            _ = run.request(name)
        }
        var order: [String] = []
        var next: String? = "running"
        while let name = next {
            next = run.finish(name).starts.first
            if let next { order.append(next) }
        }
        #expect(order == ["1.example.com", "a.org", "b.org", "2.example.com", "3.example.com"])
    }

    // MARK: Every order

    private enum Event: Equatable {
        case request(String)
        case abandon(Int)
        case finish(String)
        case wait
    }

    /// A machine, and what a driver would know about it.
    private struct Script {
        var run = Run(2, of: 3)
        var waiting: [(waiter: Waiter, name: String)] = []
        var running: [String: ClockInstant] = [:]

        var events: [Event] {
            let requests = self.waiting.count < 4 ? ["a.x.com", "b.x.com", "c"].map(Event.request) : []
            return requests + self.waiting.indices.map(Event.abandon) + self.running.keys.sorted().map(Event.finish)
                + [.wait]
        }

        mutating func perform(_ event: Event) {
            var starts: [String] = []
            switch event {
            case .request(let name):
                let (waiter, more) = self.run.request(name)
                self.waiting.append((waiter, name))
                starts = more
            case .abandon(let index):
                self.run.machine.abandoned(self.waiting.remove(at: index).waiter)
            case .finish(let name):
                let (waiters, more) = self.run.finish(name, isAnswered: name != "c")
                #expect(Set(waiters) == Set(self.waiting.filter { $0.name == name }.map(\.waiter)))
                self.waiting.removeAll { $0.name == name }
                self.running[name] = nil
                starts = more
            case .wait:
                starts = self.run.wait(.milliseconds(600))
            }
            for name in starts {
                #expect(self.running[name] == nil)
                self.running[name] = self.run.now
            }
            self.check()
        }

        private func check() {
            let (machine, now) = (self.run.machine, self.run.now)
            let recent = self.running.filter { $0.value.advanced(by: .seconds(1)) > now }
            #expect(recent.count <= 2 && self.running.count <= 3)
            #expect(recent.keys.count { $0.hasSuffix(".x.com") } <= 1)
            #expect(self.running.keys.count { $0.hasSuffix(".x.com") } <= 1)
            let queued = Set(self.waiting.map(\.name)).subtracting(self.running.keys)
            #expect(machine.counts == (waiting: self.waiting.count, queued: queued.count))
            #expect(machine.runningCount == self.running.count)
            // A name that waits is started by the end of a look-up or by the timer.
            if !queued.isEmpty { #expect(!self.running.isEmpty || machine.armedInstant != nil) }
            if !queued.isEmpty, !recent.isEmpty { #expect(machine.armedInstant.map { $0 > now } == true) }
        }
    }

    @Test func `every order of events keeps the limits, loses no call and leaves no name behind`() {
        func explore(_ script: Script, depth: Int) {
            guard depth > 0 else {
                // However it went on, all names are looked up once the look-ups end.
                var script = script
                while let name = script.running.keys.sorted().first { script.perform(.finish(name)) }
                #expect(script.waiting.isEmpty)
                return
            }
            for event in script.events {
                var next = script
                next.perform(event)
                explore(next, depth: depth - 1)
            }
        }
        explore(Script(), depth: 5)
    }
}
