// SPDX-License-Identifier: Apache-2.0

/// The state of a client's closing handshake (RFC 6455 §7), from open to finished.
///
/// Each method is an event, and returns the effects to perform. The client sends at most one Close frame, and no data
/// after it (§5.5.1). When both sides have sent a Close frame, the client waits for the server to end the connection,
/// at most for the close timeout. This way, the server keeps the TIME_WAIT state of TCP (§7.1.1). A stream of HTTP/2
/// has no such state, so the client ends it as soon as the server has answered the client's Close frame (RFC 8441 §5).
package struct ClosingStateMachine: Sendable {
    /// The effects to perform, in the order of the properties.
    package struct Effects: Hashable, Sendable {
        /// The Close frame to send, after the bytes that are queued already.
        package var send: CloseFrame?
        /// Whether to start the close timeout.
        ///
        /// When the timeout has passed, call ``ClosingStateMachine/closeTimedOut()``.
        package var startsTimeout = false
        /// Whether to close the connection, after the queued bytes have been sent.
        package var closesConnection = false
        /// The outcome of the WebSocket.
        ///
        /// When this property is set, no later event has an effect.
        package var outcome: ClosingOutcome?

        /// Creates effects that do nothing.
        package init() {}
    }

    private enum State: Sendable {
        /// No Close frame was sent or received. Exits: all other states.
        case open
        /// This side sent a Close frame, and waits for the server's Close frame. Exits: `exchanged`, `finished`.
        case sent(CloseFrame)
        /// Both sides sent a Close frame, and this side waits for the server to end the connection. Exit: `finished`.
        case exchanged(ClosingOutcome)
        /// The WebSocket has ended; nothing more happens.
        case finished(ClosingOutcome)
    }

    private var state = State.open
    /// Whether the connection is a stream of HTTP/2.
    private let isStream: Bool

    /// Creates the machine for a connection that has just been opened.
    ///
    /// - Parameter isStream: Whether the connection is a stream of HTTP/2. Defaults to `false`.
    package init(isStream: Bool = false) { self.isStream = isStream }

    /// Whether data frames and pings may be sent.
    ///
    /// Data frames and pings may be sent until a Close frame is sent or received (RFC 6455 §5.5.1).
    package var allowsSending: Bool {
        if case .open = self.state { true } else { false }
    }

    /// The outcome of the WebSocket, or `nil` while it is open or waits for the server's Close frame.
    package var outcome: ClosingOutcome? {
        switch self.state {
        case .open, .sent: nil
        case .exchanged(let outcome), .finished(let outcome): outcome
        }
    }

    // MARK: Events

    /// Records that the caller closes the WebSocket.
    ///
    /// Does nothing if the WebSocket is closing already.
    package mutating func localClose(_ frame: CloseFrame) -> Effects {
        guard case .open = self.state else { return Effects() }
        self.state = .sent(frame)
        var effects = Effects()
        (effects.send, effects.startsTimeout) = (frame, true)
        return effects
    }

    /// Handles the server's Close frame.
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
            if self.isStream { return self.finish(.closed) }
        case .exchanged, .finished: break
        }
        return effects
    }

    /// Records that the server ended its side of the connection.
    package mutating func peerEnded() -> Effects { self.finish(.endedByPeer) }

    /// Records that the close timeout has passed.
    package mutating func closeTimedOut() -> Effects {
        // §7.1.1: in abnormal cases, such as no TCP Close after a reasonable time, a client may close the connection.
        self.finish(.closeTimedOut)
    }

    /// Records that the connection failed.
    ///
    /// From then on, the client can send and receive nothing.
    package mutating func connectionFailed() -> Effects { self.finish(.connectionFailed) }

    /// Records that the server broke a rule (RFC 6455 §7.1.7, Fail the WebSocket Connection).
    ///
    /// - Parameter code: The close code for the rule, such as ``WebSocketViolation/closeCode``. A code that is not
    ///   valid on the wire is not sent.
    /// - Returns: Effects that close the connection. If no Close frame was sent before, they also send the code.
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
    /// If both sides have sent a Close frame before, the cause stays `closed`.
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

/// A record of how a WebSocket ended: the cause and the Close frames (RFC 6455 §7.1).
public struct ClosingOutcome: Hashable, Sendable {
    /// The cause of the end.
    @nonexhaustive
    public enum Cause: Hashable, Sendable {
        /// Both sides sent a Close frame: the WebSocket was closed cleanly (RFC 6455 §7.1.4).
        case closed
        /// This side sent a Close frame, but the server's Close frame did not arrive within the close timeout.
        case closeTimedOut
        /// The server ended the connection without a Close frame.
        case endedByPeer
        /// The connection failed.
        case connectionFailed
        /// The server broke a rule (RFC 6455 §7.1.7); the close code names the kind of violation.
        case violation(CloseCode)
    }

    /// The cause of the end.
    public var cause: Cause
    /// The server's Close frame, or `nil` if no Close frame arrived.
    public var received: CloseFrame?
    /// The Close frame that this side sent, or `nil` if it sent no Close frame.
    public var sent: CloseFrame?
    /// Whether the server's Close frame arrived before this side sent one.
    public var isInitiatedByPeer: Bool

    /// Creates an outcome.
    package init(cause: Cause, received: CloseFrame? = nil, sent: CloseFrame? = nil, isInitiatedByPeer: Bool = false) {
        (self.cause, self.received, self.sent) = (cause, received, sent)
        self.isInitiatedByPeer = isInitiatedByPeer
    }

    /// The code of the server's Close frame: 1005 if the frame had no code, and 1006 if no Close frame arrived (RFC
    /// 6455 §7.1.5).
    public var code: CloseCode {
        guard let received = self.received else { return .abnormalClosure }
        return received.code ?? .noStatusReceived
    }
}
