// SPDX-License-Identifier: Apache-2.0
import NIOCore
import Synchronization
import TestSupport
import Testing

@testable import TernNIO

@Suite("EvaluationStateMachine")
struct EvaluationStateMachineTests {
    @Test func `a few evaluations run, and the hosts take turns`() {
        var machine = EvaluationStateMachine(maximumCount: 2)
        let dear = (0..<10).map { _ in machine.requested(for: "dear") }
        #expect(dear.map(\.begins) == Array(repeating: true, count: 2) + Array(repeating: false, count: 8))
        let other = machine.requested(for: "other")
        #expect(!other.begins)
        #expect((machine.runningCount, machine.waitingCount) == (2, 9))
        #expect(machine.ended() == dear[2].number)
        #expect(machine.ended() == other.number)
        for evaluation in dear[3...] { #expect(machine.ended() == evaluation.number) }
        for _ in 0..<2 { #expect(machine.ended() == nil) }
        #expect((machine.runningCount, machine.waitingCount) == (0, 0))
    }

    @Test func `an evaluation that nobody needs is passed over, and one that runs is not`() {
        var machine = EvaluationStateMachine(maximumCount: 0)
        let (first, second) = (machine.requested(for: "a"), machine.requested(for: "b"))
        let third = machine.requested(for: "b")
        #expect([first, second, third].map(\.begins) == [true, false, false])
        let wereWaiting = [first, second, second].map { machine.abandoned($0.number) }
        #expect(wereWaiting == [false, true, false])
        #expect(machine.ended() == third.number)
        #expect(machine.ended() == nil)
        #expect(machine.requested(for: "a").begins)
    }

    private enum Event {
        case request(String)
        case abandon(Int)
        case end
    }

    @Test func `every order of events keeps the limit and loses no evaluation`() {
        struct Script {
            var machine = EvaluationStateMachine(maximumCount: 2)
            var waiting: [Int] = []
            var running: Set<Int> = []

            var events: [Event] {
                [.request("a"), .request("b")] + self.waiting.indices.map(Event.abandon)
                    + (self.running.isEmpty ? [] : [.end])
            }

            mutating func perform(_ event: Event) {
                switch event {
                case .request(let host):
                    let (number, begins) = self.machine.requested(for: host)
                    if begins { self.running.insert(number) } else { self.waiting.append(number) }
                case .abandon(let index):
                    let wasWaiting = self.machine.abandoned(self.waiting.remove(at: index))
                    #expect(wasWaiting)
                case .end:
                    if let ended = self.running.min() { self.running.remove(ended) }
                    guard let next = self.machine.ended() else { break }
                    #expect(self.waiting.contains(next))
                    self.waiting.removeAll { $0 == next }
                    self.running.insert(next)
                }
                #expect(self.machine.runningCount == self.running.count && self.running.count <= 2)
                #expect(self.machine.waitingCount == self.waiting.count)
                #expect(self.waiting.isEmpty || self.running.count == 2)
            }
        }
        func explore(_ script: Script, depth: Int) {
            guard depth > 0 else { return }
            for event in script.events {
                var next = script
                next.perform(event)
                explore(next, depth: depth - 1)
            }
        }
        explore(Script(), depth: 7)
    }
}

@Suite("EvaluationTurns", .hangLimit)
struct EvaluationTurnsTests {
    /// The evaluations that have run, in order.
    private final class Log: Sendable {
        private let list = Mutex<[String]>([])

        var names: [String] { self.list.withLock { $0 } }

        func note(_ name: String) { self.list.withLock { $0.append(name) } }
    }

    private let turns = EvaluationTurns(maximumCount: 1)

    @Test func `one runs after the other, and those of other hosts come between`() async {
        let log = Log()
        let mayEnd = Flag()
        let first = Task {
            await self.turns.run(for: "dear") {
                await mayEnd.wait()
                log.note("first")
            }
        }
        await expectEventually("the first runs") { self.turns.counts == (running: 1, waiting: 0) }
        var others: [Task<Void?, Never>] = []
        for (number, host) in ["dear", "dear", "other"].enumerated() {
            let name = "\(host) \(number)"
            others.append(Task { await self.turns.run(for: host) { log.note(name) } })
            await expectEventually("\(number + 1) wait") { self.turns.counts == (running: 1, waiting: number + 1) }
        }
        mayEnd.raise()
        for task in [first] + others { #expect(await task.value != nil) }
        #expect(log.names == ["first", "dear 0", "other 2", "dear 1"])
        #expect(self.turns.counts == (running: 0, waiting: 0))
    }

    @Test func `a task that is cancelled while it waits leaves its place`() async {
        let mayEnd = Flag()
        let first = Task { await self.turns.run(for: "a") { await mayEnd.wait() } }
        await expectEventually("the first runs") { self.turns.counts == (running: 1, waiting: 0) }
        let second = Task { await self.turns.run(for: "b") { Issue.record("the evaluation was not needed") } }
        await expectEventually("the second waits") { self.turns.counts == (running: 1, waiting: 1) }
        second.cancel()
        #expect(await second.value == nil)
        #expect(self.turns.counts == (running: 1, waiting: 0))
        mayEnd.raise()
        #expect(await first.value != nil)
        #expect(self.turns.counts == (running: 0, waiting: 0))
        #expect(await self.turns.run(for: "c") { true } == true)
    }

    /// Evaluations of other tests may run beside these, but the limit is that of the process.
    @Test func `evaluations leave one processor free`() async {
        let (turns, count) = (EvaluationTurns.shared, System.coreCount)
        let mayEnd = Flag()
        let tasks = (0..<count).map { number in Task { await turns.run(for: "\(number)") { await mayEnd.wait() } } }
        await expectEventually("all run or wait") { turns.counts.running + turns.counts.waiting >= count }
        #expect(turns.counts.running <= max(1, count - 1))
        mayEnd.raise()
        for task in tasks { #expect(await task.value != nil) }
    }

    @Test func `cancellation at any moment loses no turn`() async {
        for _ in 0..<200 {
            let tasks = (0..<8).map { number in
                Task { await self.turns.run(for: "\(number % 3)") { await Task.yield() } }
            }
            for task in tasks where Bool.random() { task.cancel() }
            for task in tasks { _ = await task.value }
            #expect(self.turns.counts == (running: 0, waiting: 0))
        }
    }
}
