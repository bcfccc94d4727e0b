// SPDX-License-Identifier: Apache-2.0
import Testing

@testable import TernPublishers

@Suite("The machine of a subscription to a call")
struct CallStateMachineTests {
    typealias Machine = CallStateMachine<Int>

    static let failure = ClientError.cancelled(ClientError.Context(phase: .head))

    enum Event: Sendable {
        case attached, request(Subscribers.Demand), sent(Int), received(Int), value(Int), fail
        case delivered(Subscribers.Demand), cancel, abandon
    }

    struct Script: Sendable, CustomTestStringConvertible {
        var testDescription: String
        var steps: [(Event, String)]
    }

    private static func text(_ action: Machine.Action) -> String {
        switch action {
        case .none: "nothing"
        case .start: "start"
        case .report(let value): "report \(value)"
        case .deliver(let value): "deliver \(value)"
        case .finish: "finish"
        case .fail: "fail"
        case .end(nil): "end"
        case .end(let value?): "end, discard \(value)"
        }
    }

    static let lives: [Script] = [
        Script(
            testDescription: "nothing starts before demand",
            steps: [
                (.attached, "nothing"), (.request(.none), "nothing"), (.request(.max(1)), "start"),
                (.request(.max(1)), "nothing"), (.value(1), "deliver 1"), (.delivered(.none), "finish"),
            ]
        ),
        Script(
            testDescription: "nothing starts before the subscriber has its subscription",
            steps: [
                (.request(.max(1)), "nothing"), (.request(.unlimited), "nothing"), (.attached, "start"),
                (.fail, "fail"),
            ]
        ),
        Script(
            testDescription: "a value is given once, and finished once",
            steps: [
                (.attached, "nothing"), (.request(.unlimited), "start"), (.value(1), "deliver 1"),
                (.value(2), "end, discard 2"), (.request(.max(1)), "nothing"), (.delivered(.unlimited), "finish"),
                (.delivered(.none), "nothing"), (.value(3), "end, discard 3"), (.fail, "end"), (.cancel, "nothing"),
            ]
        ),
        Script(
            testDescription: "a failure is given once",
            steps: [
                (.attached, "nothing"), (.request(.max(1)), "start"), (.fail, "fail"), (.fail, "end"),
                (.request(.max(1)), "nothing"), (.cancel, "nothing"),
            ]
        ),
        Script(
            testDescription: "without demand the latest report of each kind waits, and the value behind them",
            steps: [
                (.attached, "nothing"), (.request(.max(1)), "start"), (.sent(1), "report 1"),
                (.delivered(.none), "nothing"),
                (.sent(2), "nothing"), (.received(10), "nothing"), (.sent(3), "nothing"), (.received(11), "nothing"),
                (.value(99), "nothing"), (.received(12), "nothing"), (.request(.max(2)), "report 3"),
                (.delivered(.none), "report 11"), (.delivered(.none), "nothing"), (.request(.max(1)), "deliver 99"),
                (.delivered(.none), "finish"),
            ]
        ),
        Script(
            testDescription: "while the subscriber is busy nothing else reaches it",
            steps: [
                (.attached, "nothing"), (.request(.unlimited), "start"), (.received(1), "report 1"),
                (.received(2), "nothing"),
                (.received(3), "nothing"), (.request(.max(1)), "nothing"), (.value(9), "nothing"),
                (.delivered(.none), "report 3"), (.delivered(.none), "deliver 9"), (.delivered(.none), "finish"),
            ]
        ),
        Script(
            testDescription: "demand that comes back from a delivery counts",
            steps: [
                (.attached, "nothing"), (.request(.max(1)), "start"), (.received(1), "report 1"),
                (.received(2), "nothing"),
                (.delivered(.max(1)), "report 2"), (.value(9), "nothing"), (.delivered(.max(1)), "deliver 9"),
            ]
        ),
        Script(
            testDescription: "a failure needs no demand, and drops the reports",
            steps: [
                (.attached, "nothing"), (.request(.max(1)), "start"), (.sent(1), "report 1"), (.sent(2), "nothing"),
                (.fail, "nothing"), (.delivered(.none), "fail"),
            ]
        ),
    ]

