// SPDX-License-Identifier: Apache-2.0
import NIOCore
import Synchronization
import TernConnections
import TernErrors
import TernWebSocketCore

/// Runs one WebSocket on its connection: performs the effects that the state machines return.
///
/// The `WebSocket` and the reading task retain the driver. When the `WebSocket` is released, it closes the connection,
/// and then the reading task ends. So no task outlives the connection.
final class WebSocketDriver: Sendable {
    struct Locked {
        var closing: ClosingStateMachine
        /// The content of the server's Close frame, or `nil` before the frame has arrived.
        var received: (code: CloseCode?, reason: String)?
        /// Whether this side closed first.
        var isClosedHere = false
        var turns = SendTurns()
        var policy = CompressionPolicy()
        var random = RandomPool()
        var pings = PingLedger()
        var pongs = PendingPong()
        var keepAlive: KeepAliveStateMachine?
        var isReading = true
        var lastReceived: ClockInstant
        var keepAliveTimer: ScheduledAction?
        /// The number of the latest keep-alive timer, so that an older timer never replaces a newer one.
        var keepAliveNumber = 0
        var closeTimer: ScheduledAction?
        var endWaits: [Suspension<Void>] = []
        /// The error with which iteration ends: outer `nil` while it continues, inner `nil` for an end without an
        /// error.
        var ending: ClientError??
        /// Called when the connection is closed and the reader has ended.
        var onEnd: (@Sendable (WebSocketEnd) -> Void)?
        /// Whether the connection is closed and the reader has ended.
        var isOver = false

        /// Returns a new random masking key for the next frame.
        mutating func key() -> MaskingKey { .random(using: &self.random) }
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
        var locked = Locked(closing: ClosingStateMachine(isStream: isStream), lastReceived: now)
        locked.keepAlive = options.keepAlive.map(KeepAliveStateMachine.init)
        locked.onEnd = onEnd
        self.locked = Mutex(locked)
    }

    /// Returns the context for an error that happens now.
    func context() -> ClientError.Context {
        ClientError.Context(
            phase: .messages,
            origin: self.origin,
            elapsed: self.start.duration(to: self.clock.now)
        )
    }

    /// Returns the error for sending on a closed WebSocket.
    func closedError() -> ClientError {
        .webSocketClosed(code: self.locked.withLock { $0.received?.code?.rawValue }, self.context())
    }

    // MARK: Closing

    /// Sends a Close frame and ends iteration at once; the rest of the closing handshake runs in the background.
    func close(_ frame: CloseFrame) {
        self.perform(telling: nil, dropsItems: true) { locked in
            let effects = locked.closing.localClose(frame)
            if effects.send != nil { locked.isClosedHere = true }
            return effects
        }
    }

    /// Closes a WebSocket that the caller has released: sends a Close frame with 1001, and closes the connection
    /// without waiting for an answer.
    ///
    /// If a Close frame was sent or received before, the connection stays open until the server ends it, at most for
    /// the close timeout.
    func abandon() {
        let wasOpen = self.locked.withLock { $0.closing.allowsSending }
        self.close((try? CloseFrame(.goingAway)) ?? .empty)
        if wasOpen { self.connection.close() }
    }

    /// Waits until the connection is closed and the reader has ended.
    ///
    /// If the task is cancelled, closes the connection at once.
    func waitForEnd() async {
        let wait = Suspension<Void>()
        let isOver = self.locked.withLock { locked in
            if !locked.isOver { locked.endWaits.append(wait) }
            return locked.isOver
        }
        if isOver { return }
        await withTaskCancellationHandler {
            await wait.wait(onCancel: ())
        } onCancel: {
            self.connection.close()
        }
    }

    /// Ends the WebSocket with an error that this side detected, such as a missing pong.
    func fail(_ error: ClientError) {
        self.perform(telling: error) { $0.closing.connectionFailed() }
    }

    // MARK: What the reader reports

    /// Whether the reader must report each byte as soon as it arrives.
    ///
    /// Keep-alive needs this, because any byte shows that the server is alive.
    var mustHear: Bool { self.options.keepAlive != nil }

    /// Records the time at which bytes arrived.
    func received() {
        guard self.options.keepAlive != nil else { return }
        let now = self.clock.now
        self.locked.withLock { $0.lastReceived = now }
    }

