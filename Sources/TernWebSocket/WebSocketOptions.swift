// SPDX-License-Identifier: Apache-2.0

/// Settings for opening and running one WebSocket.
public struct WebSocketOptions: Hashable, Sendable {
    /// The subprotocols to offer, the preferred one first (RFC 6455 §1.9).
    ///
    /// Defaults to an empty array, which offers no subprotocol.
    public var subprotocols: [String]
    /// The compression of messages.
    ///
    /// Defaults to ``WebSocketCompression/default``, which offers compression to the server.
    public var compression: WebSocketCompression
    /// The length of the longest message to accept, in bytes after inflating.
    ///
    /// Defaults to 16 MiB.
    ///
    /// A longer message ends the WebSocket with 1009 and `ClientError.messageTooLarge` as soon as the client knows that
    /// the message is too long, so that no server can fill the memory. For comparison: tungstenite accepts 64 MiB,
    /// Python's `websockets` 1 MiB, and gorilla any length.
    public var maximumMessageByteCount: Int
    /// The number of bytes to keep of messages that no task has taken.
    ///
    /// Defaults to 1 MiB.
    ///
    /// While this many bytes wait for a task, the client reads nothing from the connection, so that the server has to
    /// wait. A single message may be longer than the limit.
    public var maximumQueuedByteCount: Int
    /// Settings for pinging a silent server.
    ///
    /// Defaults to `nil`, which sends no pings.
    public var keepAlive: WebSocketKeepAlive?
    /// The time the server may take to answer a ``WebSocket/ping()``.
    ///
    /// Defaults to 20 seconds, as in Python's `websockets`.
    public var pongTimeout: Duration
    /// The time in which the server must accept enough of the queued bytes to make room in the send buffer.
    ///
    /// Defaults to 60 seconds, like the limit for uploads. `nil` sets no limit. A long message is sent in frames of 1
    /// MiB, and the limit applies to each of them.
    public var sendTimeout: Duration?
    /// The time the server may take to answer a close and to end the connection.
    ///
    /// Defaults to 5 seconds.
    ///
    /// Python's `websockets` waits 10 seconds, and coder/websocket waits 5.
    public var closeTimeout: Duration

    /// Creates options.
    ///
    /// The defaults suit most programs.
    ///
    /// - Parameters:
    ///   - subprotocols: The subprotocols to offer, the preferred one first. Defaults to an empty array, which offers
    ///     no subprotocol.
    ///   - compression: The compression of messages. Defaults to ``WebSocketCompression/default``, which offers
    ///     compression to the server.
    ///   - maximumMessageByteCount: The length of the longest message to accept, in bytes after inflating. Defaults to
    ///     16 MiB.
    ///   - maximumQueuedByteCount: The number of bytes to keep of messages that no task has taken. Defaults to 1 MiB.
    ///   - keepAlive: Settings for pinging a silent server. Defaults to `nil`, which sends no pings.
    ///   - pongTimeout: The time the server may take to answer a ping. Defaults to 20 seconds.
    ///   - sendTimeout: The time in which the server must accept enough of the queued bytes to make room in the send
    ///     buffer. Defaults to 60 seconds; `nil` sets no limit.
    ///   - closeTimeout: The time the server may take to answer a close and to end the connection. Defaults to 5
    ///     seconds.
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
