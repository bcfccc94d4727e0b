// SPDX-License-Identifier: Apache-2.0
import Synchronization
import TernConnections
import TernErrors
import TernRequests
import TernTransport

/// Runs one exchange after its head was sent, as ``ExchangeStateMachine`` decides.
///
/// A task of its own sends a long body, because a server may answer early. The codec is lent to the task that reads.
final class ExchangeDriver<Codec: ExchangeCodec & ~Copyable>: Sendable {
    /// The codec, which the task that reads takes out and puts back.
    struct Progress: ~Copyable, Sendable {
        var codec: Codec
        var receivedByteCount: Int64 = 0
    }

    enum Turn: ~Copyable, Sendable {
        case granted(Progress)
        case finished
        case misused(BodyFailure)
    }

    private struct State: ~Copyable, Sendable {
        var machine: ExchangeStateMachine
        /// `nil` while a task reads or discards the body, while the exchange waits for the head, and after the end.
        var progress: Progress?
        var sender: Task<Void, Never>?
        var timer: ScheduledAction?
        var waiter: Suspension<Void>?

        mutating func addWaiter() -> Suspension<Void> {
            let waiter = Suspension<Void>()
            self.waiter = waiter
            return waiter
        }
    }

    let call: HTTPCall
    let slot: Slot
    private let state: Mutex<State>
    private let control: any ExchangeControl
    /// Whether there is a sender, so that instants matter.
    private let hasSender: Bool

    init(reading codec: consuming Codec, for call: HTTPCall, in slot: Slot) {
        self.control = codec.control
        self.call = call
        self.slot = slot
        self.hasSender = false
        self.state = Mutex(State(machine: .answered, progress: Progress(codec: codec)))
    }

    init(sending request: OutgoingRequest, by codec: borrowing Codec, for call: HTTPCall, in slot: Slot) {
        self.control = codec.control
        var rest = call
        rest.request.body = nil  // so that a long response does not keep it in memory
        self.call = rest
        self.slot = slot
        self.hasSender = true
        self.state = Mutex(State(machine: .sending))
        let sink = codec.makeSink(for: request, call, self)
        let sender = Task.detached { [self] in
            do throws(ClientError) {
                let (length, trailers) = (request.bodyLength, request.trailers)
                try await BodySender(to: sink, for: call, length: length, trailers: trailers).send(request.body)
                self.senderEnded(.success(()))
            } catch {
                self.senderEnded(.failure(error))
            }
        }
        self.state.withLock { $0.sender = sender }
    }

    private var now: ClockInstant? { self.hasSender ? self.call.clock.now : nil }

    // MARK: The request

    var isRequestComplete: Bool { self.state.withLock { $0.machine.isRequestComplete } }

    var requestFailure: ClientError? { self.state.withLock { $0.machine.requestFailure } }

    private func senderEnded(_ outcome: Result<Void, ClientError>) {
        if case .success = outcome { self.limitHead() }
        self.change { state in
            state.sender = nil
            return state.machine.senderEnded(outcome)
        }
    }

    /// Sets the time limit for the head before the request is complete: over HTTP/1.1, the limit is the connection's, and when the
    /// request is complete, another exchange may use the connection.
    private func limitHead() {
        guard self.state.withLock({ $0.machine.awaitsHead }) else { return }
        self.control.limitReads(to: self.call.deadline(.firstByte, self.call.timeouts.firstByte))
        // The head may have arrived in the meantime, and its event may have removed the limit before it was set.
        if !self.state.withLock({ $0.machine.awaitsHead }) { self.control.limitReads(to: nil) }
    }

    /// Waits for the sender before the protocol changes, if the connection has the last bytes of the body; if the waiting task is
    /// cancelled, the sender is cancelled, too.
    func waitForSender() async {
        let now = self.call.clock.now
        var waiter: Suspension<Void>?
        self.change { state in
            if state.machine.protocolChanges(at: now) { waiter = state.addWaiter() }
            return .none
        }
        if let waiter { await self.wait(for: waiter) }
    }

    // MARK: The response

    func answered(_ statusCode: Int) {
        let now = self.call.clock.now
        self.change { $0.machine.answered(statusCode, at: now) }
    }

    func failed() { self.change { $0.machine.failed() } }

