// SPDX-License-Identifier: Apache-2.0

/// How one WebSocket is opened and kept.
public struct WebSocketOptions: Hashable, Sendable {
    /// The subprotocols to offer, the preferred first (RFC 6455 §1.9); none by default.
    public var subprotocols: [String]
    /// Whether and how messages are compressed; offered by default.
    public var compression: WebSocketCompression
    /// How long a message may be that is received, in bytes, after inflating; 16 MiB by default.
    ///
    /// A longer one ends the WebSocket with 1009 and `ClientError.messageTooLarge` as soon as that is known: no server can
    /// fill the memory. (tungstenite accepts 64 MiB, Python's `websockets` 1 MiB, gorilla anything.)
    public var maximumMessageByteCount: Int
    /// How many bytes of messages are kept that no task has taken yet; 1 MiB by default.
    ///
    /// Beyond it nothing is read from the connection, so that the server has to wait. One message may exceed it.
    public var maximumQueuedByteCount: Int
    /// Whether a silent server is asked now and then whether it is there; `nil`, not at all, by default.
    public var keepAlive: WebSocketKeepAlive?
    /// How long the server may take to answer a ping; 20 seconds by default, as in Python's `websockets`.
    public var pongTimeout: Duration
    /// How long the server may accept none of the bytes to send.
    ///
    /// Defaults to 60 seconds, as for uploads. `nil` sets no limit.
    public var sendTimeout: Duration?
    /// How long the server may take to answer a close, and to end the connection then; 5 seconds by default.
    ///
    /// (Python's `websockets` waits 10 seconds, coder/websocket 5.)
    public var closeTimeout: Duration

    /// Creates options; without arguments, those that suit most programs.
    ///
    /// - Parameters:
    ///   - subprotocols: to offer; none by default.
    ///   - compression: whether and how messages are compressed; offered by default.
    ///   - maximumMessageByteCount: the longest message that is accepted; 16 MiB by default.
    ///   - maximumQueuedByteCount: How many bytes are kept while no task takes them. Defaults to 1 MiB.
    ///   - keepAlive: whether a silent server is asked; not by default.
    ///   - pongTimeout: for the answer to a ping; 20 seconds by default.
    ///   - sendTimeout: for a server that takes nothing; 60 seconds by default.
    ///   - closeTimeout: for the closing handshake; 5 seconds by default.
    public init(
        subprotocols: [String] = [],
        compression: WebSocketCompression = .default,
        maximumMessageByteCount: Int = 16 << 20,
        maximumQueuedByteCount: Int = 1 << 20,
        keepAlive: WebSocketKeepAlive? = nil,
        pongTimeout: Duration = .seconds(20),
        sendTimeout: Duration? = .seconds(60),
        closeTimeout: Duration = .seconds(5)
    ) {
        self.subprotocols = subprotocols
        self.compression = compression
        self.maximumMessageByteCount = maximumMessageByteCount
        self.maximumQueuedByteCount = maximumQueuedByteCount
        self.keepAlive = keepAlive
        self.pongTimeout = pongTimeout
        self.sendTimeout = sendTimeout
        self.closeTimeout = closeTimeout
    }
}
