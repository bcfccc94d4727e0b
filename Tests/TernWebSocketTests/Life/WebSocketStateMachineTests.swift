// SPDX-License-Identifier: Apache-2.0
import TernErrors
import TernWebSocketCore
import Testing

@testable import TernWebSocket

@Suite("WebSocketStateMachine")
struct WebSocketStateMachineTests {
    @Test(arguments: WebSocketScenario.ends + WebSocketScenario.sending + WebSocketScenario.silence)
    func `each event has its outcome`(_ scenario: WebSocketScenario) {
        var run = WebSocketRun(hasKeepAlive: scenario.hasKeepAlive, isStream: scenario.isStream)
        for (index, step) in scenario.steps.enumerated() {
            #expect(run.perform(step.event) == step.expected, "step \(index + 1): \(step.event)")
        }
    }

    @Test func `the first of two closes says which side closed`() {
        let lives: [([WebSocketEvent], Bool)] = [
            ([.closes(), .receivesClose()], true), ([.receivesClose(), .closes()], false),
            ([.closes(), .violates()], true), ([.violates(), .closes()], false),
            ([.closes(), .passes(5)], true), ([.isReleased, .fails()], true),
            ([.peerEnds, .closes()], false), ([.fails(.silent), .closes()], false),
        ]
        for (events, isClosedHere) in lives {
            var run = WebSocketRun()
            for event in events { _ = run.perform(event) }
            #expect(run.machine.ending?.isClosedHere == isClosedHere, "\(events)")
        }
    }

    @Test func `the outcome says what the wire has seen`() {
        let lives: [([WebSocketEvent], ClosingOutcome.Cause)] = [
            ([.closes(), .receivesClose()], .closed),
            ([.receivesClose(), .fails()], .closed), ([.receivesClose(), .passes(5)], .closed),
            ([.closes(), .passes(5)], .closeTimedOut), ([.closes(), .peerEnds], .endedByPeer),
            ([.closes(), .fails()], .connectionFailed), ([.fails(.full), .receivesClose()], .connectionFailed),
            ([.violates(), .passes(5)], .violation(.protocolError)),
            ([.closes(), .violates(.messageTooBig)], .violation(.messageTooBig)),
        ]
        for (events, cause) in lives {
            var run = WebSocketRun()
            for event in events { _ = run.perform(event) }
            #expect(run.machine.ending?.outcome?.cause == cause, "\(events)")
        }
    }

    // MARK: Every order

    /// The events of the application, of its tasks and of the clock.
    private static let applicationEvents: [WebSocketEvent] = [
        .closes(), .closesAndWaits("closer"), .isReleased, .failsToSend, .fails(.full), .passes(10), .firesLate,
        .sends("first"), .sends("second"), .endsTurn, .pings("pinging"),
    ]

    /// All that a reader reports in its life, in some lives.
    private static let readers: [[WebSocketEvent]] = [
        [.peerEnds, .readerEnds],
        [.fails(.lost), .readerEnds],
        [.receivesClose(.goingAway), .peerEnds, .readerEnds],
        [.isPinged("p", hasRoom: false), .receivesClose(.goingAway), .fails(.lost), .readerEnds],
        [.violates(), .peerEnds, .readerEnds],
        [.pongs(to: "pinging"), .violates(.abnormalClosure), .peerEnds, .readerEnds],
    ]

    /// In each order of up to three events of the application and all events of the reader, the WebSocket ends once.
    @Test(arguments: readers, [false, true])
    func `in every order, a WebSocket ends once and leaves no task that waits`(
        _ reader: [WebSocketEvent],
        isStream: Bool
    ) {
        var count = 0
        var failed: Set<String> = []
        func check(_ life: WebSocketLife, taken: Set<Int>, reported: Int) {
            if reported == reader.count {
                count += 1
                failed.formUnion(life.violations)
            } else {
                var next = life
                next.perform(reader[reported])
                check(next, taken: taken, reported: reported + 1)
            }
            guard taken.count < 3 else { return }
            for (index, event) in Self.applicationEvents.enumerated() where !taken.contains(index) {
                var next = life
                next.perform(event)
                check(next, taken: taken.union([index]), reported: reported)
            }
        }
        check(WebSocketLife(isStream: isStream), taken: [], reported: 0)
        #expect(failed.isEmpty)
        #expect(count > 5_000)
    }

    @Test func `a Close frame that arrives after the outcome is certain is still told`() {
        let error = ClientError.timedOut(.idle, limit: .seconds(1), ClientError.Context(phase: .body))
        var (ending, _) = WebSocketEnding.begun(by: .failed(error), isStream: false)
        _ = ending.happened(.closeReceived(.normalClosure, reason: "bye"))
        #expect(ending.outcome?.received == nil)
        #expect(ending.received?.reason == "bye")
        #expect(WebSocketEnd(ending).code == 1000)
    }
}
