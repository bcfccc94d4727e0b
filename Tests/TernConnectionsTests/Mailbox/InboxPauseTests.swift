// SPDX-License-Identifier: Apache-2.0
import NIOCore
import Testing

@testable import TernConnections

@Suite("Inbox: pausing the network")
struct InboxPauseTests {
    private static func machine(holding counts: Int..., limit: Int) -> InboxStateMachine {
        var machine = InboxStateMachine(limit: limit)
        for count in counts { machine.received(ByteBuffer(repeating: 0, count: count)) }
        return machine
    }

    @Test func `a round that reaches the limit pauses, and a read below half of it resumes`() {
        var machine = Self.machine(holding: 3000, 3000, 3000, limit: 8000)
        #expect(machine.readCompleted().continues == false)
        #expect(machine.taken().resumesReading == false)
        #expect(machine.taken().resumesReading)
    }

    @Test func `who waits for more than is there has the paused network resumed`() {
        var machine = Self.machine(holding: 5000, 5000, limit: 8000)
        #expect(machine.readCompleted().continues == false)
        #expect(machine.taken().resumesReading == false)
        guard case .wait(let reader, resumesReading: true) = machine.readRequested(atLeast: 8000, deadline: nil) else {
            Issue.record("the read neither waited nor asked for more")
            return
        }
        _ = machine.suspended(reader)
        machine.received(ByteBuffer(repeating: 0, count: 3000))
        #expect(machine.readCompleted().effects.resume != nil)
    }
}
