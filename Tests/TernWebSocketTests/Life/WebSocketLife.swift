// SPDX-License-Identifier: Apache-2.0
import TernWebSocketCore

@testable import TernWebSocket

/// The life of a WebSocket under a list of events, which notes each rule that the machine breaks.
struct WebSocketLife {
    /// The rules that were broken, with the events until then.
    private(set) var violations: Set<String> = []

    private var run: WebSocketRun
    private var events: [WebSocketEvent] = []
    private var waiting: Set<String> = []
    private var holder: String?
    private var (messagesHaveEnded, hasSentClose, isClosed, hasEnded) = (false, false, false, false)

    init(isStream: Bool) { self.run = WebSocketRun(hasKeepAlive: true, isStream: isStream) }

    private var isOpen: Bool { self.run.machine.allowsSending }

    mutating func perform(_ event: WebSocketEvent) {
        // Only a task that has the turn can end it.
        if case .endsTurn = event, self.holder == nil { return }
        self.events.append(event)
        if case .endsTurn = event { self.holder = nil }
        let (wasOpen, earlier) = (self.isOpen, self.run.machine.ending)
        if case .closesAndWaits(let name) = event { self.waiting.insert(name) }
        let outcomes = self.run.perform(event)
        for outcome in outcomes { self.note(outcome, wasOpen: wasOpen) }

        self.require(wasOpen || !self.isOpen, "a WebSocket opens once")
        self.require(self.isOpen != self.messagesHaveEnded, "the messages end when nothing more can be sent")
        if let earlier, let ending = self.run.machine.ending {
            self.require(earlier.isClosedHere == ending.isClosedHere, "the side that closed first does not change")
            self.require((earlier.error == nil) == (ending.error == nil), "the error does not change")
            self.require(earlier.outcome == nil || earlier.outcome == ending.outcome, "an outcome does not change")
            self.require(!self.hasEnded || ending.outcome != nil, "a WebSocket that is over has an outcome")
        }
        if !self.isOpen {
            let ends = self.isClosed || self.run.machine.armedInstant != nil || self.hasLastReport
            self.require(ends, "a WebSocket that ends has a time limit until its connection is closed")
            self.require(!self.isClosed || self.run.machine.armedInstant == nil, "no timer for a closed connection")
        }
        if self.hasEnded { self.require(self.waiting.isEmpty, "no task waits for a WebSocket that is over") }
        if !self.isOpen { self.require(self.waiting.isSubset(of: ["closer"]), "no task waits to send") }
    }

    /// Whether the reader has reported the end of the connection.
    private var hasLastReport: Bool { self.events.contains(.peerEnds) || self.events.contains(.fails(.lost)) }

    private mutating func note(_ outcome: WebSocketOutcome, wasOpen: Bool) {
        switch outcome {
        case .sendsClose:
            self.require(!self.hasSentClose && !self.isClosed, "§5.5.1: one Close frame is sent")
            self.hasSentClose = true
        case .endsMessages:
            self.require(!self.messagesHaveEnded, "the messages end once")
            self.messagesHaveEnded = true
        case .dropsMessages: self.messagesHaveEnded = true
        case .arms: self.require(!self.isClosed && !self.hasEnded, "no timer is set after the end")
        case .closesConnection:
            self.require(!self.isClosed, "the connection is closed once")
            self.isClosed = true
        case .asksServer, .sendsPong: self.require(self.isOpen, "§5.5.1: nothing is sent after a Close frame")
        case .waitsForRoom: break
        case .sendsPing(let name):
            self.require(self.isOpen, "§5.5.1: nothing is sent after a Close frame")
            self.waiting.insert(name)
        case .grants(let name):
            self.require(self.isOpen && self.holder == nil, "§5.4: one task sends at a time, until the end")
            self.waiting.remove(name)
            self.holder = name
        case .waits(let name):
            self.require(self.isOpen && self.holder != nil, "a task waits only for another one")
            self.waiting.insert(name)
        case .refuses(let name):
            self.require(!self.isOpen, "an open WebSocket refuses nothing")
            if wasOpen { self.resumed(name) }
        case .answers(let name): self.resumed(name)
        case .resumes(let name): self.resumed(name)
        case .ends:
            self.require(!self.hasEnded, "the end is reported once")
            self.hasEnded = true
        }
    }

    private mutating func resumed(_ name: String) {
        self.require(self.waiting.remove(name) != nil, "\(name) is resumed once")
    }

    private mutating func require(_ condition: Bool, _ rule: @autoclosure () -> String) {
        guard !condition else { return }
        self.violations.insert("\(rule()): \(self.events)")
    }
}
