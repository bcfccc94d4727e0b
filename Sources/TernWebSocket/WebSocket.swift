// SPDX-License-Identifier: Apache-2.0
import NIOCore
import Synchronization
package import TernConnections
public import TernErrors
package import TernTransport
public import TernWebSocketCore

#if canImport(FoundationEssentials)
public import FoundationEssentials
#else
public import Foundation
#endif

/// An open WebSocket (RFC 6455): send messages with ``send(_:compression:)-(WebSocketMessage,_)``, receive them by
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
/// Iteration ends with `nil` when the server has closed the WebSocket cleanly, and at once when this side closes it
/// with ``close(code:reason:)`` or ``cancel(with:reason:)``, whatever the server does. It throws, once, when the
/// WebSocket ends otherwise: the connection is lost, the server breaks a rule, or a limit is exceeded. Messages that
/// arrived before the server closed, or before the failure, are delivered first. Messages that arrived before this side
/// closed are dropped.
///
/// Any number of tasks may iterate, at once or in succession. Each message goes to one of them: the one that has waited
/// longest. Leaving a loop leaves the WebSocket open; a later loop continues with the next message.
///
/// Pings are answered and a close is noticed even while no task iterates. Messages that no task takes are kept up to
/// ``WebSocketOptions/maximumQueuedByteCount``; then reading stops, and the server has to wait.
///
/// Releasing the last reference, iterators included, closes the WebSocket with 1001 and its connection at once. If a
/// Close frame was sent or received before, the connection closes within ``WebSocketOptions/closeTimeout``. No task
/// outlives the connection.
public final class WebSocket: Sendable {
    let driver: WebSocketDriver

    /// The subprotocol that the server chose from those offered; `nil` if it chose none.
    public let subprotocol: String?
    /// The negotiated compression; `nil` if messages must not be compressed.
    package let compression: PerMessageDeflate.Agreement?
    /// Whether messages may be compressed, which means that this side offered it and the server agreed.
    public var isCompressed: Bool { self.compression != nil }

    /// Takes over a connection that was upgraded to WebSocket; `Client.webSocket` calls this.
    ///
    /// - Parameters:
    ///   - upgrade: The connection, from which no other code reads.
    ///   - handshake: The result of the handshake.
    ///   - options: The settings of the WebSocket. Defaults to `WebSocketOptions()`.
    ///   - origin: The scheme, host and port, for errors. Defaults to an empty string.
    ///   - clock: The clock for all time limits. Defaults to the system's.
    ///   - onEnd: Called once, from any thread, when the connection is closed. Defaults to `nil`.
    package init(
        _ upgrade: UpgradedConnection,
        _ handshake: AcceptedHandshake,
        options: WebSocketOptions = WebSocketOptions(),
        origin: String = "",
        clock: any TransportClock = SystemClock(),
        onEnd: (@Sendable (WebSocketEnd) -> Void)? = nil
    ) {
        self.subprotocol = handshake.subprotocol
        self.compression = handshake.deflate
        let driver = WebSocketDriver(upgrade.connection, handshake, options, origin: origin, clock: clock, onEnd: onEnd)
        self.driver = driver
        var limits = WebSocketDecoder.Limits()
        limits.maximumMessageByteCount = options.maximumMessageByteCount
        limits.maximumFrameByteCount = Self.maximumFrameByteCount(options, handshake)
        // An empty remainder would retain the buffer of the response head while the WebSocket is open.
        let received = upgrade.receivedBytes.readableBytes > 0 ? upgrade.receivedBytes : ByteBuffer()
        let deflate = handshake.deflate
        Task.detached(executorPreference: upgrade.connection.executor) {
            let decoder = WebSocketDecoder(deflate: deflate, limits: limits)
            await MessageReader(driver, decoder: decoder, received: received).run()
        }
        driver.startKeepAlive()
    }

    /// Returns the maximum length of a frame, which may contain a whole message.
    ///
    /// Data that does not shrink becomes slightly longer when compressed.
    private static func maximumFrameByteCount(_ options: WebSocketOptions, _ handshake: AcceptedHandshake) -> Int {
        let limit = options.maximumMessageByteCount
        guard handshake.deflate != nil, limit < .max / 2 else { return limit }
        return limit + limit / 1000 + 64
    }

    deinit { self.driver.abandon() }

    // MARK: Sending

    /// Sends text; see ``send(_:compression:)-(WebSocketMessage,_)``.
    ///
    /// - Throws: `ClientError`.
    public func send(_ text: String, compression: MessageCompression = .automatic) async throws(ClientError) {
        try await self.driver.send(.text(text), compression)
    }

