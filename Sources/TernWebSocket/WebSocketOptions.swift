// SPDX-License-Identifier: Apache-2.0
public import TernCompression
public import TernWebSocketCore

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

/// How a server that has become silent is noticed.
///
/// After `interval` without a byte from the server a ping is sent; if nothing at all has come `timeout` later, the
/// WebSocket ends with `ClientError.timedOut(.pong, …)`.
public struct WebSocketKeepAlive: Hashable, Sendable {
    /// How long the server may be silent before it is asked; 20 seconds by default, as in Python's `websockets`.
    public var interval: Duration
    /// How long it may then take to answer; 20 seconds by default.
    public var timeout: Duration

    /// Creates limits.
    public init(interval: Duration = .seconds(20), timeout: Duration = .seconds(20)) {
        self.interval = interval
        self.timeout = timeout
    }
}

/// Whether and how the messages of a WebSocket are compressed (permessage-deflate, RFC 7692).
///
/// Nothing is held for compression before the first compressed message. Then a WebSocket holds, as the windows are
/// negotiated, about
///
/// | window bits | sending, memory level 8 | sending, memory level 4 | receiving |
/// | ---: | ---: | ---: | ---: |
/// | 15 | 264 KiB | 144 KiB | 40 KiB |
/// | 12 | 152 KiB | 32 KiB | 12 KiB |
/// | 9 | 138 KiB | 18 KiB | 9 KiB |
public struct WebSocketCompression: Hashable, Sendable {
    /// What is asked of the server; `nil` if no compression is.
    public var offer: PerMessageDeflate.Offer?
    /// How hard and with how much memory to compress what is sent; those of zlib by default.
    ///
    /// The window is that of the negotiation if it is smaller.
    public var parameters: DeflateParameters

    /// Compression with a custom offer.
    ///
    /// - Parameters:
    ///   - offer: what is asked of the server; by default windows of 32 KiB, kept between messages, in both directions.
    ///   - parameters: how hard and with how much memory to compress; those of zlib by default.
    public init(
        offer: PerMessageDeflate.Offer = PerMessageDeflate.Offer(),
        parameters: DeflateParameters = DeflateParameters()
    ) {
        self.offer = offer
        self.parameters = parameters
    }

    /// Compression is offered, and used as the server answers.
    public static let `default` = WebSocketCompression()

    /// No compression is offered.
    public static let disabled: WebSocketCompression = {
        var compression = WebSocketCompression()
        compression.offer = nil
        return compression
    }()
}

/// Whether to compress one message, where compression was negotiated.
public enum MessageCompression: Hashable, Sendable {
    /// As experience has it: compresses, unless the messages of late did not shrink, and tries again now and then.
    case automatic
    /// Compresses.
    case always
    /// Does not compress: for what is compressed already, and for secrets beside text that others choose (RFC 7692 §8).
    case never
}
