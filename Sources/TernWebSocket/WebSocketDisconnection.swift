// SPDX-License-Identifier: Apache-2.0
public import TernErrors
public import TernWebSocketCore

/// The end of one WebSocket of a ``ReconnectingWebSocket``, the failure to open it, or the error of `onConnect`.
public struct WebSocketDisconnection: Sendable {
    /// The error that the sequence received, or `nil` if it received none or the close code says more.
    public var error: ClientError?
    /// The code of the server's Close frame, 1005 if it has none, or `nil` if the client had read no valid Close frame.
    public var closeCode: CloseCode?
    /// The reason in the server's Close frame; empty if the client had read no reason.
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
