// SPDX-License-Identifier: Apache-2.0
import Testing

@testable import TernPublishers

/// The failure of a test's publisher.
struct Broken: Error, Hashable {}

@Suite("The machine between a publisher and a loop")
struct BridgeStateMachineTests {
    typealias Machine = BridgeStateMachine<Int, Broken>

    /// Returns a step as text, so that tests can compare lists of events and actions.
    private static func text(_ step: Machine.Step) -> String {
        switch step {
        case .give(let value, .none): "give \(value)"
        case .give(let value, let demand): "give \(value), ask \(demand)"
        case .end(.finished): "end"
        case .end(.failure): "fail"
        case .wait(.none): "wait"
        case .wait(let demand): "wait, ask \(demand)"
        }
    }

    private static func text(_ arrival: Machine.Arrival) -> String {
        switch arrival {
        case .none: "nothing"
        case .resume: "resume"
        case .drop(let value): "drop \(value)"
        }
    }

    private static func text(_ received: (Machine.Arrival, Subscribers.Demand)) -> String {
        received.1 == .none ? Self.text(received.0) : "\(Self.text(received.0)), ask \(received.1)"
    }

    private static func text(_ demand: Subscribers.Demand?) -> String { demand.map { "ask \($0)" } ?? "cancel" }

    enum Event: Sendable {
        case subscribe, next, wait, receive(Int), finish, fail, cancel
    }

    struct Script: Sendable, CustomTestStringConvertible {
        var testDescription: String
        var policy: BufferingPolicy
        var steps: [(Event, String)]
    }

