// SPDX-License-Identifier: Apache-2.0

/// The closing handshake of a client (RFC 6455 §7), from open to ended.
///
/// Each method is something that happened and returns what to do. At most one Close frame is ever sent, and no data after
/// it (§5.5.1). Once both sides have sent one, it waits for the server to end the connection, so that the server holds no
/// TIME_WAIT (§7.1.1), but no longer than the close timeout.
package struct ClosingStateMachine: Sendable {
    /// What to do, in the order of the properties.
    package struct Effects: Hashable, Sendable {
        /// The Close frame to send, behind all that was to be sent before.
        package var send: CloseFrame?
        /// Whether to start the close timeout, at whose end ``ClosingStateMachine/closeTimedOut()`` must be called.
        package var startsTimeout = false
        /// Whether to close the connection, once what is to be sent was sent.
        package var closesConnection = false
        /// How it ended; it is over with this, and no effects follow.
        package var outcome: ClosingOutcome?

        /// Nothing to do.
        package init() {}
    }

    private enum State: Sendable {
        /// No Close frame was sent or received. Exits: all others.
        case open
        /// A Close frame was sent, none has come. Exits: `exchanged`, `finished`.
        case sent(CloseFrame)
        /// Both were; the server has to end the connection. Exit: `finished`.
        case exchanged(ClosingOutcome)
        /// It is over; nothing more happens.
        case finished(ClosingOutcome)
    }

    private var state = State.open

    /// Creates the machine of a connection that was just opened.
    package init() {}

    /// Whether data frames may be sent (§5.5.1: not after a Close frame), and pings.
    package var allowsSending: Bool {
        if case .open = self.state { true } else { false }
    }

    /// How the WebSocket ended, once that is certain: nothing changes it after both Close frames were exchanged.
    package var outcome: ClosingOutcome? {
        switch self.state {
        case .open, .sent: nil
        case .exchanged(let outcome), .finished(let outcome): outcome
        }
    }

    // MARK: Events

    /// The caller closes the WebSocket; nothing to do if it is closing already.
    package mutating func localClose(_ frame: CloseFrame) -> Effects {
        guard case .open = self.state else { return Effects() }
        self.state = .sent(frame)
        var effects = Effects()
        (effects.send, effects.startsTimeout) = (frame, true)
        return effects
    }

    /// The server's Close frame came.
    package mutating func closeReceived(_ code: CloseCode?, reason: String) -> Effects {
        let received = CloseFrame(received: code, reason: reason)
        var effects = Effects()
        switch self.state {
        case .open:
            // §5.5.1: an endpoint that has not sent a Close frame answers with one, which typically echoes the code.
            let answer = CloseFrame(received: code, reason: "")
            (effects.send, effects.startsTimeout) = (answer, true)
            self.state = .exchanged(
                ClosingOutcome(cause: .closed, received: received, sent: answer, isInitiatedByPeer: true)
            )
        case .sent(let sent):
            self.state = .exchanged(ClosingOutcome(cause: .closed, received: received, sent: sent))
        case .exchanged, .finished: break
        }
        return effects
    }

    /// The server ended its side of the connection.
    package mutating func peerEnded() -> Effects { self.finish(.endedByPeer) }

    /// The close timeout is over.
    package mutating func closeTimedOut() -> Effects {
        // §7.1.1: in abnormal cases, such as no TCP Close after a reasonable time, a client may close the connection.
        self.finish(.closeTimedOut)
    }

    /// The connection failed: nothing can be sent or received any more.
    package mutating func connectionFailed() -> Effects { self.finish(.connectionFailed) }

    /// The server broke a rule (§7.1.7, Fail the WebSocket Connection).
    ///
    /// - Parameter code: the code to tell it, such as ``WebSocketViolation/closeCode``; none is sent if it is not valid on
    ///   the wire.
    /// - Returns: to send the code, unless a Close frame was sent before, and to close the connection.
    package mutating func violation(_ code: CloseCode) -> Effects {
        var effects = Effects()
        var sent: CloseFrame?
        switch self.state {
        case .open:
            // The frame should be sent; then the connection is closed without waiting for an answer.
            if code.isValidOnWire { sent = CloseFrame(received: code, reason: "") }
            effects.send = sent
        case .sent(let frame): sent = frame
        case .exchanged, .finished: return self.finish(.violation(code))
        }
        let outcome = ClosingOutcome(cause: .violation(code), sent: sent)
        self.state = .finished(outcome)
        (effects.closesConnection, effects.outcome) = (true, outcome)
        return effects
    }

    // MARK: The end

    /// Ends it for a cause, unless both Close frames were exchanged: then it was closed, whatever comes after.
    private mutating func finish(_ cause: ClosingOutcome.Cause) -> Effects {
        let outcome: ClosingOutcome
        switch self.state {
        case .open: outcome = ClosingOutcome(cause: cause)
        case .sent(let sent): outcome = ClosingOutcome(cause: cause, sent: sent)
        case .exchanged(let exchanged): outcome = exchanged
        case .finished: return Effects()
        }
        self.state = .finished(outcome)
        var effects = Effects()
        (effects.closesConnection, effects.outcome) = (true, outcome)
        return effects
    }
}

/// How a WebSocket came to its end (RFC 6455 §7.1).
public struct ClosingOutcome: Hashable, Sendable {
    /// What ended it.
    @nonexhaustive
    public enum Cause: Hashable, Sendable {
        /// Both sides sent a Close frame: it was closed cleanly (§7.1.4).
        case closed
        /// This side sent a Close frame, but no answer came in time.
        case closeTimedOut
        /// The server ended the connection without a Close frame.
        case endedByPeer
        /// The connection failed.
        case connectionFailed
        /// The server broke a rule, for which it was told this code (§7.1.7).
        case violation(CloseCode)
    }

    /// What ended it.
    public var cause: Cause
    /// The server's Close frame; `nil` if none came.
    public var received: CloseFrame?
    /// The Close frame that this side sent; `nil` if it sent none.
    public var sent: CloseFrame?
    /// Whether the server's Close frame came before this side sent one.
    public var isInitiatedByPeer: Bool

    /// Creates an outcome.
    package init(cause: Cause, received: CloseFrame? = nil, sent: CloseFrame? = nil, isInitiatedByPeer: Bool = false) {
        (self.cause, self.received, self.sent) = (cause, received, sent)
        self.isInitiatedByPeer = isInitiatedByPeer
    }

    /// The WebSocket Connection Close Code (§7.1.5): what the server sent, 1005 if it gave none, else 1006.
    public var code: CloseCode {
        guard let received = self.received else { return .abnormalClosure }
        return received.code ?? .noStatusReceived
    }
}
