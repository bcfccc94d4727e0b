// SPDX-License-Identifier: Apache-2.0
public import TernErrors
public import TernWebSocketCore

/// How one WebSocket of a ``ReconnectingWebSocket`` ended, or could not be opened.
public struct WebSocketDisconnection: Sendable {
    /// What went wrong; `nil` if the WebSocket was closed in order.
    public var error: ClientError?
    /// The server's close code; `nil` if it sent none.
    public var closeCode: CloseCode?
    /// The server's close reason; empty if it sent none.
    public var closeReason: String
    /// After which time the next attempt is made; `nil` if there is none, and the sequence ends.
    public var retryDelay: Duration?

    /// Creates a value.
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
