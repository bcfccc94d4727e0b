// SPDX-License-Identifier: Apache-2.0
import DequeModule
import NIOCore
import TernConnections
import TernErrors
import TernWebSocketCore

/// Decides how long a WebSocket is open, how it ends, and what may be sent until then; ``WebSocketDriver`` performs the effects.
///
/// The WebSocket leaves `open` once. In that moment, the messages end, and all tasks that wait to send fail.
struct WebSocketStateMachine: Sendable {
    typealias EndWait = Suspension<Void>

    enum ControlFrame: Equatable, Sendable {
        case close(CloseFrame)
        /// A ping of keep-alive; any byte of the server answers it.
        case ping
    }

    enum MessagesEnd: Sendable {
        /// Tasks still receive the messages that have arrived, and then the error or `nil`.
        case ended(ClientError?)
        /// The application closed or released the WebSocket: the messages that no task has received are dropped.
        case dropped
    }

    enum Turn: Sendable {
        case granted
        case wait(SendTurns.Waiter)
        case closed
    }

    /// The effects to perform, in the order of the properties.
    struct Effects: Sendable {
        /// Queued before the lock is released, so that no message can be queued after a Close frame.
        var send: ControlFrame?
        var messages: MessagesEnd?
        /// When to call ``WebSocketStateMachine/timerFired(now:_:)``; replaces an earlier instant.
        var armTimer: ClockInstant?
        var closesConnection = false
        var senders = Deque<SendTurns.Waiter>()
        var pings: [PingLedger.Wait] = []
        var endWaits: [EndWait] = []
        var end: WebSocketEnd?
    }

    private struct Remainder {
        /// The instant at which to close the connection without waiting longer; `nil` if it is closed already.
        var deadline: ClockInstant?
        var waits: [EndWait] = []
    }

    // Indirect, so that the check before each message compares one word.
    private indirect enum State {
        /// Both sides may send. Ends with `ending`.
        case open
        /// One side has closed, or the WebSocket has failed. Ends when the reader has ended.
        case ending(WebSocketEnding, Remainder)
        /// The connection is closed and the reader has ended. This state is final.
        case over(WebSocketEnding)
    }

    private var state = State.open
    private var turns = SendTurns()
    private var pings = PingLedger()
    private var pongs = PongStateMachine()
    private(set) var keepAlive: KeepAliveStateMachine
    private let isStream: Bool
    private let closeTimeout: Duration

    /// Creates the machine of a WebSocket that has just been opened, perhaps on a stream of HTTP/2.
    init(keepAlive: WebSocketKeepAlive?, closeTimeout: Duration, isStream: Bool, now: ClockInstant) {
        self.keepAlive = KeepAliveStateMachine(keepAlive, now: now)
        (self.closeTimeout, self.isStream) = (closeTimeout, isStream)
    }

    // MARK: The end

    /// Whether data frames, pings and pongs may be sent (RFC 6455 §5.5.1).
    var allowsSending: Bool {
        if case .open = self.state { true } else { false }
    }

    var ending: WebSocketEnding? {
        switch self.state {
        case .open: nil
        case .ending(let ending, _), .over(let ending): ending
        }
    }

    var armedInstant: ClockInstant? {
        switch self.state {
        case .open: self.keepAlive.armedInstant
        case .ending(_, let remainder): remainder.deadline
        case .over: nil
        }
    }

    mutating func happened(_ event: WebSocketEnding.Event, now: ClockInstant) -> Effects {
        var effects = Effects(messages: event.isByApplication ? .dropped : nil)
        let (ending, closing): (WebSocketEnding, ClosingStateMachine.Effects)
        var remainder = Remainder()
        var isClosed = false
        switch self.state {
        case .open:
            (ending, closing) = WebSocketEnding.begun(by: event, isStream: self.isStream)
            if effects.messages == nil { effects.messages = .ended(ending.error) }
            (effects.senders, effects.pings) = (self.turns.close(), self.pings.removeAll())
        case .ending(var begun, let left):
            closing = begun.happened(event)
            (ending, remainder, isClosed) = (begun, left, left.deadline == nil)
        case .over: return effects
        }
        if closing.startsTimeout {
            remainder.deadline = now.advanced(by: self.closeTimeout)
            effects.armTimer = remainder.deadline
        }
        if closing.closesConnection { remainder.deadline = nil }
        self.state = .ending(ending, remainder)
        effects.send = closing.send.map { .close($0) }
        effects.closesConnection = closing.closesConnection && !isClosed
        return effects
    }

    mutating func closed(_ frame: CloseFrame, awaitedBy wait: EndWait, now: ClockInstant) -> Effects {
        var effects = self.happened(.closed(frame), now: now)
        if case .ending(let ending, var remainder) = self.state {
            remainder.waits.append(wait)
            self.state = .ending(ending, remainder)
        } else {
            effects.endWaits.append(wait)
        }
        return effects
    }

    /// Handles the end of the reader, which has reported the end of the connection before.
    mutating func readerEnded() -> Effects {
        guard case .ending(let ending, let remainder) = self.state else {
            unreachable("readerEnded", in: "\(self.state)")
        }
        self.state = .over(ending)
        return Effects(endWaits: remainder.waits, end: WebSocketEnd(ending))
    }

    // MARK: The clock

    /// Handles the timer: of keep-alive while the WebSocket is open, and then of the close timeout.
    mutating func timerFired(now: ClockInstant, _ context: ClientError.Context) -> Effects {
        switch self.state {
        case .open:
            switch self.keepAlive.timerFired(now: now) {
            case .wait(let instant)?: return Effects(armTimer: instant)
            case .ping(let instant)?: return Effects(send: .ping, armTimer: instant)
            case .giveUp?:
                return self.happened(.failed(.timedOut(.pong, limit: self.keepAlive.timeout, context)), now: now)
            case nil: return Effects()
            }
        case .ending(var ending, var remainder):
            guard let deadline = remainder.deadline else { return Effects() }
            guard deadline <= now else { return Effects(armTimer: deadline) }
            ending.timedOut()
            remainder.deadline = nil
            self.state = .ending(ending, remainder)
            return Effects(closesConnection: true)
        case .over: return Effects()
        }
    }

    mutating func received(at now: ClockInstant) { self.keepAlive.received(at: now) }

    mutating func readerPaused(_ isPaused: Bool) { self.keepAlive.readerPaused(isPaused) }

    // MARK: Messages

    /// Whether a short message may be sent at once, because no task has the turn.
    var isTurnFree: Bool { self.turns.isFree }

    mutating func turnRequested() -> Turn {
        guard self.allowsSending else { return .closed }
        guard let waiter = self.turns.take() else { return .granted }
        return .wait(waiter)
    }

    mutating func turnEnded() -> SendTurns.Waiter? { self.turns.release() }

    // MARK: Pings

    mutating func pingRequested(_ wait: PingLedger.Wait) -> UInt64? { self.allowsSending ? self.pings.add(wait) : nil }

    mutating func pingEnded(_ number: UInt64) { self.pings.remove(number) }

    mutating func pongReceived(_ number: UInt64) -> [PingLedger.Wait] { self.pings.answered(number) }

    mutating func pinged(_ payload: ByteBuffer) -> ByteBuffer? { self.allowsSending ? self.pongs.pinged(payload) : nil }

    mutating func pongQueued(hasRoom: Bool) -> Bool { self.pongs.queued(hasRoom: hasRoom) }

    mutating func roomCame() -> ByteBuffer? {
        let latest = self.pongs.roomCame()
        return self.allowsSending ? latest : nil
    }
}
