// SPDX-License-Identifier: Apache-2.0
import NIOCore
import Synchronization
package import TernConnections
public import TernErrors
public import TernFoundation
package import TernTransport
public import TernWebSocketCore

/// An open WebSocket (RFC 6455): send messages with ``send(_:compression:)-(WebSocketMessage,_)``, and receive messages by
/// iterating.
///
/// ```swift
/// let socket = try await client.webSocket(from: url)
/// try await socket.send("hello")
/// for try await message in socket {
///     if case .text(let text) = message { print(text) }
/// }
/// ```
///
/// Iteration ends with `nil` when the server has closed the WebSocket cleanly, with any ``closeCode``. It throws when the
/// connection is lost, the server breaks a rule, or a limit is exceeded. In both cases, it first delivers the messages that have
/// arrived. When this side calls ``close(code:reason:)`` or ``cancel(with:reason:)``, iteration ends at once, and messages that no
/// task has taken are dropped.
///
/// Any number of tasks may iterate: each message goes to the task that has waited longest. Leaving a loop does not close a
/// WebSocket that you retain; a later loop continues with the next message.
///
/// While no task iterates, the WebSocket still answers pings and a close, and keeps the messages, up to about
/// ``WebSocketOptions/maximumQueuedByteCount``. When that many bytes wait, it reads nothing, not even a ping.
///
/// Releasing the last reference to an open WebSocket and to its iterators sends a Close frame with 1001, and closes the connection
/// at once. If a Close frame was sent or received before, the connection closes within ``WebSocketOptions/closeTimeout``.
public final class WebSocket: Sendable {
    let driver: WebSocketDriver

    /// The subprotocol that the server chose from those offered, or `nil` if the server chose none.
    public let subprotocol: String?
    package let compression: PerMessageDeflate.Agreement?
    /// Whether messages may be compressed, because this side offered compression and the server agreed.
    public var isCompressed: Bool { self.compression != nil }

    /// Takes over a connection, or stream, from which no other code may read; `onEnd` is called once, from any thread.
    package init(
        _ upgrade: UpgradedConnection,
        _ handshake: AcceptedHandshake,
        options: WebSocketOptions = WebSocketOptions(),
        isStream: Bool = false,
        origin: String = "",
        clock: any TransportClock = SystemClock(),
        onEnd: (@Sendable (WebSocketEnd) -> Void)? = nil
    ) {
        self.subprotocol = handshake.subprotocol
        self.compression = handshake.deflate
        let driver = WebSocketDriver(
            upgrade.connection,
            handshake,
            options,
            isStream: isStream,
            origin: origin,
            clock: clock,
            onEnd: onEnd
        )
        self.driver = driver
        var limits = WebSocketDecoder.Limits()
        limits.maximumMessageByteCount = options.maximumMessageByteCount
        limits.maximumFrameByteCount = Self.maximumFrameByteCount(options, handshake)
        // An empty slice would still retain the whole buffer of the response head.
        let received = upgrade.receivedBytes.readableBytes > 0 ? upgrade.receivedBytes : ByteBuffer()
        let deflate = handshake.deflate
        Task.detached(executorPreference: upgrade.connection.executor) {
            let decoder = WebSocketDecoder(deflate: deflate, limits: limits)
            await MessageReader(driver, decoder: decoder, received: received).run()
        }
        driver.startKeepAlive()
    }

    /// Returns the length of a whole message, and with compression more, because data that cannot shrink becomes longer.
    private static func maximumFrameByteCount(_ options: WebSocketOptions, _ handshake: AcceptedHandshake) -> Int {
        let limit = Swift.max(0, options.maximumMessageByteCount)
        guard handshake.deflate != nil, limit < .max / 2 else { return limit }
        return limit + limit / 1000 + 64
    }

    deinit { self.driver.abandon() }

    // MARK: Sending

    /// Sends text; see ``send(_:compression:)-(WebSocketMessage,_)``.
    public func send(_ text: String, compression: MessageCompression = .automatic) async throws(ClientError) {
        try await self.driver.send(.text(text), compression)
    }

