// SPDX-License-Identifier: Apache-2.0
public import TernErrors
public import TernWebSocketCore

/// The end of one WebSocket of a ``ReconnectingWebSocket``, or the failure to open it.
public struct WebSocketDisconnection: Sendable {
    /// The error; `nil` if the WebSocket was closed cleanly, or by this side, and `onConnect` did not throw.
    public var error: ClientError?
    /// The code of the server's Close frame, 1005 if it has none, or `nil` if no Close frame arrived.
    public var closeCode: CloseCode?
    /// The reason in the server's Close frame; empty if the server sent no reason.
    public var closeReason: String
    /// The pause before the sequence connects again; `nil` if the sequence ends, or the policy has not decided yet.
    public var retryDelay: Duration?

    package init(
        error: ClientError? = nil,
        closeCode: CloseCode? = nil,
        closeReason: String = "",
        retryDelay: Duration? = nil
    ) {
        self.error = error
        self.closeCode = closeCode
        self.closeReason = closeReason
        self.retryDelay = retryDelay
    }
}
