// SPDX-License-Identifier: Apache-2.0

import TernAuthentication
import TernRequests
import Testing

@Suite("BearerTokenStateMachine")
struct BearerTokenStateMachineTests {
    typealias Machine = BearerTokenStateMachine

    enum Step: Sendable {
        case needed(rejecting: String?, Machine.Decision)
        case refreshed(Int, Machine.Outcome, resumes: [Int])
        case abandoned(Int, cancels: Int?)
    }

    struct Script: CustomTestStringConvertible, Sendable {
        var testDescription: String
        var token: String?
        var steps: [Step]
    }

    /// The time of all events, because the tokens have no expiry.
    static let now = TokenRenewal.Moment(date: HTTPDate(secondsSince1970: 1000), instant: .seconds(7))

    static let scripts: [Script] = [
        .init(
            testDescription: "a known token is used",
            token: "a",
            steps: [.needed(rejecting: nil, .use("a")), .needed(rejecting: "old", .use("a"))]
        ),
        .init(
            testDescription: "the first request fetches one",
            steps: [
                .needed(rejecting: nil, .refresh(1, replacing: nil, waiter: 1)),
                .refreshed(1, .success(.init("a")), resumes: [1]),
                .needed(rejecting: nil, .use("a")),
            ]
        ),
        .init(
            testDescription: "all wait for one refresh, in their order",
            token: "a",
            steps: [
                .needed(rejecting: "a", .refresh(1, replacing: "a", waiter: 1)),
                .needed(rejecting: "a", .wait(waiter: 2)),
                .needed(rejecting: nil, .wait(waiter: 3)), .needed(rejecting: "older", .wait(waiter: 4)),
                .refreshed(1, .success(.init("b")), resumes: [1, 2, 3, 4]), .needed(rejecting: nil, .use("b")),
            ]
        ),
        .init(
            testDescription: "an older token than the current one causes no refresh",
            token: "a",
            steps: [
                .needed(rejecting: "a", .refresh(1, replacing: "a", waiter: 1)),
                .refreshed(1, .success(.init("b")), resumes: [1]),
                .needed(rejecting: "a", .use("b")), .needed(rejecting: "b", .refresh(2, replacing: "b", waiter: 2)),
            ]
        ),
        .init(
            testDescription: "a failure is shared, and a later request tries again",
            token: "a",
            steps: [
                .needed(rejecting: "a", .refresh(1, replacing: "a", waiter: 1)),
                .needed(rejecting: "a", .wait(waiter: 2)),
                .refreshed(1, .failure, resumes: [1, 2]),
                .needed(rejecting: nil, .refresh(2, replacing: nil, waiter: 3)),
                .refreshed(2, .success(.init("b")), resumes: [3]), .needed(rejecting: "a", .use("b")),
            ]
        ),
        .init(
            testDescription: "one who leaves does not stop it for the others",
            steps: [
                .needed(rejecting: nil, .refresh(1, replacing: nil, waiter: 1)),
                .needed(rejecting: nil, .wait(waiter: 2)),
                .abandoned(1, cancels: nil), .refreshed(1, .success(.init("a")), resumes: [2]),
            ]
        ),
        .init(
            testDescription: "the last one who leaves does",
            steps: [
                .needed(rejecting: nil, .refresh(1, replacing: nil, waiter: 1)),
                .needed(rejecting: nil, .wait(waiter: 2)),
                .abandoned(2, cancels: nil), .abandoned(1, cancels: 1), .refreshed(1, .failure, resumes: []),
                .needed(rejecting: nil, .refresh(2, replacing: nil, waiter: 3)),
            ]
        ),
        .init(
            testDescription: "leaving twice, or after the end, is nothing",
            steps: [
                .needed(rejecting: nil, .refresh(1, replacing: nil, waiter: 1)),
                .needed(rejecting: nil, .wait(waiter: 2)),
                .abandoned(2, cancels: nil), .abandoned(2, cancels: nil), .abandoned(7, cancels: nil),
                .refreshed(1, .success(.init("a")), resumes: [1]), .abandoned(1, cancels: nil),
                .needed(rejecting: nil, .use("a")),
            ]
        ),
        .init(
            testDescription: "a cancelled refresh that succeeds is not wasted",
            steps: [
                .needed(rejecting: nil, .refresh(1, replacing: nil, waiter: 1)), .abandoned(1, cancels: 1),
                .refreshed(1, .success(.init("a")), resumes: []), .needed(rejecting: nil, .use("a")),
            ]
        ),
        .init(
            testDescription: "unless another has begun",
            steps: [
                .needed(rejecting: nil, .refresh(1, replacing: nil, waiter: 1)), .abandoned(1, cancels: 1),
                .needed(rejecting: nil, .refresh(2, replacing: nil, waiter: 2)),
                .refreshed(1, .success(.init("a")), resumes: []),
                .needed(rejecting: nil, .wait(waiter: 3)), .refreshed(2, .success(.init("b")), resumes: [2, 3]),
                .refreshed(1, .success(.init("a")), resumes: []), .needed(rejecting: nil, .use("b")),
            ]
        ),
        .init(
            testDescription: "a refresh ends once",
            steps: [
                .needed(rejecting: nil, .refresh(1, replacing: nil, waiter: 1)),
                .refreshed(1, .success(.init("a")), resumes: [1]),
                .refreshed(1, .success(.init("b")), resumes: []), .needed(rejecting: nil, .use("a")),
            ]
        ),
    ]

