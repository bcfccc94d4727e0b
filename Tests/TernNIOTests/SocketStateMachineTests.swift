// SPDX-License-Identifier: Apache-2.0
import Testing

@testable import TernNIO

@Suite("Who receives what arrives at a socket, and who sends")
struct SocketStateMachineTests {
    enum Event: Sendable {
        case wanted, demanded, readerWaits, actionWaits, pollBegan, pollEnded
        case arrived, ended, handled, handledWithRoom
        case roundsBegin, roundsEnd, continued, receivedAll, receivedPart, wouldBlock, receivedEnd
        case flushed, sentAll, wouldBlockOnSend, sendingFailed
        case closed
    }

    typealias Effects = SocketStateMachine.Effects

    /// A list of events with the expected effects, `nil` for what is refused, and a name.
    struct Script: CustomTestStringConvertible, Sendable {
        let testDescription: String
        let steps: [(event: Event, effects: Effects?)]

        init(_ name: String, _ steps: [(Event, Effects?)]) {
            self.testDescription = name
            self.steps = steps.map { (event: $0.0, effects: $0.1) }
        }
    }

    private static func perform(_ event: Event, on machine: inout SocketStateMachine) -> Effects? {
        switch event {
        case .wanted: return machine.wanted()
        case .demanded: return machine.demanded()
        case .readerWaits: return machine.readerWaits()
        case .actionWaits: return machine.actionWaits()
        case .pollBegan: return machine.pollBegan()
        case .pollEnded: return machine.pollEnded()
        case .arrived: machine.arrived(isEnd: false)
        case .ended: machine.arrived(isEnd: true)
        case .handled: return machine.handled(hasRoom: false)
        case .handledWithRoom: return machine.handled(hasRoom: true)
        case .roundsBegin: return machine.roundsBegin() ? [] : nil
        case .roundsEnd: return machine.roundsEnd()
        case .continued: machine.continued()
        case .receivedAll: machine.received(isShort: true)
        case .receivedPart: machine.received(isShort: false)
        case .wouldBlock: machine.wouldBlock()
        case .receivedEnd: return machine.receivedEnd() == nil ? [] : nil
        case .flushed: return machine.flushed()
        case .sentAll: return machine.sentAll()
        case .wouldBlockOnSend: return machine.wouldBlockOnSend()
        case .sendingFailed: machine.sendingFailed(32)
        case .closed: return machine.closed()
        }
        return []
    }

    /// Bytes have arrived that the handlers do not want, so that the thread does not watch.
    private static let paused: [(Event, Effects?)] = [(.arrived, []), (.handled, .watch)]

