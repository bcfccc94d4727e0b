// SPDX-License-Identifier: Apache-2.0
import DequeModule
import NIOCore
import Synchronization
import TernConnections
import TernErrors
import TernWebSocketCore

/// Runs one WebSocket on its connection: performs the effects that the state machines return.
///
/// The `WebSocket` and the reading task retain it. The released `WebSocket` closes the connection, which ends the reading task.
final class WebSocketDriver: Sendable {
    struct Locked: TimedState {
        var machine: WebSocketStateMachine
        var policy = CompressionPolicy()
        var random = RandomPool()
        var timer: ScheduledAction?
        /// Called when the connection is closed and the reader has ended.
        var onEnd: (@Sendable (WebSocketEnd) -> Void)?

        var armedInstant: ClockInstant? { self.machine.armedInstant }

        mutating func key() -> MaskingKey { .random(using: &self.random) }

        mutating func ping(_ number: UInt64) -> ByteBuffer {
            ByteBuffer(frame: .ping, payload: ByteBuffer(integer: number).readableBytesSpan, key: self.key())
        }
    }

    let connection: any Connection
    let queue: MessageQueue
    let options: WebSocketOptions
    let clock: any TransportClock
    let deflater: Mutex<MessageDeflater?>
    let canCompress: Bool
    let locked: Mutex<Locked>

    private let origin: String
    private let start: ClockInstant

    init(
        _ connection: any Connection,
        _ handshake: AcceptedHandshake,
        _ options: WebSocketOptions,
        isStream: Bool,
        origin: String,
        clock: any TransportClock,
        onEnd: (@Sendable (WebSocketEnd) -> Void)? = nil
    ) {
        let now = clock.now
        self.connection = connection
        self.queue = MessageQueue(limit: options.maximumQueuedByteCount)
        self.options = options
        self.clock = clock
        self.origin = origin
        self.start = now
        self.canCompress = handshake.deflate != nil
        self.deflater = Mutex(handshake.deflate.map { MessageDeflater($0, options.compression.parameters) })
        let machine = WebSocketStateMachine(
            keepAlive: options.keepAlive,
            closeTimeout: options.closeTimeout,
            isStream: isStream,
            now: now
        )
        self.locked = Mutex(Locked(machine: machine, onEnd: onEnd))
    }

    func context() -> ClientError.Context {
        ClientError.Context(
            phase: .messages,
            origin: self.origin,
            elapsed: self.start.duration(to: self.clock.now)
        )
    }

    var ending: WebSocketEnding? { self.locked.withLock { $0.machine.ending } }

    func closedError() -> ClientError {
        .webSocketClosed(code: self.ending?.received?.code?.rawValue, self.context())
    }

    // MARK: Closing

    /// Sends a Close frame and ends iteration at once; the rest of the closing handshake runs in the background.
    func close(_ frame: CloseFrame) { self.end(.closed(frame)) }

    /// Closes, and waits for the end of the connection and the reader, or closes it at once if the task is cancelled.
    func closeAndWait(_ frame: CloseFrame) async {
        let wait = WebSocketStateMachine.EndWait()
        let now = self.clock.now
        self.perform { $0.closed(frame, awaitedBy: wait, now: now) }
        await withTaskCancellationHandler {
            await wait.wait(onCancel: ())
        } onCancel: {
            self.connection.close()
        }
    }

    /// Closes a released WebSocket with 1001, without waiting for an answer, unless a Close frame was sent or received before.
    func abandon() { self.end(.released((try? CloseFrame(.goingAway)) ?? .empty)) }

    func sendFailed() { self.end(.sendFailed(CloseFrame(fitting: .internalError, ""))) }

    /// Ends the WebSocket with an error that this side detected, such as a server that accepts no bytes.
    func fail(_ error: ClientError) { self.end(.failed(error)) }

