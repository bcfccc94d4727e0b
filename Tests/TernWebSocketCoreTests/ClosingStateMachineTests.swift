// SPDX-License-Identifier: Apache-2.0

import Testing

@testable import TernWebSocketCore

@Suite("ClosingStateMachine")
struct ClosingStateMachineTests {
    enum Event: Sendable {
        case localClose(CloseFrame)
        case closeReceived(CloseCode?, String)
        case peerEnded
        case closeTimedOut
        case connectionFailed
        case violation(CloseCode)
    }

    struct Script: CustomTestStringConvertible, Sendable {
        var testDescription: String
        var events: [(Event, ClosingStateMachine.Effects)]
    }

    typealias Effects = ClosingStateMachine.Effects

    private static let bye = CloseFrame(received: .goingAway, reason: "bye")
    private static let echo = CloseFrame(received: .goingAway, reason: "")
    private static let nothing = Effects()

    private static func send(_ frame: CloseFrame) -> Effects {
        var effects = Effects()
        (effects.send, effects.startsTimeout) = (frame, true)
        return effects
    }

    private static func end(
        _ cause: ClosingOutcome.Cause,
        received: CloseFrame? = nil,
        sent: CloseFrame? = nil,
        byPeer: Bool = false,
        sending: CloseFrame? = nil
    ) -> Effects {
        var effects = Effects()
        (effects.send, effects.closesConnection) = (sending, true)
        effects.outcome = ClosingOutcome(cause: cause, received: received, sent: sent, isInitiatedByPeer: byPeer)
        return effects
    }

    static let scripts: [Script] = [
        .init(
            testDescription: "§7.1.2: this side closes, the server answers and ends the connection",
            events: [
                (.localClose(bye), send(bye)),
                (.closeReceived(.goingAway, ""), nothing),
                (.peerEnded, end(.closed, received: echo, sent: bye)),
            ]
        ),
        .init(
            testDescription: "§5.5.1: the server closes, its code is echoed, it ends the connection",
            events: [
                (.closeReceived(.goingAway, "bye"), send(echo)),
                (.peerEnded, end(.closed, received: bye, sent: echo, byPeer: true)),
            ]
        ),
        .init(
            testDescription: "§5.5.1: the server closes without a code, and is answered without one",
            events: [
                (.closeReceived(nil, ""), send(.empty)),
                (.peerEnded, end(.closed, received: .empty, sent: .empty, byPeer: true)),
            ]
        ),
        .init(
            testDescription: "§7.1.1: the server does not end the connection",
            events: [
                (.localClose(bye), send(bye)),
                (.closeReceived(.goingAway, ""), nothing),
                (.closeTimedOut, end(.closed, received: echo, sent: bye)),
            ]
        ),
        .init(
            testDescription: "§7.1.1: the server closes, and does not end the connection",
            events: [
                (.closeReceived(.goingAway, "bye"), send(echo)),
                (.closeTimedOut, end(.closed, received: bye, sent: echo, byPeer: true)),
            ]
        ),
        .init(
            testDescription: "the server never answers",
            events: [(.localClose(bye), send(bye)), (.closeTimedOut, end(.closeTimedOut, sent: bye))]
        ),
        .init(
            testDescription: "the server ends the connection instead of answering",
            events: [(.localClose(bye), send(bye)), (.peerEnded, end(.endedByPeer, sent: bye))]
        ),
        .init(testDescription: "the server just ends the connection", events: [(.peerEnded, end(.endedByPeer))]),
        .init(testDescription: "the connection fails", events: [(.connectionFailed, end(.connectionFailed))]),
        .init(
            testDescription: "the connection fails after this side closed",
            events: [(.localClose(bye), send(bye)), (.connectionFailed, end(.connectionFailed, sent: bye))]
        ),
        .init(
            testDescription: "the connection fails after both closed, which is no failure any more",
            events: [
                (.closeReceived(.goingAway, "bye"), send(echo)),
                (.connectionFailed, end(.closed, received: bye, sent: echo, byPeer: true)),
            ]
        ),
        .init(
            testDescription: "§7.1.7: a violation is told, and the connection is closed without waiting",
            events: [
                (
                    .violation(.protocolError),
                    end(
                        .violation(.protocolError),
                        sent: .init(received: .protocolError, reason: ""),
                        sending: .init(received: .protocolError, reason: "")
                    )
                )
            ]
        ),
        .init(
            testDescription: "§5.5.1: a violation after the Close frame is not told, for only one is sent",
            events: [
                (.localClose(bye), send(bye)), (.violation(.messageTooBig), end(.violation(.messageTooBig), sent: bye)),
            ]
        ),
        .init(
            testDescription: "§7.4.1: a code that is not for the wire is not sent",
            events: [(.violation(.abnormalClosure), end(.violation(.abnormalClosure)))]
        ),
        .init(
            testDescription: "a violation after both closed changes nothing but ends it",
            events: [
                (.closeReceived(.goingAway, "bye"), send(echo)),
                (.violation(.protocolError), end(.closed, received: bye, sent: echo, byPeer: true)),
            ]
        ),
        .init(
            testDescription: "§5.5.1: closing twice sends once",
            events: [
                (.localClose(bye), send(bye)),
                (.localClose(.empty), nothing),
                (.closeReceived(nil, ""), nothing),
                (.localClose(bye), nothing),
                (.closeReceived(.goingAway, "bye"), nothing),
                (.peerEnded, end(.closed, received: .empty, sent: bye)),
            ]
        ),
        .init(
            testDescription: "closing after the server did sends nothing more",
            events: [(.closeReceived(.goingAway, "bye"), send(echo)), (.localClose(.empty), nothing)]
        ),
    ]

