// SPDX-License-Identifier: Apache-2.0
import Testing

@testable import TernHTTP

@Suite("StreamFlushStateMachine")
struct StreamFlushStateMachineTests {
    enum Event: CaseIterable {
        case begins, waits, resumes, rests, closes
    }

    private static func apply(_ event: Event, to machine: inout StreamFlushStateMachine) -> Bool {
        switch event {
        case .begins: machine.begins()
        case .waits: machine.waits()
        case .resumes: machine.resumes()
        case .rests: machine.rests()
        case .closes: machine.closes()
        }
    }

    private static func results(of events: Event...) -> [Bool] {
        var machine = StreamFlushStateMachine()
        return events.map { self.apply($0, to: &machine) }
    }

    @Test func `one thread at a time hands over`() {
        let results = Self.results(of: .begins, .begins, .waits, .begins, .resumes, .begins, .rests, .begins)
        #expect(results == [true, false, true, false, true, false, false, true])
    }

    @Test func `closing leaves the end to the thread that hands over`() {
        #expect(Self.results(of: .begins, .closes, .rests, .begins) == [true, false, true, false])
    }

    @Test func `closing leaves the end to the thread that would have to wait`() {
        let results = Self.results(of: .begins, .closes, .waits, .waits, .rests, .resumes)
        #expect(results == [true, false, false, false, true, false])
    }

    @Test func `closing ends a wait`() {
        #expect(Self.results(of: .begins, .waits, .closes, .resumes) == [true, true, true, false])
    }

    /// All orders of the events that a driver can send: the holder says that it waits, rests or resumes, anybody begins or closes.
    @Test func `the stream ends once, and only after a close`() {
        var open = [(machine: StreamFlushStateMachine(), holder: Event?.none, closed: false, ended: 0)]
        for _ in 0..<8 {
            var next = open
            next.removeAll()
            for state in open {
                for event in Event.allCases {
                    // `waits` and `rests` come from a thread that hands over, `resumes` from a task that waits.
                    switch event {
                    case .waits, .rests: guard state.holder == .begins else { continue }
                    case .resumes: guard state.holder == .waits else { continue }
                    case .begins: break
                    case .closes: guard !state.closed else { continue }  // the driver closes once
                    }
                    var new = state
                    let result = Self.apply(event, to: &new.machine)
                    switch event {
                    case .begins:
                        if result {
                            #expect(state.holder == nil && !state.closed)
                            new.holder = .begins
                        }
                    case .waits:
                        if result { new.holder = .waits } else { #expect(state.closed) }
                    case .resumes: new.holder = result ? .begins : nil
                    case .rests:
                        new.holder = nil
                        if result { new.ended += 1 }
                    case .closes:
                        new.closed = true
                        if result { new.ended += 1 }
                    }
                    #expect(new.ended <= 1)
                    #expect(new.ended == 0 || new.closed)
                    if new.closed, new.holder != .begins { #expect(new.ended == 1) }
                    next.append(new)
                }
            }
            open = next
        }
    }
}