    static let scripts: [Script] = [
        Script(
            testDescription: "one at a time: asks when the loop waits, and not before",
            policy: .oneAtATime,
            steps: [
                (.subscribe, "ask max(0)"), (.next, "wait, ask max(1)"), (.wait, "wait"), (.receive(1), "resume"),
                (.next, "wait, ask max(1)"), (.receive(2), "nothing"), (.wait, "give 2"),
            ]
        ),
        Script(
            testDescription: "one at a time: a loop before the subscription",
            policy: .oneAtATime,
            steps: [(.next, "wait"), (.wait, "wait"), (.subscribe, "ask max(1)"), (.receive(1), "resume")]
        ),
        Script(
            testDescription: "one at a time: what comes unasked is dropped",
            policy: .oneAtATime,
            steps: [
                (.subscribe, "ask max(0)"), (.receive(1), "nothing"), (.next, "wait, ask max(1)"),
                (.receive(2), "nothing"),
                (.receive(3), "nothing"), (.wait, "give 2"), (.next, "wait, ask max(1)"), (.wait, "wait"),
            ]
        ),
        Script(
            testDescription: "prefetching: asks for the rest when half of it is taken",
            policy: .prefetching(4),
            steps: [
                (.subscribe, "ask max(4)"), (.receive(1), "nothing"), (.receive(2), "nothing"),
                (.receive(3), "nothing"),
                (.receive(4), "nothing"), (.receive(5), "nothing"), (.next, "give 1"), (.next, "give 2, ask max(2)"),
                (.next, "give 3"), (.next, "give 4, ask max(2)"), (.next, "wait"), (.wait, "wait"),
                (.receive(6), "resume"),
            ]
        ),
        Script(
            testDescription: "prefetching one: asks with each value",
            policy: .prefetching(0),
            steps: [
                (.subscribe, "ask max(1)"), (.next, "wait"), (.wait, "wait"), (.receive(1), "resume, ask max(1)"),
                (.receive(2), "nothing"), (.next, "give 2, ask max(1)"),
            ]
        ),
        Script(
            testDescription: "buffering the oldest: new ones are dropped",
            policy: .bufferingOldest(2),
            steps: [
                (.subscribe, "ask unlimited"), (.receive(1), "nothing"), (.receive(2), "nothing"),
                (.receive(3), "nothing"),
                (.next, "give 1"), (.next, "give 2"), (.next, "wait"), (.wait, "wait"), (.receive(4), "resume"),
            ]
        ),
        Script(
            testDescription: "buffering the newest: old ones are dropped",
            policy: .bufferingNewest(2),
            steps: [
                (.subscribe, "ask unlimited"), (.receive(1), "nothing"), (.receive(2), "nothing"),
                (.receive(3), "drop 1"),
                (.next, "give 2"), (.next, "give 3"), (.next, "wait"),
            ]
        ),
        Script(
            testDescription: "what is kept comes before the end, and the failure once",
            policy: .bufferingOldest(2),
            steps: [
                (.subscribe, "ask unlimited"), (.receive(1), "nothing"), (.fail, "nothing"), (.finish, "nothing"),
                (.receive(2), "nothing"), (.next, "give 1"), (.next, "fail"), (.next, "end"), (.next, "end"),
            ]
        ),
        Script(
            testDescription: "the end resumes a loop that waits",
            policy: .oneAtATime,
            steps: [
                (.subscribe, "ask max(0)"), (.next, "wait, ask max(1)"), (.wait, "wait"), (.finish, "resume"),
                (.finish, "nothing"), (.next, "end"),
            ]
        ),
        Script(
            testDescription: "an end without a subscription is an end",
            policy: .oneAtATime,
            steps: [(.fail, "nothing"), (.subscribe, "cancel"), (.next, "fail"), (.next, "end")]
        ),
        Script(
            testDescription: "an end between asking and waiting is not missed",
            policy: .oneAtATime,
            steps: [(.subscribe, "ask max(0)"), (.next, "wait, ask max(1)"), (.fail, "nothing"), (.wait, "fail")]
        ),
        Script(
            testDescription: "cancelling drops what is kept, and later subscriptions",
            policy: .bufferingOldest(2),
            steps: [
                (.subscribe, "ask unlimited"), (.receive(1), "nothing"), (.cancel, "drop 1"), (.next, "end"),
                (.receive(2), "nothing"), (.fail, "nothing"), (.subscribe, "cancel"), (.next, "end"),
                (.cancel, "drop 0"),
            ]
        ),
        Script(
            testDescription: "a second subscription is cancelled",
            policy: .oneAtATime,
            steps: [(.subscribe, "ask max(0)"), (.subscribe, "cancel"), (.next, "wait, ask max(1)")]
        ),
        Script(
            testDescription: "each of two loops has a value asked for",
            policy: .oneAtATime,
            steps: [
                (.subscribe, "ask max(0)"), (.next, "wait, ask max(1)"), (.next, "wait, ask max(1)"), (.wait, "wait"),
                (.wait, "wait"), (.receive(1), "resume"), (.receive(2), "resume"), (.receive(3), "nothing"),
            ]
        ),
        Script(
            testDescription: "a loop that takes what another asked for asks for it",
            policy: .oneAtATime,
            steps: [
                (.subscribe, "ask max(0)"), (.next, "wait, ask max(1)"), (.receive(1), "nothing"),
                (.next, "give 1, ask max(1)"), (.wait, "wait"), (.receive(2), "resume"),
            ]
        ),
        Script(
            testDescription: "a loop that takes one of two values leaves one for each that wants it",
            policy: .oneAtATime,
            steps: [
                (.subscribe, "ask max(0)"), (.next, "wait, ask max(1)"), (.next, "wait, ask max(1)"),
                (.receive(1), "nothing"), (.receive(2), "nothing"), (.next, "give 1, ask max(1)"), (.wait, "give 2"),
                (.wait, "wait"), (.receive(3), "resume"),
            ]
        ),
    ]

    @Test(arguments: scripts)
    func `it does this`(script: Script) {
        var machine = Machine(script.policy)
        for (number, (event, expected)) in script.steps.enumerated() {
            let done =
                switch event {
                case .subscribe: Self.text(machine.subscribed())
                case .next: Self.text(machine.next())
                case .wait: Self.text(machine.wait())
                case .receive(let value): Self.text(machine.received(value))
                case .finish: Self.text(machine.completed(.finished))
                case .fail: Self.text(machine.completed(.failure(Broken())))
                case .cancel: "drop \(machine.cancelled().values.count)"
                }
            #expect(done == expected, "step \(number), \(event)")
        }
    }
}