    static let cancellations: [Script] = [
        Script(testDescription: "before the subscription", steps: [(.cancel, "end"), (.attached, "nothing")]),
        Script(
            testDescription: "within the subscription, after demand",
            steps: [
                (.request(.max(1)), "nothing"), (.cancel, "end"), (.attached, "nothing"),
                (.request(.max(1)), "nothing"),
            ]
        ),
        Script(
            testDescription: "before demand",
            steps: [(.attached, "nothing"), (.cancel, "end"), (.request(.max(1)), "nothing"), (.cancel, "nothing")]
        ),
        Script(
            testDescription: "during the call",
            steps: [
                (.attached, "nothing"), (.request(.max(1)), "start"), (.cancel, "end"), (.sent(1), "nothing"),
                (.value(1), "end, discard 1"),
            ]
        ),
        Script(
            testDescription: "while a report is with the subscriber",
            steps: [
                (.attached, "nothing"), (.request(.unlimited), "start"), (.sent(1), "report 1"), (.value(5), "nothing"),
                (.cancel, "end, discard 5"), (.delivered(.unlimited), "nothing"),
            ]
        ),
        Script(
            testDescription: "while the value waits for demand",
            steps: [
                (.attached, "nothing"), (.request(.max(1)), "start"), (.sent(1), "report 1"),
                (.delivered(.none), "nothing"),
                (.value(5), "nothing"), (.cancel, "end, discard 5"),
            ]
        ),
        Script(
            testDescription: "while the value is with the subscriber",
            steps: [
                (.attached, "nothing"), (.request(.max(1)), "start"), (.value(5), "deliver 5"), (.cancel, "end"),
                (.delivered(.none), "nothing"),
            ]
        ),
        Script(
            testDescription: "nobody holds it, before demand",
            steps: [(.attached, "nothing"), (.abandon, "end"), (.request(.max(1)), "nothing")]
        ),
        Script(
            testDescription: "nobody holds it, within the subscription, before demand",
            steps: [(.abandon, "end"), (.attached, "nothing")]
        ),
        Script(
            testDescription: "nobody holds it, within the subscription, after demand",
            steps: [
                (.request(.max(1)), "nothing"), (.abandon, "nothing"), (.attached, "start"), (.sent(1), "report 1"),
                (.delivered(.none), "end"), (.value(5), "end, discard 5"),
            ]
        ),
        Script(
            testDescription: "nobody holds it, but values were asked for",
            steps: [
                (.attached, "nothing"), (.request(.max(2)), "start"), (.abandon, "nothing"), (.sent(1), "report 1"),
                (.delivered(.none), "nothing"), (.value(5), "deliver 5"), (.delivered(.none), "finish"),
            ]
        ),
        Script(
            testDescription: "nobody holds it, and what was asked for has come",
            steps: [
                (.attached, "nothing"), (.request(.max(1)), "start"), (.abandon, "nothing"), (.sent(1), "report 1"),
                (.delivered(.none), "end"), (.value(5), "end, discard 5"),
            ]
        ),
    ]

    @Test(arguments: lives)
    func `it does this`(script: Script) { self.play(script) }

    @Test(arguments: cancellations)
    func `it is cancelled`(script: Script) { self.play(script) }

    private func play(_ script: Script) {
        var machine = Machine()
        for (number, (event, expected)) in script.steps.enumerated() {
            let action =
                switch event {
                case .attached: machine.attached()
                case .request(let demand): machine.requested(demand)
                case .sent(let value): machine.reported(value, .sent)
                case .received(let value): machine.reported(value, .received)
                case .value(let value): machine.ended(.success(value))
                case .fail: machine.ended(.failure(Self.failure))
                case .delivered(let demand): machine.delivered(demand)
                case .cancel: machine.cancelled()
                case .abandon: machine.abandoned()
                }
            #expect(Self.text(action) == expected, "step \(number), \(event)")
        }
    }
}