    /// Sends bytes in a binary message; see ``send(_:compression:)-(WebSocketMessage,_)``.
    public func send(_ data: Data, compression: MessageCompression = .automatic) async throws(ClientError) {
        try await self.driver.send(.binary(data), compression)
    }

    /// Sends a message, and returns as soon as the send buffer has room for more.
    ///
    /// Messages are sent in the order of the calls. While the send buffer is full, the call waits. A cancellation does not cut a
    /// message off.
    ///
    /// - Parameters:
    ///   - message: The message to send.
    ///   - compression: Whether to compress the message, if compression was negotiated.
    /// - Throws: `ClientError`, such as `.webSocketClosed` or `.connectionLost` when the WebSocket has ended, or the connection is
    ///   lost; `.timedOut(.idle, …)` when the send buffer has no room within ``WebSocketOptions/sendTimeout``, which also ends the
    ///   WebSocket; `.cancelled` when the task is cancelled.
    public func send(
        _ message: WebSocketMessage,
        compression: MessageCompression = .automatic
    ) async throws(ClientError) {
        try await self.driver.send(message, compression)
    }

    /// Sends a ping and waits for the server's pong.
    ///
    /// - Returns: The time from the ping to its pong, or to that of a later ping.
    /// - Throws: `ClientError`: `.timedOut(.pong, …)` when no pong arrives within ``WebSocketOptions/pongTimeout`` (the WebSocket
    ///   stays open); `.webSocketClosed` when the WebSocket is closed, or ends before the pong; `.cancelled` when the task is
    ///   cancelled.
    @discardableResult
    public func ping() async throws(ClientError) -> Duration { try await self.driver.ping() }

    // MARK: Closing

    /// Closes the WebSocket, and waits until its connection is closed.
    ///
    /// Iteration ends at once. If the server does not answer, and end the connection, within ``WebSocketOptions/closeTimeout``, or
    /// if the task is cancelled, this side closes the connection. Closing a closed WebSocket sends nothing, but drops the messages
    /// that no task has taken.
    ///
    /// - Parameters:
    ///   - code: The close code. A code that must not be sent (RFC 6455 §7.4) is replaced by 1000.
    ///   - reason: The reason in words, truncated to 123 bytes in UTF-8.
    public func close(code: CloseCode = .normalClosure, reason: String = "") async {
        await self.driver.closeAndWait(CloseFrame(fitting: code, reason))
    }

    /// Closes the WebSocket in the background and returns at once; see ``close(code:reason:)``.
    public func cancel(with code: CloseCode = .goingAway, reason: String = "") {
        self.driver.close(CloseFrame(fitting: code, reason))
    }

    /// The code of the server's Close frame, 1005 if it has none, or `nil` if no valid Close frame was read.
    public var closeCode: CloseCode? {
        self.driver.ending?.received.map { $0.code ?? .noStatusReceived }
    }

    /// The reason in the server's Close frame; `nil` if no valid Close frame was read.
    public var closeReason: String? { self.driver.ending?.received?.reason }

    var isClosedHere: Bool { self.driver.ending?.isClosedHere ?? false }

    /// The way the WebSocket ended, or `nil` while that is not certain.
    ///
    /// It is set, for example, when both sides have sent a Close frame, or the connection has ended. When the server has ended
    /// iteration, or iteration has thrown because the WebSocket ended, it is already set. After ``cancel(with:reason:)``, it
    /// may be set as late as the close timeout.
    public var outcome: ClosingOutcome? { self.driver.ending?.outcome }
}

extension CloseFrame {
    /// Creates a Close frame that may be sent, even from an invalid code or reason: closing must not fail.
    init(fitting code: CloseCode, _ reason: String) {
        let code = code.isValidOnWire ? code : .normalClosure
        var text = reason[...]
        while text.utf8.count > Self.maximumReasonByteCount { text = text.dropLast() }
        self = (try? CloseFrame(code, reason: String(text))) ?? .empty
    }
}
