// SPDX-License-Identifier: Apache-2.0

/// How a WebSocket came to its end (RFC 6455 §7.1).
public struct ClosingOutcome: Hashable, Sendable {
    /// What ended it.
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
    public init(cause: Cause, received: CloseFrame? = nil, sent: CloseFrame? = nil, isInitiatedByPeer: Bool = false) {
        (self.cause, self.received, self.sent) = (cause, received, sent)
        self.isInitiatedByPeer = isInitiatedByPeer
    }

    /// The WebSocket Connection Close Code (§7.1.5): what the server sent, 1005 if it gave none, else 1006.
    public var code: CloseCode {
        guard let received = self.received else { return .abnormalClosure }
        return received.code ?? .noStatusReceived
    }
}
