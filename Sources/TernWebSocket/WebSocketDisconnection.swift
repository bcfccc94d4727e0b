// SPDX-License-Identifier: Apache-2.0
public import TernErrors
public import TernWebSocketCore

/// How one WebSocket of a ``ReconnectingWebSocket`` ended, or why it could not be opened.
public struct WebSocketDisconnection: Sendable {
    /// The error; `nil` if the WebSocket was closed in order.
    public var error: ClientError?
    /// The server's close code; `nil` if it sent none.
    public var closeCode: CloseCode?
    /// The server's close reason; empty if it sent none.
    public var closeReason: String
    /// The time until the next attempt; `nil` if no attempt follows and the sequence ends.
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
