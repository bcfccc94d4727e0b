// SPDX-License-Identifier: Apache-2.0

/// The state of a client's closing handshake (RFC 6455 §7).
///
/// The client sends at most one Close frame, and no data after it (§5.5.1). When both sides have sent one, the client waits for the
/// server to end the connection, at most for the close timeout, so that TCP's TIME_WAIT stays at the server (§7.1.1). The client
/// itself ends a stream of HTTP/2 when the server has answered the client's Close frame (RFC 8441 §5).
package struct ClosingStateMachine: Sendable {
    package struct Effects: Hashable, Sendable {
        package var send: CloseFrame?
        /// Whether to call ``ClosingStateMachine/closeTimedOut()`` after the close timeout.
        package var startsTimeout = false
        package var closesConnection = false
        package var outcome: ClosingOutcome?

        package init() {}
    }

    private enum State: Sendable {
        /// No Close frame was sent or received.
        case open
        /// This side sent a Close frame. Ends when the server's Close frame arrives, or the WebSocket ends.
        case sent(CloseFrame)
        /// Both sides sent a Close frame. Ends with the connection, for example after the close timeout.
        case exchanged(ClosingOutcome)
        case finished(ClosingOutcome)
    }

    private var state = State.open
    private let isStream: Bool

    package init(isStream: Bool = false) { self.isStream = isStream }

    /// Whether this side may send data frames and pings: until a Close frame is sent or received (RFC 6455 §5.5.1), or the end.
    package var allowsSending: Bool {
        if case .open = self.state { true } else { false }
    }

    package var outcome: ClosingOutcome? {
        switch self.state {
        case .open, .sent: nil
        case .exchanged(let outcome), .finished(let outcome): outcome
        }
    }

    // MARK: Events

    package mutating func localClose(_ frame: CloseFrame) -> Effects {
        guard case .open = self.state else { return Effects() }
        self.state = .sent(frame)
        var effects = Effects()
        (effects.send, effects.startsTimeout) = (frame, true)
        return effects
    }

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

    package mutating func peerEnded() -> Effects { self.finish(.endedByPeer) }

    package mutating func closeTimedOut() -> Effects {
        // §7.1.1: in abnormal cases, such as no TCP Close after a reasonable time, a client may close the connection.
        self.finish(.closeTimedOut)
    }

    package mutating func connectionFailed() -> Effects { self.finish(.connectionFailed) }

    /// Records that the server broke a rule (RFC 6455 §7.1.7); a code that is not valid on the wire is not sent.
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
        /// A Close frame arrived, and this side sent or tried to send one: the WebSocket was closed cleanly (RFC 6455 §7.1.4).
        case closed
        /// The server did not answer this side's Close frame within the close timeout.
        case closeTimedOut
        /// The server ended the connection, or stream, without a Close frame.
        case endedByPeer
        /// The connection failed, the server was silent or accepted no bytes, or this side closed without waiting for the server.
        case connectionFailed
        /// The server broke a rule (RFC 6455 §7.1.7) or a limit, or this side could not inflate a message; the code tells which.
        case violation(CloseCode)
    }

    /// The cause of the end.
    public var cause: Cause
    /// The server's Close frame, or `nil` if no valid one arrived before the end.
    public var received: CloseFrame?
    /// The Close frame that this side sent or tried to send; otherwise `nil`.
    public var sent: CloseFrame?
    /// Whether a valid Close frame arrived before this side sent one.
    public var isInitiatedByPeer: Bool

    package init(cause: Cause, received: CloseFrame? = nil, sent: CloseFrame? = nil, isInitiatedByPeer: Bool = false) {
        (self.cause, self.received, self.sent) = (cause, received, sent)
        self.isInitiatedByPeer = isInitiatedByPeer
    }

    /// The code of ``received``, 1005 if it has none, or 1006 if ``received`` is `nil` (RFC 6455 §7.1.5).
    public var code: CloseCode {
        guard let received = self.received else { return .abnormalClosure }
        return received.code ?? .noStatusReceived
    }
}