    static let receiving: [Script] = [
        Script(
            "the thread that watches receives what the handlers want, and goes on watching",
            [
                (.wanted, []), (.arrived, []), (.roundsBegin, []), (.receivedAll, []), (.wanted, []), (.roundsEnd, []),
                (.handled, []),
            ]
        ),
        Script("nobody watches for bytes that the handlers do not want", paused + [(.wanted, [.watch, .receive])]),
        Script(
            "a reader that demands bytes receives them, and nobody watches",
            paused + [(.demanded, []), (.roundsBegin, []), (.receivedAll, []), (.wanted, []), (.roundsEnd, [])]
        ),
        Script(
            "a reader that gets too little of what it demands waits for the thread",
            paused + [(.demanded, []), (.roundsBegin, []), (.wouldBlock, []), (.roundsEnd, []), (.readerWaits, .watch)]
        ),
        Script(
            "a demand while the thread watches is a wish of the handlers",
            [(.wanted, []), (.arrived, []), (.receivedPart, []), (.demanded, .receive), (.demanded, [])]
        ),
        Script(
            "a reader that polls stops the watching until a reader waits",
            [
                (.wanted, []), (.pollBegan, .watch), (.receivedAll, []), (.wanted, []), (.pollEnded, []),
                (.pollBegan, []), (.pollEnded, []), (.readerWaits, .watch), (.readerWaits, []),
            ]
        ),
        Script(
            "one reader polls at a time, and another may let the thread watch",
            [(.wanted, []), (.pollBegan, .watch), (.pollBegan, nil), (.readerWaits, .watch), (.pollEnded, [])]
        ),
        Script(
            "handlers that want more than a reader polls for make the thread watch, if nobody did before",
            paused + [(.demanded, []), (.pollBegan, []), (.receivedPart, []), (.wanted, [.watch, .receive])]
        ),
        Script(
            "once an action has waited, the thread watches whenever no reader polls",
            [
                (.wanted, []), (.actionWaits, []), (.pollBegan, .watch), (.actionWaits, []), (.pollEnded, .watch),
                (.pollBegan, .watch), (.pollEnded, .watch),
            ]
        ),
        Script(
            "an action makes the thread watch after readers that polled",
            [(.wanted, []), (.pollBegan, .watch), (.pollEnded, []), (.actionWaits, .watch)]
        ),
        Script(
            "after many rounds, other connections have their turn",
            [
                (.wanted, []), (.arrived, []), (.roundsBegin, []), (.receivedPart, []), (.wanted, []),
                (.roundsEnd, .receiveLater), (.roundsBegin, nil), (.continued, []), (.roundsBegin, []),
                (.receivedPart, []), (.roundsEnd, []), (.wanted, .receive),
            ]
        ),
        Script(
            "a short read is the last one, unless the peer has ended",
            [
                (.wanted, []), (.ended, []), (.roundsBegin, []), (.receivedAll, []), (.wanted, []),
                (.roundsEnd, .receiveLater), (.continued, []), (.roundsBegin, []), (.receivedEnd, []),
                (.roundsEnd, []), (.arrived, []), (.roundsBegin, []), (.roundsEnd, []), (.handled, []),
            ]
        ),
    ]

    static let sending: [Script] = [
        Script("what is flushed is sent at once", [(.flushed, .send), (.sentAll, []), (.flushed, .send)]),
        Script("the thread that sends also sends later bytes", [(.flushed, .send), (.flushed, [])]),
        Script(
            "a full socket is watched until it has taken everything",
            [
                (.flushed, .send), (.wouldBlockOnSend, .watch), (.flushed, []), (.handledWithRoom, .send),
                (.wouldBlockOnSend, []), (.handledWithRoom, .send), (.sentAll, .watch), (.handledWithRoom, []),
            ]
        ),
        Script(
            "after a failure of a write, nothing is sent, and a read at the end finds the failure",
            [(.wanted, []), (.flushed, .send), (.sendingFailed, []), (.flushed, []), (.receivedEnd, nil)]
        ),
        Script(
            "after a failure of a write, a short read is not the last one",
            [
                (.wanted, []), (.arrived, []), (.flushed, .send), (.sendingFailed, []), (.roundsBegin, []),
                (.receivedAll, []), (.wanted, []), (.roundsEnd, .receiveLater),
            ]
        ),
    ]

    static let closing: [Script] = [
        Script("a socket that is watched has no bytes left", [(.wanted, []), (.closed, [])]),
        Script("bytes that nobody has received are dropped", paused + [(.closed, .discardArrivals)]),
        Script("a reader that polls does not watch again", [(.pollBegan, .watch), (.closed, .discardArrivals)]),
    ]

    @Test(arguments: receiving + sending + closing) func `each event has its effects`(_ script: Script) {
        var machine = SocketStateMachine()
        for (index, step) in script.steps.enumerated() {
            let effects = Self.perform(step.event, on: &machine)
            #expect(effects == step.effects, "\(index): \(step.event)")
        }
    }

    @Test(arguments: receiving + sending) func `after the end, no event has an effect`(_ script: Script) {
        for end in script.steps.indices {
            var machine = SocketStateMachine()
            for step in script.steps[..<end] { _ = Self.perform(step.event, on: &machine) }
            let (watchesArrivals, watchesRoom) = (machine.watchesArrivals, machine.watchesRoom)
            _ = machine.closed()
            for step in script.steps[end...] {
                let effects = Self.perform(step.event, on: &machine) ?? []
                #expect(effects == [], "\(end): \(step.event)")
                #expect(!machine.receives)
            }
            #expect(machine.watchesArrivals == watchesArrivals && machine.watchesRoom == watchesRoom)
        }
    }
}