    func keep(_ codec: consuming Codec) {
        var progress: Progress? = Progress(codec: codec)
        self.state.withLock { $0.progress = progress.take() }
    }

    func takeTurn() -> Turn {
        let now = self.now
        return self.state.withLock { state in
            switch state.machine.readBegan(at: now) {
            case .granted:
                // The machine grants a turn only while no task has the codec.
                guard let progress = state.progress.take() else { return .finished }
                return .granted(progress)
            case .finished: return .finished
            case .misused(let misuse): return .misused(misuse)
            }
        }
    }

    /// Gives the turn back; if the body was discarded during the turn, releases the codec.
    func giveBack(_ progress: consuming Progress) {
        let now = self.now
        var next: Progress? = progress
        self.state.withLock { state in
            if state.machine.readEnded(at: now) { state.progress = next.take() }
        }
    }

    /// Records that the response has ended; returns a wait for the sender, after which the caller calls this method again.
    func responseEnded(isReusable: Bool) -> Suspension<Void>? {
        let now = self.now
        var waiter: Suspension<Void>?
        self.change { state in
            let effects = state.machine.responseEnded(isReusable: isReusable, at: now)
            if state.machine.isSettling { waiter = state.addWaiter() }
            return effects
        }
        return waiter
    }

    func wait(for waiter: Suspension<Void>) async {
        await waiter.wait(onCancel: ())
        if Task.isCancelled { self.change { $0.machine.waitCancelled() } }
    }

    func readFailed() -> Bool {
        var isDiscarded = false
        self.change { state in
            let (effects, wasDiscarded) = state.machine.readFailed()
            isDiscarded = wasDiscarded
            return effects
        }
        return isDiscarded
    }

    /// Discards the body, even while a task reads it if `isForced`; returns the codec, from which the caller takes the bytes that
    /// have arrived before it calls ``drained(isReusable:)``.
    func discard(isForced: Bool) -> Progress? {
        var taken: Progress?
        self.change { state in
            switch state.machine.discarded(isForced: isForced) {
            case .drain:
                taken = state.progress.take()
                return .none
            case .done(let effects): return effects
            }
        }
        return taken
    }

    func drained(isReusable: Bool) { self.change { $0.machine.drained(isReusable: isReusable) } }

    func readIdleStart(since start: ClockInstant, lastSent: ClockInstant?) -> ClockInstant? {
        guard self.hasSender else { return nil }
        return self.state.withLock { $0.machine.readIdleStart(since: start, lastSent: lastSent) }
    }

    // MARK: Effects

    private func change(_ body: (inout State) -> ExchangeStateMachine.Effects) {
        var (sender, timer, waiter): (Task<Void, Never>?, ScheduledAction?, Suspension<Void>?)
        let effects = self.state.withLock { state in
            let effects = body(&state)
            if effects.stopsSender { sender = state.sender }
            if effects.wakesWaiter { waiter = state.waiter.take() }
            if effects.slot != nil { timer = state.timer.take() }
            return effects
        }
        guard effects != .none else { return }
        if effects.removesReadLimit { self.control.limitReads(to: nil) }
        sender?.cancel()
        timer?.cancel()
        if effects.aborts { self.control.abort() }
        switch effects.slot {
        case .giveBack: self.slot.giveBack()
        case .discard: self.slot.discard()
        case nil: break
        }
        if effects.setsTimer { self.setTimer() }
        waiter?.resume(with: ())
    }

    private func setTimer() {
        let clock = self.call.clock
        let timer = clock.schedule(at: clock.now.advanced(by: SettlingLimit.duration)) { [self] in
            self.change { $0.machine.timerFired() }
        }
        // Releasing the timer cancels it, which is right if the sender has ended in the meantime.
        self.state.withLock { state in
            if state.machine.needsTimer { state.timer = timer }
        }
    }
}

extension ExchangeDriver: ExchangeActivity where Codec: ~Copyable {
    func didSend() {
        let now = self.call.clock.now
        self.state.withLock { $0.machine.sent(at: now) }
    }

    func willQueueEnd() { self.state.withLock { $0.machine.willQueueEnd() } }

    func sendIdleStart(since start: ClockInstant, lastSent: ClockInstant?) -> ClockInstant? {
        let now = self.call.clock.now
        return self.state.withLock { $0.machine.sendIdleStart(since: start, lastSent: lastSent, at: now) }
    }
}
