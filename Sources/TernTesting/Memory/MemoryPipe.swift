// SPDX-License-Identifier: Apache-2.0
import NIOCore
import Synchronization
import TernConnections

/// One direction of a connection in memory: moves bytes from the sender's outbox to the receiver's inbox.
///
/// It performs one step at a time, outside of its lock: the thread of an event also performs the steps of events that follow.
final class MemoryPipe: Sendable {
    enum End: Sendable {
        case finish
        /// The direction ends normally, and the receiver can send no more.
        case close
        case reset
        case fail(ConnectionError)
    }

    private struct State {
        var machine: PipeStateMachine
        var isRunning = false
    }

    private let state: Mutex<State>
    private let outbox: Outbox
    private let inbox: Inbox
    /// Fails when the sender has closed the connection.
    private let reverse: Outbox

    init(from outbox: Outbox, to inbox: Inbox, reverse: Outbox, faults: DirectionFaults) {
        self.state = Mutex(State(machine: PipeStateMachine(faults)))
        self.outbox = outbox
        self.inbox = inbox
        self.reverse = reverse
        inbox.onDemand { [weak self] in self?.change { $0.isWanted = true } }
    }

    func flush() { self.change { $0.hasOutgoing = true } }

    /// Ends the direction after the receiver has got all sent bytes; a reset and an error end it at once.
    func end(_ end: End) {
        self.change { $0.endRequested(end) }
        // The outbox keeps its queue, because another thread may run the pipe and take the queue later.
        self.outbox.close()
    }

    func abandon() { self.change { $0.abandoned() } }

    private func change(_ event: (inout PipeStateMachine) -> Void) {
        let mustRun = self.state.withLock { state in
            event(&state.machine)
            guard !state.isRunning else { return false }
            state.isRunning = true
            return true
        }
        if mustRun { self.run() }
    }

    private func run() {
        while true {
            let step = self.state.withLock { state in
                let step = state.machine.nextStep()
                if step == nil { state.isRunning = false }
                return step
            }
            guard let step else { return }
            self.perform(step)
        }
    }

    /// Fails the inbox last: the receiver may react by closing its end, and both outboxes must have the error before that.
    private func fail(_ failure: ConnectionError) {
        self.outbox.fail(failure)
        self.reverse.fail(failure)
        self.inbox.end(failure)
    }

    private func perform(_ step: PipeStateMachine.Step) {
        switch step {
        case .take:
            var pieces: [Outbox.Piece] = []
            let number = self.outbox.takeAll(into: &pieces)
            let buffers = pieces.compactMap { piece in
                if case .bytes(let bytes) = piece { bytes } else { nil }
            }
            let isEmpty = self.state.withLock { state in
                state.machine.taken(buffers, number: number)
                return state.machine.isEmpty
            }
            if isEmpty { self.outbox.sent(upTo: number) }
        case .setWritable(let isWritable):
            self.outbox.setWritable(isWritable)
        case .deliver(let bytes, let number):
            // Before the receiver can answer the bytes, the sender's outbox must know that they were sent.
            if let number { self.outbox.sent(upTo: number) } else { self.outbox.progressed() }
            let continues = self.inbox.receive([bytes])
            if continues { self.state.withLock { $0.machine.isWanted = true } }
        case .end(.finish):
            self.inbox.end(nil)
        case .end(.close):
            self.reverse.fail(.closed)
            self.inbox.end(nil)
        case .end(.reset): self.fail(.reset)
        case .end(.fail(let failure)): self.fail(failure)
        }
    }
}
