// SPDX-License-Identifier: Apache-2.0
import NIOCore
import Synchronization
import TernConnections

/// One direction of a connection in memory: takes what is in the sender's outbox to the receiver's inbox.
///
/// It holds no more than the receiver's inbox wants and one write of the sender. What it does, it does one step at a time
/// and outside its lock, on the thread that caused it.
final class MemoryPipe: Sendable {
    /// How a direction ends.
    enum End: Sendable {
        /// In order; the other direction stays open.
        case finish
        /// In order, and the sender reads no more.
        case close
        /// The connection is reset.
        case reset
        /// The connection fails, on both sides.
        case fail(ConnectionError)
    }

    private struct State {
        var machine: PipeStateMachine
        var isRunning = false
    }

    private let state: Mutex<State>
    private let outbox: Outbox
    private let inbox: Inbox
    /// What the receiver sends with; it fails when the sender is gone.
    private let reverse: Outbox

    init(from outbox: Outbox, to inbox: Inbox, reverse: Outbox, faults: DirectionFaults) {
        self.state = Mutex(State(machine: PipeStateMachine(faults)))
        self.outbox = outbox
        self.inbox = inbox
        self.reverse = reverse
        inbox.onDemand { [weak self] in self?.change { $0.isWanted = true } }
    }

    /// There is something in the outbox.
    func flush() { self.change { $0.hasOutgoing = true } }

    /// The sender ends the direction, behind all that it sent; a reset does not wait for that.
    func end(_ end: End) { self.change { $0.endRequested(end) } }

    /// The receiver takes no more.
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

    /// Has both sides fail, the receiver last.
    ///
    /// What the receiver then does, such as closing its end, comes too late to be the reason that either writer is told.
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
            // Before the receiver can answer it.
            if let number { self.outbox.sent(upTo: number) }
            let continues = self.inbox.receive(CollectionOfOne(bytes))
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