    private static func apply(_ event: Event, to machine: inout ClosingStateMachine) -> Effects {
        switch event {
        case .localClose(let frame): machine.localClose(frame)
        case .closeReceived(let code, let reason): machine.closeReceived(code, reason: reason)
        case .peerEnded: machine.peerEnded()
        case .closeTimedOut: machine.closeTimedOut()
        case .connectionFailed: machine.connectionFailed()
        case .violation(let code): machine.violation(code)
        }
    }

    @Test(arguments: scripts)
    func `events have their effects`(_ script: Script) {
        var machine = ClosingStateMachine()
        for (index, (event, expected)) in script.events.enumerated() {
            let known = machine.outcome
            let effects = Self.apply(event, to: &machine)
            #expect(effects == expected, "event \(index)")
            #expect(expected.outcome == nil || machine.outcome == expected.outcome)
            #expect(known == nil || machine.outcome == known, "an outcome that is known does not change")
            #expect(!machine.allowsSending)
        }
    }

    @Test(arguments: scripts)
    func `once it is over nothing has an effect`(_ script: Script) {
        var machine = ClosingStateMachine()
        for (event, _) in script.events { _ = Self.apply(event, to: &machine) }
        _ = machine.peerEnded()
        let outcome = machine.outcome
        #expect(outcome != nil)
        let more: [Event] = [
            .localClose(.empty), .closeReceived(nil, ""), .peerEnded, .closeTimedOut, .connectionFailed,
            .violation(.protocolError),
        ]
        for event in more {
            let effects = Self.apply(event, to: &machine)
            #expect(effects == Self.nothing)
            #expect(machine.outcome == outcome)
        }
    }

    @Test
    func `nothing is sent once either side has closed`() {
        var (local, remote) = (ClosingStateMachine(), ClosingStateMachine())
        #expect(local.allowsSending && remote.allowsSending)
        _ = local.localClose(.empty)
        _ = remote.closeReceived(nil, reason: "")
        #expect(!local.allowsSending && !remote.allowsSending)
    }

    @Test func `the outcome is known once both Close frames were exchanged`() throws {
        let frame = try CloseFrame(.goingAway)
        var machine = ClosingStateMachine()
        #expect(machine.outcome == nil)
        _ = machine.localClose(frame)
        #expect(machine.outcome == nil)
        _ = machine.closeReceived(.goingAway, reason: "")
        #expect(machine.outcome == ClosingOutcome(cause: .closed, received: frame, sent: frame))
    }

    @Test func `a stream ends as soon as the server has answered the Close frame`() throws {
        let frame = try CloseFrame(.goingAway)
        var machine = ClosingStateMachine(isStream: true)
        #expect(!machine.localClose(frame).closesConnection)
        let effects = machine.closeReceived(.goingAway, reason: "")
        #expect(effects.closesConnection)
        #expect(effects.outcome == ClosingOutcome(cause: .closed, received: frame, sent: frame))
    }

    @Test func `a stream waits for the server that closes first`() {
        var machine = ClosingStateMachine(isStream: true)
        let effects = machine.closeReceived(.goingAway, reason: "")
        #expect(effects.send != nil && effects.startsTimeout && !effects.closesConnection)
        #expect(machine.peerEnded().closesConnection)
    }

    @Test
    func `the code of an outcome is that of RFC 6455 §7_1_5`() {
        #expect(ClosingOutcome(cause: .closed, received: Self.bye, sent: .empty).code == .goingAway)
        #expect(ClosingOutcome(cause: .closed, received: .empty, sent: Self.bye).code == .noStatusReceived)
        #expect(ClosingOutcome(cause: .endedByPeer, sent: Self.bye).code == .abnormalClosure)
    }
}
