// SPDX-License-Identifier: Apache-2.0
public import TernErrors
public import TernWebSocketCore

/// The end of one WebSocket of a ``ReconnectingWebSocket``, or the failure to open it.
public struct WebSocketDisconnection: Sendable {
    /// The error; `nil` if the WebSocket was closed cleanly.
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
