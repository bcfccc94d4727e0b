// SPDX-License-Identifier: Apache-2.0

/// A WebSocket client under measurement.
public protocol WebSocketPeer: Sendable {
    /// What it connects.
    associatedtype Connection: WebSocketConnection

    /// The peer's name in the output.
    var name: String { get }

    /// The executor that the peer's callers should prefer, if any.
    var executor: (any TaskExecutor)? { get }

    /// Connects to `url`.
    ///
    /// - Parameters:
    ///   - url: where to.
    ///   - offersCompression: whether permessage-deflate is offered.
    ///   - messages: what the connection is to send, over and over; made ready here, before the clock starts.
    /// - Returns: the WebSocket, open.
    /// - Throws: whatever keeps it from opening.
    func connect(to url: String, offersCompression: Bool, messages: [String]) async throws -> Connection
}

/// A WebSocket that is open; one of its functions is called, once.
///
/// Each works as a careful user of that client would write it, throws unless the WebSocket was closed as it should be, and
/// returns how many messages and bytes of them it saw, so that nothing goes unnoticed or is optimised away.
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
    /// How many came, or how many went if none were to come.
    public var messageCount = 0
    /// How many bytes they had together.
    public var byteCount = 0
    /// How long each took there and back, if that was measured.
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
