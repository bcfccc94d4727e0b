// SPDX-License-Identifier: Apache-2.0
package import TernErrors
import TernWebSocketCore

/// The end of a WebSocket, once it has begun: the event that began it, and the state of the closing handshake.
struct WebSocketEnding: Sendable {
    enum Event: Sendable {
        case closed(CloseFrame)
        /// The application released the WebSocket.
        case released(CloseFrame)
        /// A message of this side cannot be completed, so that no other message can follow it.
        case sendFailed(CloseFrame)
        case closeReceived(CloseCode?, reason: String)
        /// The decoder failed; the code is for the server, and the error for the application.
        case violated(CloseCode, ClientError)
        case peerEnded(ClientError)
        /// The connection failed, was closed by this side, or counts as failed: the server is silent or accepts no bytes.
        case failed(ClientError)

        /// Whether the application no longer wants messages.
        var isByApplication: Bool {
            switch self {
            case .closed, .released: true
            case .sendFailed, .closeReceived, .violated, .peerEnded, .failed: false
            }
        }
    }

    private enum Cause {
        case closedHere
        case closedByServer
        case failed(ClientError)
    }

    private let cause: Cause
    /// The server's Close frame, which may arrive after the outcome is certain.
    private(set) var received: CloseFrame?
    private var closing: ClosingStateMachine

    static func begun(
        by event: Event,
        isStream: Bool
    ) -> (ending: WebSocketEnding, effects: ClosingStateMachine.Effects) {
        var ending = WebSocketEnding(Self.cause(of: event), ClosingStateMachine(isStream: isStream))
        let effects = ending.happened(event)
        return (ending, effects)
    }

    private init(_ cause: Cause, _ closing: ClosingStateMachine) { (self.cause, self.closing) = (cause, closing) }

    private static func cause(of event: Event) -> Cause {
        switch event {
        case .closed, .released, .sendFailed: .closedHere
        case .closeReceived: .closedByServer
        case .violated(_, let error), .peerEnded(let error), .failed(let error): .failed(error)
        }
    }

    var isClosedHere: Bool {
        if case .closedHere = self.cause { true } else { false }
    }

    var error: ClientError? {
        if case .failed(let error) = self.cause { error } else { nil }
    }

    var outcome: ClosingOutcome? { self.closing.outcome }

    mutating func happened(_ event: Event) -> ClosingStateMachine.Effects {
        switch event {
        case .closed(let frame), .sendFailed(let frame): return self.closing.localClose(frame)
        case .released(let frame):
            // A connection that is closing already stays open until the server ends it or the close timeout passes.
            var effects = self.closing.localClose(frame)
            if effects.send != nil { (effects.startsTimeout, effects.closesConnection) = (false, true) }
            return effects
        case .closeReceived(let code, let reason):
            if self.received == nil { self.received = CloseFrame(received: code, reason: reason) }
            return self.closing.closeReceived(code, reason: reason)
        case .violated(let code, _):
            // A Close frame that is sent now gets time to arrive: the connection stays open until the server closes it or the
            // close timeout passes.
            var effects = self.closing.violation(code)
            if effects.send != nil { (effects.startsTimeout, effects.closesConnection) = (true, false) }
            return effects
        case .peerEnded: return self.closing.peerEnded()
        case .failed: return self.closing.connectionFailed()
        }
    }

    /// Records that the close timeout has passed, so that the connection must be closed, even with a known outcome.
    mutating func timedOut() { _ = self.closing.closeTimedOut() }
}

/// A record of how a WebSocket ended: the server's close code and reason, and the error.
package struct WebSocketEnd: Sendable {
    /// `nil` if no Close frame arrived, or if the frame has no code (RFC 6455 §7.1.5).
    package let code: UInt16?
    package let reason: String?
    package let error: ClientError?

    init(_ ending: WebSocketEnding) {
        self.code = ending.received?.code?.rawValue
        self.reason = ending.received?.reason
        self.error = ending.error
    }
}
