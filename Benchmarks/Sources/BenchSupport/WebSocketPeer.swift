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
    ///   - offersCompression: whether permessage-deflate is offered.
    ///   - messages: The messages that the connection sends repeatedly, prepared here, before the clock starts.
    /// - Returns: The open WebSocket.
    /// - Throws: An error if it cannot be opened.
    func connect(to url: String, offersCompression: Bool, messages: [String]) async throws -> Connection
}

/// A WebSocket that is open; one of its functions is called, once.
///
/// Each function works like a careful user of that client would write it. It throws unless the WebSocket closes
/// normally, and returns the number of messages and their bytes, so that no work is optimised away.
public protocol WebSocketConnection: Sendable {
    /// Sends a message, awaits it, and so on, `count` times; measures each trip.
    func echo(_ count: Int) async throws -> Exchanged

    /// Sends one message and then receives until the server closes.
    func receive() async throws -> Exchanged

    /// Sends `count` messages and closes; returns once the server has answered the Close.
    func send(_ count: Int) async throws -> Exchanged
}

/// The messages that went over a WebSocket.
public struct Exchanged: Sendable {
    /// The number of messages received, or sent if the case receives none.
    public var messageCount = 0
    /// Their total number of bytes.
    public var byteCount = 0
    /// The round trip of each message, if it was measured.
    public var trips: [Duration] = []

    /// Creates an empty account.
    public init() {}

    /// Adds one message.
    @inlinable public mutating func add(byteCount: Int) {
        self.messageCount += 1
        self.byteCount += byteCount
    }
}

extension WebSocketPeer {
    /// No preference.
    public var executor: (any TaskExecutor)? { nil }
}