    /// Records whether the reader pauses.
    func pausedReading(_ isPaused: Bool) { self.locked.withLock { $0.isReading = !isPaused } }

    /// Handles the server's Close frame.
    func received(close code: CloseCode?, _ reason: String) {
        self.perform(telling: nil) { locked in
            locked.received = (code, reason)
            return locked.closing.closeReceived(code, reason: reason)
        }
    }

    /// Handles a violation by the server: ends iteration with the error, and sends a Close frame.
    func violated(_ violation: WebSocketViolation) {
        let context = self.context()
        let error: ClientError =
            switch violation {
            case .messageTooLong(let limit), .frameTooLong(let limit): .messageTooLarge(limit: limit, context)
            case .endedWithoutClose: .connectionLost(.closed, context)
            default: .protocolViolation(section: violation.section, reason: violation.reason, context)
            }
        self.perform(telling: error) { locked in
            // If a Close frame is sent now, the connection stays open until the server closes it or the close timeout
            // passes. So the frame has time to arrive.
            var effects = locked.closing.violation(violation.closeCode)
            effects.startsTimeout = effects.send != nil
            effects.closesConnection = effects.send == nil
            return effects
        }
    }

    /// Handles the end of the server's side of the connection.
    func peerEnded() {
        self.perform(telling: .connectionLost(.closed, self.context())) { $0.closing.peerEnded() }
    }

    /// Handles the end of the connection, which has failed or was closed by this side.
    func connectionFailed(_ failure: ConnectionError) {
        self.perform(telling: ClientError(failure, self.context())) { $0.closing.connectionFailed() }
    }

    /// Ends the WebSocket after the reader has ended: closes the connection, cancels the timers, and resumes the tasks
    /// that wait for the end.
    func readerEnded() {
        self.connection.close()
        let (waits, timers, onEnd, end) = self.locked.withLock { locked in
            locked.isOver = true
            defer { locked.endWaits = [] }
            let close = locked.received
            let end = WebSocketEnd(code: close?.code?.rawValue, reason: close?.reason, error: locked.ending ?? nil)
            let timers = [locked.keepAliveTimer.take(), locked.closeTimer.take()]
            return (locked.endWaits, timers, locked.onEnd.take(), end)
        }
        for timer in timers { timer?.cancel() }
        for wait in waits { wait.resume(with: ()) }
        onEnd?(end)
    }

    // MARK: Effects

    /// Passes an event to the closing state machine, performs its effects, and ends iteration.
    ///
    /// The order matters for two reasons. A task that learns of the end, and then reads the close code, must find the
    /// final state. And the reader, which sees the connection close, must not report an error before this method does.
    private func perform(
        telling error: ClientError?,
        dropsItems: Bool = false,
        _ event: (inout Locked) -> ClosingStateMachine.Effects
    ) {
        let (effects, isBroken) = self.locked.withLock { locked in
            let effects = event(&locked)
            if locked.ending == nil { locked.ending = .some(error) }
            guard let frame = effects.send else { return (effects, false) }
            // The Close frame is queued inside the lock, so that no message can be queued after it.
            return (effects, (try? self.connection.enqueue(ByteBuffer(frame, key: locked.key()))) == nil)
        }
        self.queue.end(error, dropsItems: dropsItems)
        if effects.startsTimeout { self.startCloseTimer() }
        if effects.closesConnection || isBroken { self.connection.close() }
        if !self.locked.withLock({ $0.closing.allowsSending }) { self.endSending() }
    }

    private func startCloseTimer() {
        let timer = self.clock.schedule(at: self.clock.now.advanced(by: self.options.closeTimeout)) { [weak self] in
            guard let self else { return }
            self.perform(telling: nil) { $0.closing.closeTimedOut() }
            self.connection.close()
        }
        self.locked.withLock { locked in
            if !locked.isOver { locked.closeTimer = timer }
        }
    }

    /// Resumes the tasks that wait to send or wait for a pong, because nothing more can be sent.
    private func endSending() {
        let waits = self.locked.withLock { locked in
            locked.turns.close()
            return locked.pings.removeAll()
        }
        guard !waits.isEmpty else { return }
        let error = self.closedError()
        for wait in waits { wait.resume(with: .failure(error)) }
    }
}
