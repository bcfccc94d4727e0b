// SPDX-License-Identifier: Apache-2.0

import Testing

@testable import TernHTTP2

@Suite("RFC 9113 §5.1: states of streams")
struct StreamStateMachineTests {
    typealias State = StreamStateMachine.State

    enum Outcome: Equatable {
        case accepted(State)
        case ignored
        case failure(HTTP2Violation)
    }

    private static let states: [State] = [
        .idle, .open, .halfClosedLocal, .halfClosedRemote, .closed(.ended), .closed(.resetByClient),
        .closed(.resetByServer),
    ]

    /// The outcome of each frame in each state, in the order of the states.
    private static let table: [(type: FrameType, endsStream: Bool, outcomes: [Outcome])] = [
        (.headers, false, [idle, .accepted(.open), .accepted(.halfClosedLocal), late, late, .ignored, late]),
        (.headers, true, [idle, .accepted(.halfClosedRemote), .accepted(.closed(.ended)), late, late, .ignored, late]),
        (.data, false, [idle, .accepted(.open), .accepted(.halfClosedLocal), late, late, .ignored, late]),
        (.data, true, [idle, .accepted(.halfClosedRemote), .accepted(.closed(.ended)), late, late, .ignored, late]),
        (.reset, false, [idle, reset, reset, reset, .ignored, .ignored, .ignored]),
        (
            .windowUpdate, false,
            [
                idle, .accepted(.open), .accepted(.halfClosedLocal), .accepted(.halfClosedRemote), .ignored, .ignored,
                .ignored,
            ]
        ),
        (.priority, false, [.ignored, .ignored, .ignored, .ignored, .ignored, .ignored, .ignored]),
        (.pushPromise, false, [push, push, push, push, push, push, push]),
    ]

    private static let idle = Outcome.failure(.idleStream)
    private static let late = Outcome.failure(.closedStream)
    private static let push = Outcome.failure(.push)
    private static let reset = Outcome.accepted(.closed(.resetByServer))

    @Test
    func `every frame in every state`() {
        for (type, endsStream, outcomes) in Self.table {
            #expect(outcomes.count == Self.states.count)
            for (state, expected) in zip(Self.states, outcomes) {
                #expect(Self.outcome(state, type, endsStream) == expected, "\(type) in \(state)")
            }
        }
    }

    private static func outcome(_ state: State, _ type: FrameType, _ endsStream: Bool) -> Outcome {
        var machine = StreamStateMachine(state)
        do throws(HTTP2Violation) {
            let verdict = try machine.received(type, endsStream: endsStream)
            if verdict == .ignored { #expect(machine.state == state) }
            return verdict == .accepted ? .accepted(machine.state) : .ignored
        } catch {
            #expect(machine.state == state)
            return .failure(error)
        }
    }

    @Test
    func `what the client sends`() {
        var machine = StreamStateMachine()
        machine.opened(endsStream: false)
        #expect(machine.state == .open)
        #expect(machine.maySend && machine.mayReceive)
        machine.sentEnd()
        #expect(machine.state == .halfClosedLocal)
        #expect(!machine.maySend && machine.mayReceive)
        var other = StreamStateMachine(.halfClosedRemote)
        #expect(other.maySend && !other.mayReceive)
        other.sentEnd()
        #expect(other.state == .closed(.ended))
        machine.sentReset()
        #expect(machine.state == .closed(.resetByClient))
        #expect(machine.isClosed)
        var short = StreamStateMachine()
        short.opened(endsStream: true)
        #expect(short.state == .halfClosedLocal)
    }
}
