// SPDX-License-Identifier: Apache-2.0

/// A WebSocket client under measurement.
public protocol WebSocketPeer: Sendable {
    /// The type of its connections.
    associatedtype Connection: WebSocketConnection

    /// The peer's name in the output.
    var name: String { get }

    /// The executor that the peer's callers should prefer, if any.
    var executor: (any TaskExecutor)? { get }

    /// Connects to `url`.
    ///
    /// - Parameters:
    ///   - url: The URL of the server.
    ///   - offersCompression: Whether to offer permessage-deflate.
    ///   - messages: The messages that the connection sends repeatedly. This method prepares them, before the
    ///     measurement starts.
    /// - Returns: The open WebSocket.
    /// - Throws: An error if the WebSocket cannot be opened.
    func connect(to url: String, offersCompression: Bool, messages: [String]) async throws -> Connection
}

/// An open WebSocket, of which a measurement calls one function once.
///
/// Each function has the code that a careful user of that client would write. It throws if the WebSocket does not close
/// normally. It returns the number of messages and of their bytes, so that the compiler cannot remove the work.
public protocol WebSocketConnection: Sendable {
    /// Sends a message and awaits its echo, `count` times, and measures each round trip.
    func echo(_ count: Int) async throws -> Exchanged

    /// Sends one message, and then receives messages until the server closes the WebSocket.
    func receive() async throws -> Exchanged

    /// Sends `count` messages and a Close frame; returns when the server has answered the Close frame.
    func send(_ count: Int) async throws -> Exchanged
}

/// The messages that went over a WebSocket.
public struct Exchanged: Sendable {
    /// The number of received messages, or of sent messages if the case receives none.
    public var messageCount = 0
    /// The total number of bytes of these messages.
    public var byteCount = 0
    /// The duration of each round trip; empty if the case does not measure them.
    public var trips: [Duration] = []

    /// Creates a value without messages.
    public init() {}

    /// Adds one message.
    @inlinable public mutating func add(byteCount: Int) {
        self.messageCount += 1
        self.byteCount += byteCount
    }
}

extension WebSocketPeer {
    /// `nil`: callers prefer no executor.
    public var executor: (any TaskExecutor)? { nil }
}
