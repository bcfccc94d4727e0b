// SPDX-License-Identifier: Apache-2.0
import Testing

@testable import TernPublishers

@Suite("The machine that pulls from a sequence")
struct PullStateMachineTests {
    enum Event: Sendable {
        case attached, request(Subscribers.Demand), turn, ended, cancel, abandon
    }

    struct Script: Sendable, CustomTestStringConvertible {
        var testDescription: String
        var steps: [(Event, String)]
    }

    static let scripts: [Script] = [
        Script(
            testDescription: "one element is pulled for each value that is asked for",
            steps: [
                (.attached, "none"), (.request(.none), "none"), (.request(.max(2)), "start"), (.turn, "pull"),
                (.request(.max(1)), "none"), (.turn, "pull"), (.turn, "pull"), (.turn, "wait"),
                (.request(.max(1)), "wake"), (.turn, "pull"), (.turn, "wait"), (.turn, "wait"),
            ]
        ),
        Script(
            testDescription: "nothing starts before the subscriber has its subscription",
            steps: [
                (.request(.max(1)), "none"), (.request(.max(1)), "none"), (.turn, "stop"), (.attached, "start"),
                (.turn, "pull"), (.turn, "pull"), (.turn, "wait"),
            ]
        ),
        Script(
            testDescription: "the end is told once",
            steps: [
                (.attached, "none"), (.request(.max(1)), "start"), (.turn, "pull"), (.ended, "true"), (.ended, "false"),
                (.cancel, "none"), (.request(.max(1)), "none"), (.turn, "stop"),
            ]
        ),
        Script(
            testDescription: "the end is not told after a cancellation",
            steps: [
                (.attached, "none"), (.request(.max(1)), "start"), (.turn, "pull"), (.cancel, "end"), (.cancel, "none"),
                (.ended, "false"), (.turn, "stop"),
            ]
        ),
        Script(
            testDescription: "when nobody can ask any more, it ends with the last value",
            steps: [
                (.attached, "none"), (.request(.max(2)), "start"), (.turn, "pull"), (.abandon, "none"), (.turn, "pull"),
                (.turn, "stop"), (.turn, "stop"),
            ]
        ),
        Script(
            testDescription: "when nobody can ask any more before anything was, it ends",
            steps: [(.attached, "none"), (.abandon, "end"), (.request(.max(1)), "none")]
        ),
        Script(
            testDescription: "when nobody can ask any more within the subscription, what was asked for comes",
            steps: [
                (.request(.max(1)), "none"), (.abandon, "none"), (.attached, "start"), (.turn, "pull"),
                (.turn, "stop"),
            ]
        ),
        Script(
            testDescription: "when nobody has asked and can ask any more within the subscription, it ends",
            steps: [(.abandon, "end"), (.attached, "none")]
        ),
        Script(
            testDescription: "when nobody can ask any more while it waits, it ends",
            steps: [
                (.attached, "none"), (.request(.max(1)), "start"), (.turn, "pull"), (.turn, "wait"), (.abandon, "end"),
                (.turn, "stop"),
            ]
        ),
    ]

    @Test(arguments: scripts)
    func `it does this`(script: Script) {
        var machine = PullStateMachine()
        for (number, (event, expected)) in script.steps.enumerated() {
            #expect(Self.play(event, &machine) == expected, "step \(number), \(event)")
        }
    }

    @Test(
        arguments: [
            [], [.request(.max(1))], [.attached], [.attached, .request(.max(1))],
            [.attached, .request(.max(1)), .turn],
            [.attached, .request(.max(1)), .turn, .turn],
        ] as [[Event]]
    )
    func `it can be cancelled at any point`(before: [Event]) {
        var machine = PullStateMachine()
        for event in before { _ = Self.play(event, &machine) }
        let actions = [.cancel, .cancel, .attached, .request(.max(1)), .turn, .ended].map { Self.play($0, &machine) }
        #expect(actions == ["end", "none", "none", "none", "stop", "false"])
        #expect(machine.isOver)
    }

    @Test(
        arguments: [
            [.unlimited], [.unlimited, .max(1)], [.max(1), .unlimited], [.max(.max), .max(.max)],
            [.unlimited, .unlimited],
        ] as [[Subscribers.Demand]]
    )
    func `what is unlimited, or too large to count, stays so`(demands: [Subscribers.Demand]) {
        var machine = PullStateMachine()
        _ = machine.attached()
        for demand in demands { _ = machine.requested(demand) }
        let turns = Set((0..<1000).map { _ in machine.turn() })
        #expect(turns == [.pull])
    }

    private static func play(_ event: Event, _ machine: inout PullStateMachine) -> String {
        switch event {
        case .attached: "\(machine.attached())"
        case .request(let demand): "\(machine.requested(demand))"
        case .turn: "\(machine.turn())"
        case .ended: "\(machine.ended())"
        case .cancel: "\(machine.cancelled())"
        case .abandon: "\(machine.abandoned())"
        }
    }
}
