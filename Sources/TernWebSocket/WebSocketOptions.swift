// SPDX-License-Identifier: Apache-2.0

/// Settings for opening and running a WebSocket.
public struct WebSocketOptions: Hashable, Sendable {
    /// The subprotocols to offer, the preferred one first (RFC 6455 §1.9); by default none.
    public var subprotocols: [String]
    /// The compression of messages, which the client offers to the server by default.
    public var compression: WebSocketCompression
    /// The length of the longest message to accept, in bytes after inflating; 16 MiB by default.
    ///
    /// Beyond it, the WebSocket ends with 1009 and `ClientError.messageTooLarge`, even before the rest of the message arrives. The
    /// same happens after a compressed frame that is over 0.1 % longer than this, whatever it inflates to.
    public var maximumMessageByteCount: Int
    /// The client reads while the messages that no task has taken have fewer bytes than this; 1 MiB by default.
    ///
    /// Beyond it, the client stops reading until at most half of this number waits, or the WebSocket ends. Each message, or part,
    /// counts 64 bytes more than its length.
    public var maximumQueuedByteCount: Int
    /// Settings for pinging a silent server; `nil`, the default, means no keep-alive.
    public var keepAlive: WebSocketKeepAlive?
    /// The time for which ``WebSocket/ping()`` waits for the pong; 20 seconds by default.
    ///
    /// Beyond it, ``WebSocket/ping()`` throws `ClientError.timedOut(.pong)`.
    public var pongTimeout: Duration
    /// The time in which the server must accept enough of the queued bytes to make room in the send buffer.
    ///
    /// Beyond it, the WebSocket ends with `ClientError.timedOut(.idle)`. Defaults to 60 seconds, like `Timeouts.idle`. `nil`
    /// sets no limit. It applies to each frame of a long message.
    public var sendTimeout: Duration?
    /// The time the server may take to answer a close and to end the connection; 5 seconds by default.
    ///
    /// Beyond it, the client closes the connection.
    public var closeTimeout: Duration

    /// Creates options, which the properties describe.
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
