// SPDX-License-Identifier: Apache-2.0
import NIOCore
import TernConnections
@testable import TernTesting
import TestSupport
import Testing

@Suite("PipeStateMachine and MemoryPipe", .hangLimit)
struct PipeStateMachineTests {
    private static let normalEnds: [MemoryPipe.End] = [.finish, .close]

    /// Performs the steps, of which a take finds `queue`, and returns them as words.
    private func steps(of machine: inout PipeStateMachine, queue: String) -> [String] {
        var words: [String] = []
        while let step = machine.nextStep() {
            switch step {
            case .take:
                words.append("take")
                machine.taken([ByteBuffer(string: queue)], number: 1)
            case .setWritable(let isWritable): words.append(isWritable ? "room" : "no room")
            case .deliver(let bytes, _): words.append("deliver \(String(buffer: bytes))")
            case .end(.finish), .end(.close): words.append("end")
            case .end(.reset), .end(.fail): words.append("failure")
            }
        }
        return words
    }

    @Test(arguments: normalEnds)
    func `what is queued at a normal end is delivered before it`(end: MemoryPipe.End) {
        var machine = PipeStateMachine(DirectionFaults([]))
        machine.endRequested(end)
        #expect(self.steps(of: &machine, queue: "last") == ["take", "no room", "deliver last", "room", "end"])
    }

    @Test(arguments: normalEnds)
    func `a normal end waits for a slow receiver`(end: MemoryPipe.End) {
        var machine = PipeStateMachine(DirectionFaults([]))
        machine.isWanted = false
        machine.endRequested(end)
        #expect(self.steps(of: &machine, queue: "last") == ["take", "no room"])
        machine.isWanted = true
        #expect(self.steps(of: &machine, queue: "") == ["deliver last", "room", "end"])
    }

    @Test(arguments: [MemoryPipe.End.reset, .fail(.closed)])
    func `a failure drops what is queued`(end: MemoryPipe.End) {
        var machine = PipeStateMachine(DirectionFaults([]))
        machine.endRequested(end)
        #expect(self.steps(of: &machine, queue: "last") == ["take", "no room", "failure", "room"])
    }

    @Test(arguments: normalEnds)
    func `what is sent while another thread runs the pipe arrives before the end`(end: MemoryPipe.End) async throws {
        let clock = ManualClock()
        let (outbox, inbox) = (Outbox(limit: 64, clock: clock), Inbox(limit: 64, clock: clock))
        let reverse = Outbox(limit: 64, clock: clock)
        let pipe = MemoryPipe(from: outbox, to: inbox, reverse: reverse, faults: DirectionFaults([]))
        // The pipe calls this action while it runs, so what the action asks for happens later, as on another thread.
        let early = inbox.read(orLater: { _ in
            _ = try? outbox.enqueue(.bytes(ByteBuffer(string: "last"))) { _ in pipe.flush() }
            pipe.end(end)
        })
        #expect(early == nil)
        _ = try outbox.enqueue(.bytes(ByteBuffer(string: "first"))) { _ in pipe.flush() }
        #expect(inbox.take() == ByteBuffer(string: "last"))
        #expect(try await inbox.read(atLeast: 1, deadline: nil) == nil)
        #expect(throws: ConnectionError.closed) {
            try outbox.enqueue(.bytes(ByteBuffer(string: "late"))) { _ in pipe.flush() }
        }
    }
}