    /// Sends bytes in a binary message; see ``send(_:compression:)-(WebSocketMessage,_)``.
    ///
    /// - Parameters:
    ///   - data: The bytes.
    ///   - compression: Whether to compress the message, if compression was negotiated. Defaults to
    ///     ``MessageCompression/automatic``.
    /// - Throws: `ClientError`.
    public func send(_ data: Data, compression: MessageCompression = .automatic) async throws(ClientError) {
        try await self.driver.send(.binary(data), compression)
    }

    /// Sends a message; returns as soon as there is room for more.
    ///
    /// Messages are sent in the order of the calls. Those that are queued during a write are sent together in the next
    /// write. When the server accepts no more, the call waits, so that a fast sender cannot fill the memory.
    ///
    /// - Parameters:
    ///   - message: The message to send.
    ///   - compression: Whether to compress the message, if compression was negotiated. Defaults to
    ///     ``MessageCompression/automatic``.
    /// - Throws: `ClientError`: `.webSocketClosed` when the WebSocket is closed; `.connectionLost` when the connection
    ///   is lost; `.timedOut(.idle, …)` when the server accepts nothing for ``WebSocketOptions/sendTimeout``, which
    ///   also ends the WebSocket; `.cancelled` when the task is cancelled. A message whose sending was cancelled is
    ///   sent whole or not at all.
    public func send(
        _ message: WebSocketMessage,
        compression: MessageCompression = .automatic
    ) async throws(ClientError) {
        try await self.driver.send(message, compression)
    }

    /// Sends a ping and waits for the pong.
    ///
    /// - Returns: The time between the two.
    /// - Throws: `ClientError`: `.timedOut(.pong, …)` after ``WebSocketOptions/pongTimeout``, which does not end the
    ///   WebSocket; `.webSocketClosed`; `.cancelled` when the task is cancelled.
    @discardableResult
    public func ping() async throws(ClientError) -> Duration { try await self.driver.ping() }

    // MARK: Closing

    /// Closes the WebSocket and waits until the connection is closed, too.
    ///
    /// Iteration ends at once. The server has ``WebSocketOptions/closeTimeout`` to answer; then the connection is
    /// closed without an answer. If the task is cancelled, the connection is closed at once. Closing a closed WebSocket
    /// does nothing.
    ///
    /// - Parameters:
    ///   - code: The close code. Defaults to 1000. A code that must not be sent (RFC 6455 §7.4) is replaced by 1000.
    ///   - reason: The reason in words; at most 123 bytes in UTF-8, longer ones are truncated. Defaults to an empty
    ///     string.
    public func close(code: CloseCode = .normalClosure, reason: String = "") async {
        self.driver.close(CloseFrame(fitting: code, reason))
        await self.driver.waitForEnd()
    }

    /// Closes the WebSocket in the background and returns at once; see ``close(code:reason:)``.
    ///
    /// - Parameters:
    ///   - code: The close code. Defaults to 1001.
    ///   - reason: The reason in words. Defaults to an empty string.
    public func cancel(with code: CloseCode = .goingAway, reason: String = "") {
        self.driver.close(CloseFrame(fitting: code, reason))
    }

    /// The code of the server's Close frame; 1005 if the frame has none; `nil` if no Close frame has arrived.
    public var closeCode: CloseCode? {
        self.driver.locked.withLock { locked in locked.received.map { $0.code ?? .noStatusReceived } }
    }

    /// The reason in the server's Close frame; `nil` if no Close frame has arrived.
    public var closeReason: String? { self.driver.locked.withLock { $0.received?.reason } }

    /// Whether this side closed before the server did.
    var isClosedHere: Bool { self.driver.locked.withLock { $0.isClosedHere } }

    /// The outcome of the WebSocket; `nil` while it is open.
    ///
    /// It is set as soon as both sides have sent a Close frame, the connection has failed, or the server has broken a
    /// rule. This is always before iteration throws, and before iteration ends because the server closed. After
    /// ``cancel(with:reason:)`` it is set once the server has answered, or the close timeout has passed.
    public var outcome: ClosingOutcome? { self.driver.locked.withLock(\.closing.outcome) }
}

extension CloseFrame {
    /// Creates a frame that may be sent, whatever the caller passes: closing must not fail.
    init(fitting code: CloseCode, _ reason: String) {
        let code = code.isValidOnWire ? code : .normalClosure
        var text = reason[...]
        while text.utf8.count > Self.maximumReasonByteCount { text = text.dropLast() }
        self = (try? CloseFrame(code, reason: String(text))) ?? .empty
    }
}

/// The end of a WebSocket: code, reason and error.
package struct WebSocketEnd: Sendable {
    /// The code of the server's Close frame; `nil` if none arrived, or if it has no code (RFC 6455 §7.1.5).
    package let code: UInt16?
    /// The reason in the server's Close frame; `nil` if none arrived.
    package let reason: String?
    /// The error that ended the WebSocket; `nil` if either side closed it cleanly.
    package let error: ClientError?
}