    private func end(_ event: WebSocketEnding.Event) {
        let now = self.clock.now
        self.perform { $0.happened(event, now: now) }
    }

    func startKeepAlive() {
        if let instant = self.locked.withLock({ $0.armedInstant }) { self.armTimer(at: instant) }
    }

    // MARK: What the reader reports

    /// Whether the reader must report each byte as soon as it arrives, because it shows that the server is alive.
    var mustHear: Bool { self.options.keepAlive != nil }

    func received() {
        guard self.options.keepAlive != nil else { return }
        let now = self.clock.now
        self.locked.withLock { $0.machine.received(at: now) }
    }

    func pausedReading(_ isPaused: Bool) { self.locked.withLock { $0.machine.readerPaused(isPaused) } }

    func received(close code: CloseCode?, _ reason: String) { self.end(.closeReceived(code, reason: reason)) }

    func violated(_ violation: WebSocketViolation) {
        let context = self.context()
        let error: ClientError =
            switch violation {
            // A compressed frame may be longer than the message, so its limit is not the one that the user knows.
            case .messageTooLong, .frameTooLong:
                .messageTooLarge(limit: max(0, self.options.maximumMessageByteCount), context)
            case .endedWithoutClose: .connectionLost(.closed, context)
            default: .protocolViolation(section: violation.section, reason: violation.reason, context)
            }
        self.end(.violated(violation.closeCode, error))
    }

    func peerEnded() { self.end(.peerEnded(.connectionLost(.closed, self.context()))) }

    func connectionFailed(_ failure: ConnectionError) { self.end(.failed(ClientError(failure, self.context()))) }

    /// Closes the connection, cancels the timer, and resumes the tasks that wait for the end.
    func readerEnded() {
        self.connection.close()  // before the event, because a closed WebSocket has a closed connection
        self.perform { $0.readerEnded() }
    }

    // MARK: Effects

    /// Passes an event to the state machine first, so that a task that learns of the end finds the final state.
    private func perform(_ event: (inout WebSocketStateMachine) -> WebSocketStateMachine.Effects) {
        let (effects, isBroken, timer, onEnd) = self.locked.withLock { locked in
            let effects = event(&locked.machine)
            let isBroken = !self.enqueue(effects.send, &locked)
            let timer = locked.armedInstant == nil ? locked.timer.take() : nil
            return (effects, isBroken, timer, effects.end == nil ? nil : locked.onEnd.take())
        }
        switch effects.messages {
        case .ended(let error)?: self.queue.end(error, dropsItems: false)
        case .dropped?: self.queue.end(nil, dropsItems: true)
        case nil: break
        }
        timer?.cancel()
        if let instant = effects.armTimer { self.armTimer(at: instant) }
        if effects.closesConnection || isBroken { self.connection.close() }
        for waiter in effects.senders { waiter.resume(with: .closed) }
        if !effects.pings.isEmpty {
            let error = self.closedError()
            for wait in effects.pings { wait.resume(with: .failure(error)) }
        }
        for wait in effects.endWaits { wait.resume(with: ()) }
        if let end = effects.end { onEnd?(end) }
    }

    /// Queues a control frame under the lock, so that no message follows a Close frame; `false` if that cannot be sent.
    private func enqueue(_ frame: WebSocketStateMachine.ControlFrame?, _ locked: inout Locked) -> Bool {
        switch frame {
        case .close(let frame)?:
            return (try? self.connection.enqueue(ByteBuffer(frame, key: locked.key()))) != nil
        case .ping?:
            _ = try? self.connection.enqueue(locked.ping(PingLedger.keepAliveNumber))
            return true
        case nil: return true
        }
    }

    private func armTimer(at instant: ClockInstant) {
        self.locked.arm(at: instant, on: self.clock) { [weak self] in
            guard let self else { return }
            let (now, context) = (self.clock.now, self.context())
            self.perform { $0.timerFired(now: now, context) }
        }
    }
}
