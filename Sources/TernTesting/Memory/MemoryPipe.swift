// SPDX-License-Identifier: Apache-2.0
import NIOCore
import Synchronization
import TernConnections

/// One direction of a connection in memory: moves bytes from the sender's outbox to the receiver's inbox.
///
/// The pipe holds at most one write of the sender, in addition to the bytes that the receiver's inbox asks for. It
/// performs one step at a time, outside of its lock, on the thread of an event. If another event happens meanwhile, the
/// same thread performs the steps of that event, too.
final class MemoryPipe: Sendable {
    /// The way in which a direction ends.
    enum End: Sendable {
        /// The direction ends normally. The other direction stays open.
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
    /// The receiver's outbox, which fails when the sender has closed the connection.
    private let reverse: Outbox

    init(from outbox: Outbox, to inbox: Inbox, reverse: Outbox, faults: DirectionFaults) {
        self.state = Mutex(State(machine: PipeStateMachine(faults)))
        self.outbox = outbox
        self.inbox = inbox
        self.reverse = reverse
        inbox.onDemand { [weak self] in self?.change { $0.isWanted = true } }
    }

    /// Tells the pipe that the outbox has new contents.
    func flush() { self.change { $0.hasOutgoing = true } }

    /// Ends the direction after the receiver has got all sent bytes.
    ///
    /// A reset and an error end the direction at once.
    func end(_ end: End) { self.change { $0.endRequested(end) } }

    /// Stops the delivery of bytes, because the receiver has stopped reading.
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

    /// Fails the connection on both sides.
    ///
    /// The receiver's inbox fails last. The receiver may react to that failure, for example by closing its end. Both
    /// outboxes must have the error before that.
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
            if let number { self.outbox.sent(upTo: number) }
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
