// SPDX-License-Identifier: Apache-2.0
import Testing

@testable import Tern

@Suite("Delegates: the queue, event by event")
struct DelegateQueueOrderTests {
    /// A list of events with the expected outcomes, and a name.
    struct Scenario: CustomTestStringConvertible, Sendable {
        let testDescription: String
        let steps: [(event: DelegateQueueEvent, expected: [DelegateQueueOutcome])]

        init(_ name: String, _ steps: [(DelegateQueueEvent, [DelegateQueueOutcome])]) {
            self.testDescription = name
            self.steps = steps.map { (event: $0.0, expected: $0.1) }
        }
    }

    static let scenarios: [Scenario] = [
        Scenario(
            "one task delivers, until there are no messages",
            [
                (.posts("a"), [.starts]), (.asks("b"), []), (.next, [.says("a")]), (.next, [.says("b")]),
                (.next, [.stops(isReleased: false)]), (.posts("c"), [.starts]), (.next, [.says("c")]),
                (.next, [.stops(isReleased: false)]),
            ]
        ),
        Scenario(
            "the call waits until the last message is delivered",
            [
                (.posts("a"), [.starts]), (.finishes("call"), []), (.next, [.says("a")]), (.next, [.says("last")]),
                (.next, [.stops(isReleased: true)]), (.releases, [.resumes("call")]),
                (.finishes("late"), [.resumes("late")]),
            ]
        ),
        Scenario(
            "a question that is abandoned while a delegate answers it: another task goes on",
            [
                (.asks("a"), [.starts]), (.next, [.says("a")]), (.posts("b"), []),
                (.abandonsQuestion("a"), [.cancels]), (.abandonsQuestion("a"), []), (.posts("c"), []),
                (.next, [.handsOver]), (.next, [.says("b")]), (.next, [.says("c")]),
                (.next, [.stops(isReleased: false)]),
            ]
        ),
        Scenario(
            "a question that is abandoned before a delegate is asked cancels no other method",
            [
                (.posts("a"), [.starts]), (.asks("b"), []), (.abandonsQuestion("b"), []), (.next, [.says("a")]),
                (.abandonsQuestion("b"), []), (.next, [.says("b")]), (.next, [.stops(isReleased: false)]),
                (.abandonsQuestion("b"), []),
            ]
        ),
        Scenario(
            "after an abandoned question, nothing may be left to deliver",
            [
                (.asks("a"), [.starts]), (.next, [.says("a")]), (.abandonsQuestion("a"), [.cancels]),
                (.next, [.stops(isReleased: false)]), (.posts("b"), [.starts]), (.next, [.says("b")]),
            ]
        ),
        Scenario(
            "a call that ends while an abandoned question is open does not wait for the delegate",
            [
                (.asks("a"), [.starts]), (.next, [.says("a")]), (.abandonsQuestion("a"), [.cancels]),
                (.finishes("call"), [.resumes("call")]), (.abandons, []), (.next, [.handsOver]),
                (.next, [.says("last")]), (.next, [.stops(isReleased: true)]), (.releases, []),
            ]
        ),
        Scenario(
            "a call stops waiting for the method that runs; the last message still comes",
            [
                (.posts("a"), [.starts]), (.next, [.says("a")]), (.finishes("call"), []),
                (.abandons, [.cancels, .resumes("call")]), (.abandons, []), (.next, [.handsOver]),
                (.next, [.says("last")]), (.next, [.stops(isReleased: true)]), (.releases, []),
            ]
        ),
        Scenario(
            "a call that ends does not wait for the answers to its questions, and no dial does",
            [
                (.asks("a"), [.starts]), (.next, [.says("a")]), (.asks("b"), []), (.posts("c"), []),
                (.finishes("call"), [.ends("b")]), (.abandons, [.cancels, .ends("a"), .resumes("call")]),
                (.next, [.handsOver]), (.next, [.says("b")]), (.next, [.says("c")]), (.next, [.says("last")]),
                (.next, [.stops(isReleased: true)]), (.releases, []),
            ]
        ),
        Scenario(
            "between two methods, there is none to abandon",
            [
                (.posts("a"), [.starts]), (.finishes("call"), []), (.abandons, []), (.next, [.says("a")]),
                (.next, [.says("last")]), (.next, [.stops(isReleased: true)]), (.abandons, []),
                (.releases, [.resumes("call")]),
            ]
        ),
        Scenario(
            "a call that has ended accepts no messages, and refuses questions",
            [
                (.finishes(), [.starts]), (.posts("a"), []), (.asks("b"), [.refuses("b")]),
                (.next, [.says("last")]), (.finishes("again"), []), (.next, [.stops(isReleased: true)]),
                (.releases, [.resumes("again")]), (.posts("c"), []), (.asks("d"), [.refuses("d")]),
            ]
        ),
        Scenario(
            "delegates that are released early get what waits, and nothing after it",
            [
                (.posts("a"), [.starts]), (.asks("b"), []), (.releases, []), (.posts("c"), []),
                (.asks("d"), [.refuses("d")]), (.next, [.says("a")]), (.next, [.says("b")]),
                (.next, [.stops(isReleased: false)]), (.finishes("call"), [.resumes("call")]),
            ]
        ),
    ]

