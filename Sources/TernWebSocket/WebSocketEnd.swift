// SPDX-License-Identifier: Apache-2.0
public import TernErrors

/// How a WebSocket ended.
public struct WebSocketEnd: Sendable {
    /// The code of the server's Close frame; `nil` if none came, or without a code (RFC 6455 §7.1.5).
    public let code: UInt16?
    /// The reason in the server's Close frame; `nil` if none came.
    public let reason: String?
    /// Why it ended; `nil` if either side closed it in order.
    public let error: ClientError?
}
