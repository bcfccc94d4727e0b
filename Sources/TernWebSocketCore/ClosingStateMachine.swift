// SPDX-License-Identifier: Apache-2.0

/// The closing handshake of a client (RFC 6455 §7), from open to finished.
///
/// Each method is an event and returns what to do. The machine sends at most one Close frame, and no data after it
/// (§5.5.1). Once both sides have sent one, it waits for the server to end the connection, so that the TIME_WAIT state
/// stays with the server (§7.1.1), but no longer than the close timeout.
package struct ClosingStateMachine: Sendable {
    /// The effects to perform, in the order of the properties.
    package struct Effects: Hashable, Sendable {
        /// The Close frame to send, after everything that is queued already.
        package var send: CloseFrame?
        /// Whether to start the close timeout.
        ///
        /// When it ends, call ``ClosingStateMachine/closeTimedOut()``.
        package var startsTimeout = false
        /// Whether to close the connection, once everything queued has been sent.
        package var closesConnection = false
        /// The outcome of the WebSocket.
        ///
        /// Once this is set, no more effects follow.
        package var outcome: ClosingOutcome?

        /// Creates effects that do nothing.
        package init() {}
    }

    private enum State: Sendable {
        /// No Close frame was sent or received. Exits: all others.
        case open
        /// A Close frame was sent, none was received. Exits: `exchanged`, `finished`.
        case sent(CloseFrame)
        /// Both sides sent a Close frame; the server has to end the connection. Exit: `finished`.
        case exchanged(ClosingOutcome)
        /// The WebSocket has ended; nothing more happens.
        case finished(ClosingOutcome)
    }

    private var state = State.open

    /// Creates the machine for a connection that has just been opened.
    package init() {}

    /// Whether data frames and pings may be sent: only until a Close frame is sent or received (§5.5.1).
    package var allowsSending: Bool {
        if case .open = self.state { true } else { false }
    }

    /// The outcome of the WebSocket, once it is certain: after both Close frames were exchanged nothing changes it.
    package var outcome: ClosingOutcome? {
        switch self.state {
        case .open, .sent: nil
        case .exchanged(let outcome), .finished(let outcome): outcome
        }
    }

    // MARK: Events

    /// The caller closes the WebSocket.
    ///
    /// Does nothing if it is closing already.
    package mutating func localClose(_ frame: CloseFrame) -> Effects {
        guard case .open = self.state else { return Effects() }
        self.state = .sent(frame)
        var effects = Effects()
        (effects.send, effects.startsTimeout) = (frame, true)
        return effects
    }

    /// The server's Close frame arrived.
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

    /// The close timeout has ended.
    package mutating func closeTimedOut() -> Effects {
        // §7.1.1: in abnormal cases, such as no TCP Close after a reasonable time, a client may close the connection.
        self.finish(.closeTimedOut)
    }

    /// The connection failed; nothing more can be sent or received.
    package mutating func connectionFailed() -> Effects { self.finish(.connectionFailed) }

    /// The server broke a rule (§7.1.7, Fail the WebSocket Connection).
    ///
    /// - Parameter code: The code to send, such as ``WebSocketViolation/closeCode``. No frame is sent if the code is
    ///   not valid on the wire.
    /// - Returns: Effects that send the code, unless a Close frame was sent before, and close the connection.
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

    /// Ends the WebSocket for a cause.
    ///
    /// If both Close frames were exchanged, the cause is `closed`, whatever happens later.
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

/// The outcome of a WebSocket (RFC 6455 §7.1).
public struct ClosingOutcome: Hashable, Sendable {
    /// The cause of the end.
    @nonexhaustive
    public enum Cause: Hashable, Sendable {
        /// Both sides sent a Close frame: the WebSocket was closed cleanly (§7.1.4).
        case closed
        /// This side sent a Close frame, but no answer arrived in time.
        case closeTimedOut
        /// The server ended the connection without a Close frame.
        case endedByPeer
        /// The connection failed.
        case connectionFailed
        /// The server broke a rule; this is the code for it (§7.1.7).
        case violation(CloseCode)
    }

    /// The cause of the end.
    public var cause: Cause
    /// The server's Close frame; `nil` if none arrived.
    public var received: CloseFrame?
    /// The Close frame that this side sent; `nil` if it sent none.
    public var sent: CloseFrame?
    /// Whether the server's Close frame arrived before this side sent one.
    public var isInitiatedByPeer: Bool

    /// Creates an outcome.
    package init(cause: Cause, received: CloseFrame? = nil, sent: CloseFrame? = nil, isInitiatedByPeer: Bool = false) {
        (self.cause, self.received, self.sent) = (cause, received, sent)
        self.isInitiatedByPeer = isInitiatedByPeer
    }

    /// The WebSocket Connection Close Code (§7.1.5): the server's code, 1005 if its frame had none, or 1006 without a
    /// frame.
    public var code: CloseCode {
        guard let received = self.received else { return .abnormalClosure }
        return received.code ?? .noStatusReceived
    }
}
