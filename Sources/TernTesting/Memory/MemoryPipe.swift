// SPDX-License-Identifier: Apache-2.0
import NIOCore
import Synchronization
import TernConnections

/// One direction of a connection in memory: moves bytes from the sender's outbox to the receiver's inbox.
///
/// At most, it holds the bytes that the receiver's inbox asks for and one write of the sender. It performs one step at
/// a time, outside its lock, on the thread that caused the step.
final class MemoryPipe: Sendable {
    /// The way in which a direction ends.
    enum End: Sendable {
        /// The direction ends normally; the other direction stays open.
        case finish
        /// The direction ends normally, and the sender stops reading.
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
    /// The receiver's outbox, which fails when the sender is gone.
    private let reverse: Outbox

    init(from outbox: Outbox, to inbox: Inbox, reverse: Outbox, faults: DirectionFaults) {
        self.state = Mutex(State(machine: PipeStateMachine(faults)))
        self.outbox = outbox
        self.inbox = inbox
        self.reverse = reverse
        inbox.onDemand { [weak self] in self?.change { $0.isWanted = true } }
    }

    /// Takes the contents of the outbox.
    func flush() { self.change { $0.hasOutgoing = true } }

    /// Ends the direction after everything that was sent; a reset does not wait for that.
    func end(_ end: End) { self.change { $0.endRequested(end) } }

    /// Stops delivering, because the receiver has stopped reading.
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

    /// Fails on both sides, the receiver last.
    ///
    /// In this order, an action that the receiver takes in response, such as closing its end, cannot become the error
    /// of either sender.
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
            // Tell the outbox before the receiver can answer these bytes.
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