    @Test(arguments: scenarios)
    func `each event has its outcome`(_ scenario: Scenario) {
        var run = DelegateQueueRun()
        for (index, step) in scenario.steps.enumerated() {
            let outcomes = run.perform(step.event)
            #expect(outcomes == step.expected, "step \(index + 1): \(step.event)")
        }
    }

    // MARK: Every order

    private static let events: [DelegateQueueEvent] = [
        .posts("a"), .asks("q"), .abandonsQuestion("q"), .abandons, .finishes("x"), .finishes("y"), .next, .next, .next,
    ]

    @Test func `in every order of six events, one task delivers each message once, and no task waits in the end`() {
        var count = 0
        var violations: Set<String> = []
        func check(_ taken: [Int]) {
            if taken.count == 6 {
                count += 1
                var life = DelegateQueueLife()
                for index in taken { life.perform(Self.events[index]) }
                life.end()
                violations.formUnion(life.violations)
                return
            }
            var hasNext = false
            for (index, event) in Self.events.enumerated() where !taken.contains(index) {
                // The three requests for a message are alike.
                if event == .next, hasNext { continue }
                if event == .next { hasNext = true }
                check(taken + [index])
            }
        }
        check([])
        #expect(violations.isEmpty)
        #expect(count == 12_840)
    }
}

/// The life of a queue under a list of events, which notes each rule that the machine breaks.
struct DelegateQueueLife: ~Copyable {
    /// The rules that were broken, with the events until then.
    private(set) var violations: Set<String> = []

    private var run = DelegateQueueRun()
    private var events: [DelegateQueueEvent] = []
    private var said: [String] = []
    private var accepted: [String] = []
    private var waiting: Set<String> = []
    private var ended: Set<String> = []
    private var (isDelivering, isCancelled, isSaying, isOver) = (false, false, false, false)

    mutating func perform(_ event: DelegateQueueEvent) {
        if event == .next, !self.isDelivering { return }  // only the task that delivers asks
        self.events.append(event)
        let isFinished = self.accepted.contains("last")
        switch event {
        case .posts(let message): if !isFinished { self.accepted.append(message) }
        case .finishes(let name):
            if !isFinished { self.accepted.append("last") }
            if let name { self.waiting.insert(name) }
        case .next: self.isSaying = false
        case .asks, .abandonsQuestion, .abandons, .releases: break
        }
        let outcomes = self.run.perform(event)
        if case .asks(let question) = event {
            let isRefused = outcomes == [.refuses(question)]
            self.require(isRefused == isFinished, "a question is refused when the call has ended, and only then")
            if !isRefused { self.accepted.append(question) }
        }
        for outcome in outcomes { self.note(outcome) }
        self.require(self.isDelivering || self.said.count == self.accepted.count, "a task delivers while messages wait")
    }

    /// Delivers the rest of the messages.
    mutating func end() {
        self.perform(.finishes("end"))
        for _ in 0..<20 where self.isDelivering { self.perform(.next) }
        self.require(self.isOver, "the delegates are released")
        self.require(self.said == self.accepted, "each message is delivered once, in order")
        self.require(self.waiting.isEmpty, "no task waits in the end")
    }

    private mutating func note(_ outcome: DelegateQueueOutcome) {
        switch outcome {
        case .starts:
            self.require(!self.isDelivering && !self.isOver, "one task delivers at a time, until the end")
            (self.isDelivering, self.isCancelled) = (true, false)
        case .handsOver:
            self.require(self.isCancelled, "only a cancelled task hands over")
            self.isCancelled = false
        case .says(let message):
            self.require(!self.isCancelled, "no message is delivered in a cancelled task")
            self.isSaying = true
            self.said.append(message)
        case .stops(let isReleased):
            self.isDelivering = false
            let isLast = self.accepted.contains("last")
            self.require(isReleased == isLast, "the delegates are released after the last message")
            guard isReleased else { return }
            self.require(!self.isOver, "the delegates are released once")
            self.isOver = true
            for outcome in self.run.perform(.releases) { self.note(outcome) }
        case .cancels:
            self.require(self.isSaying && !self.isCancelled, "only a method that runs is cancelled, and once")
            self.isCancelled = true
        case .resumes(let name):
            self.require(self.waiting.remove(name) != nil, "\(name) is resumed once")
            let mayGoOn = self.isOver || self.isSaying && self.isCancelled
            self.require(mayGoOn, "a call waits until the end, or until it abandons a method")
        case .ends(let question):
            let isFirst = self.ended.insert(question).inserted
            self.require(isFirst && question == "q" && self.accepted.contains("q"), "only a question ends, and once")
        case .refuses: break
        }
    }

    private mutating func require(_ condition: Bool, _ rule: @autoclosure () -> String) {
        guard !condition else { return }
        self.violations.insert("\(rule()): \(self.events)")
    }
}