    @Test(arguments: scripts)
    func `events have their actions`(_ script: Script) {
        var machine = Machine(token: script.token.map { BearerToken($0) })
        for step in script.steps {
            switch step {
            case .needed(let rejected, let expected):
                let decision = machine.needed(rejecting: rejected, at: Self.now)
                #expect(decision == expected)
            case .refreshed(let refresh, let outcome, let expected):
                let waiters = machine.refreshed(refresh, outcome, at: Self.now)
                #expect(waiters == expected)
            case .abandoned(let waiter, let expected):
                let refresh = machine.abandoned(waiter)
                #expect(refresh == expected)
            }
        }
    }

    @Test
    func `in every sequence of six events nobody is forgotten and one refresh runs`() {
        var violations: [String] = []
        let choiceCount = 7
        for sequence in 0..<choiceCount * choiceCount * choiceCount * choiceCount * choiceCount * choiceCount {
            var model = Model()
            var rest = sequence
            for _ in 0..<6 {
                model.perform(rest % choiceCount)
                rest /= choiceCount
            }
            model.finish()
            if let violation = model.violation { violations.append("\(sequence): \(violation)") }
        }
        #expect(violations.isEmpty, "\(violations.prefix(5))")
    }

    @Test
    func `no token is ever shown`() {
        var machine = Machine(token: BearerToken("s3cret"))
        #expect(machine.description == "token ***")
        let decision = machine.needed(rejecting: nil, at: Self.now)
        let shown = [CredentialTests.shown(machine), CredentialTests.shown(decision)]
        #expect(!shown.joined().contains("s3cret"))
        #expect(!CredentialTests.shown(BearerToken("s3cret", expires: Self.now.date)).contains("s3cret"))
        #expect(!CredentialTests.shown(Machine.Outcome.success(.init("s3cret"))).contains("s3cret"))
        let refresh = machine.needed(rejecting: "s3cret", at: Self.now)
        #expect(!CredentialTests.shown(refresh).contains("s3cret"))
        #expect(machine.description == "refresh 1, waiters: 1")
        #expect(Machine().description == "no token")
    }
}

/// A small driver of the machine, which tracks waiters and refreshes separately, and records a violation.
private struct Model {
    private var machine = BearerTokenStateMachine(token: BearerToken("0"))
    private var waiting: [Int] = []
    private var running: Int?
    private var cancelled: [Int] = []
    private var lastToken = 0
    private(set) var violation: String?
    private static let now = BearerTokenStateMachineTests.now

    mutating func perform(_ choice: Int) {
        switch choice {
        case 0: self.need(nil)
        case 1: self.need("\(self.lastToken)")
        case 2: self.need("an older one")
        case 3: if let running { self.end(running, success: true) }
        case 4: if let running { self.end(running, success: false) }
        case 5: if let first = self.waiting.first { self.leave(first) }
        default: if let late = self.cancelled.popLast() { self.end(late, success: true) }
        }
    }

    /// Ends the running refresh, after which no request may still wait.
    mutating func finish() {
        if let running { self.end(running, success: true) }
        if !self.waiting.isEmpty { self.violation = "\(self.waiting) wait forever" }
        if case .wait = self.machine.needed(rejecting: nil, at: Self.now) { self.violation = "waits for nothing" }
    }

    private mutating func need(_ rejected: String?) {
        switch self.machine.needed(rejecting: rejected, at: Self.now) {
        case .use(let token):
            if token == rejected { self.violation = "a rejected token" }
            if self.running != nil { self.violation = "a token in spite of a refresh" }
        case .refresh(let refresh, _, let waiter):
            if self.running != nil { self.violation = "two refreshes" }
            self.running = refresh
            self.waiting.append(waiter)
        case .wait(let waiter):
            if self.running == nil { self.violation = "waits for no refresh" }
            self.waiting.append(waiter)
        }
    }

    private mutating func end(_ refresh: Int, success: Bool) {
        self.lastToken += 1
        let outcome = success ? BearerTokenStateMachine.Outcome.success(.init("\(self.lastToken)")) : .failure
        let resumed = self.machine.refreshed(refresh, outcome, at: Self.now)
        if refresh == self.running {
            if resumed != self.waiting { self.violation = "\(resumed) instead of \(self.waiting)" }
            (self.running, self.waiting) = (nil, [])
        } else if !resumed.isEmpty {
            self.violation = "a cancelled refresh resumed \(resumed)"
        }
    }

    private mutating func leave(_ waiter: Int) {
        self.waiting.removeAll { $0 == waiter }
        let refresh = self.machine.abandoned(waiter)
        let expected = self.waiting.isEmpty ? self.running : nil
        if refresh != expected { self.violation = "cancels the wrong refresh" }
        if let refresh {
            self.cancelled.append(refresh)
            self.running = nil
        }
    }
}
