// SPDX-License-Identifier: Apache-2.0
import DequeModule
import NIOCore
import TernConnections
import TernErrors
import TernWebSocketCore

/// Decides how long a WebSocket is open, how it ends, and what may be sent until then.
///
/// Each method is an event, and returns what ``WebSocketDriver`` must do. The WebSocket leaves `open` once, whatever
/// happens at the same time: in that moment the messages end, and everything that waits to be sent. No later event can
/// end them in another way.
///
/// The parts of an open WebSocket have their own types: whose turn it is to send (``SendTurns``), which pings wait for
/// a pong (``PingLedger``), which pings of the server wait for room (``PongStateMachine``), and whether the server is
/// alive (``KeepAliveStateMachine``). They are asked only while the WebSocket is open.
struct WebSocketStateMachine: Sendable {
    /// A task's wait for the end of the WebSocket.
    typealias EndWait = Suspension<Void>

    /// A frame that the machine decides to send.
    enum ControlFrame: Equatable, Sendable {
        case close(CloseFrame)
        /// A ping of keep-alive; any byte of the server answers it.
        case ping
    }

    /// The end of the messages.
    enum MessagesEnd: Sendable {
        /// No more messages arrive. Those that have arrived are delivered, and then the error, if there is one.
        case ended(ClientError?)
        /// This side closed: messages, and an error, that no task has received are dropped.
        case dropped
    }

    /// A task's right to send a message that needs a turn.
    enum Turn: Sendable {
        /// The task has the turn.
        case granted
        /// Another task has the turn: wait.
        case wait(SendTurns.Waiter)
        /// Nothing more can be sent.
        case closed
    }

    /// The effects to perform, in the order of the properties.
    struct Effects: Sendable {
        /// The frame to queue before the lock is released, so that no message can be queued after a Close frame.
        var send: ControlFrame?
        /// The end of the messages, for the queue.
        var messages: MessagesEnd?
        /// The instant at which to call ``WebSocketStateMachine/timerFired(now:_:)``; replaces an earlier instant.
        var armTimer: ClockInstant?
        /// Whether to close the connection.
        var closesConnection = false
        /// The tasks that wait for their turn to send, to resume with `.closed`.
        var senders = Deque<SendTurns.Waiter>()
        /// The waits for pongs, to fail because the WebSocket is closed.
        var pings: [PingLedger.Wait] = []
        /// The tasks that wait for the end, to resume.
        var endWaits: [EndWait] = []
        /// The record of the end, to report once.
        var end: WebSocketEnd?
    }

    /// The rest of the life of a WebSocket that ends.
    private struct Remainder {
        /// The instant at which to close the connection without waiting longer; `nil` if it is closed already.
        var deadline: ClockInstant?
        /// The tasks that wait for the end.
        var waits: [EndWait] = []
    }

    // Indirect, so that the check before each message compares one word.
    private indirect enum State {
        /// Both sides may send. Exit: `ending`.
        case open
        /// One side has closed, or the WebSocket has failed, and the reader has not ended yet. Exit: `over`.
        case ending(WebSocketEnding, Remainder)
        /// The connection is closed and the reader has ended. This state never ends.
        case over(WebSocketEnding)
    }

    private var state = State.open
    private var turns = SendTurns()
    private var pings = PingLedger()
    private var pongs = PongStateMachine()
    private(set) var keepAlive: KeepAliveStateMachine
    private let isStream: Bool
    private let closeTimeout: Duration

    /// Creates the machine of a WebSocket that has just been opened.
    ///
    /// - Parameters:
    ///   - keepAlive: The settings of keep-alive, or `nil` for none.
    ///   - closeTimeout: The time the server may take to answer a close and to end the connection.
    ///   - isStream: Whether the connection is a stream of HTTP/2.
    ///   - now: The current instant.
    init(keepAlive: WebSocketKeepAlive?, closeTimeout: Duration, isStream: Bool, now: ClockInstant) {
        self.keepAlive = KeepAliveStateMachine(keepAlive, now: now)
        (self.closeTimeout, self.isStream) = (closeTimeout, isStream)
    }

    // MARK: The end

    /// Whether data frames, pings and pongs may be sent (RFC 6455 §5.5.1).
    var allowsSending: Bool {
        if case .open = self.state { true } else { false }
    }

    /// The end of the WebSocket; `nil` while it is open.
    var ending: WebSocketEnding? {
        switch self.state {
        case .open: nil
        case .ending(let ending, _), .over(let ending): ending
        }
    }

    /// The instant at which the timer must fire; `nil` when no timer is needed.
    var armedInstant: ClockInstant? {
        switch self.state {
        case .open: self.keepAlive.armedInstant
        case .ending(_, let remainder): remainder.deadline
        case .over: nil
        }
    }

    /// Handles an event that ends the WebSocket, or brings its end closer.
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

    /// Handles a close by a task that waits for the end.
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

    /// Handles the firing of the timer: while the WebSocket is open, that of keep-alive, and then that of the close
    /// timeout.
    ///
    /// - Parameters:
    ///   - now: The current instant.
    ///   - context: The context for an error.
    /// - Returns: The effects.
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

    /// Records that bytes have arrived.
    mutating func received(at now: ClockInstant) { self.keepAlive.received(at: now) }

    /// Records that the reader pauses, or that it reads again.
    mutating func readerPaused(_ isPaused: Bool) { self.keepAlive.readerPaused(isPaused) }

    // MARK: Messages

    /// Whether a short message may be sent at once, because no task has the turn.
    var isTurnFree: Bool { self.turns.isFree }

    /// Handles a task that wants to send a message that needs a turn.
    mutating func turnRequested() -> Turn {
        guard self.allowsSending else { return .closed }
        guard let waiter = self.turns.take() else { return .granted }
        return .wait(waiter)
    }

    /// Handles the end of a turn, and returns the next task; see ``SendTurns/release()``.
    mutating func turnEnded() -> SendTurns.Waiter? { self.turns.release() }

    // MARK: Pings

    /// Records a ping of this side, and returns its number; `nil` if it cannot be sent.
    mutating func pingRequested(_ wait: PingLedger.Wait) -> UInt64? { self.allowsSending ? self.pings.add(wait) : nil }

    /// Records that the task of a ping no longer waits.
    mutating func pingEnded(_ number: UInt64) { self.pings.remove(number) }

    /// Handles a pong, and returns the waits that it ends; see ``PingLedger/answered(_:)``.
    mutating func pongReceived(_ number: UInt64) -> [PingLedger.Wait] { self.pings.answered(number) }

    /// Handles a ping of the server; see ``PongStateMachine/pinged(_:)``.
    mutating func pinged(_ payload: ByteBuffer) -> ByteBuffer? { self.allowsSending ? self.pongs.pinged(payload) : nil }

    /// Records that a pong was queued; see ``PongStateMachine/queued(hasRoom:)``.
    mutating func pongQueued(hasRoom: Bool) -> Bool { self.pongs.queued(hasRoom: hasRoom) }

    /// Records that the send buffer has room again; see ``PongStateMachine/roomCame()``.
    mutating func roomCame() -> ByteBuffer? {
        let latest = self.pongs.roomCame()
        return self.allowsSending ? latest : nil
    }
}
