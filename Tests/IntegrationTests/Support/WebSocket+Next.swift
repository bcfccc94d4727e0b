// SPDX-License-Identifier: Apache-2.0
import ClientTestSupport
import Foundation
import Tern

extension WebSocket {
    /// Returns the next message; `nil` after a normal close.
    func next() async throws(ClientError) -> WebSocketMessage? {
        var iterator = self.makeAsyncIterator()
        return try await iterator.next()
    }

    /// Returns all messages up to the end.
    func rest() async throws(ClientError) -> [WebSocketMessage] {
        var messages: [WebSocketMessage] = []
        var iterator = self.makeAsyncIterator()
        while let message = try await iterator.next() { messages.append(message) }
        return messages
    }

    /// Sends a message, and returns the next received message.
    func echo(
        _ message: WebSocketMessage,
        compression: MessageCompression = .automatic
    ) async throws(ClientError) -> WebSocketMessage? {
        try await self.send(message, compression: compression)
        return try await self.next()
    }
}

extension WebSocketOptions {
    /// The defaults without compression.
    static let uncompressed = WebSocketOptions.patient { $0.compression = .disabled }
}

extension Client {
    /// Opens a WebSocket with time limits that no test reaches.
    ///
    /// If a test passes no options, the compiler prefers this method to the client's own method.
    func webSocket(for request: Request) async throws(ClientError) -> WebSocket {
        try await self.webSocket(for: request, options: .patient)
    }

    /// Opens a WebSocket with time limits that no test reaches, and with a delegate.
    func webSocket(for request: Request, delegate: (any TaskDelegate)?) async throws(ClientError) -> WebSocket {
        try await self.webSocket(for: request, options: .patient, delegate: delegate)
    }
}

extension Fault {
    /// The section of the rule that the response to a handshake breaks; `nil` for any other error.
    var handshakeSection: String? {
        if case .webSocketRefused(.handshake(let section, _)) = self { section } else { nil }
    }
}

/// Returns an asynchronous sequence of the given elements.
func stream(_ pieces: [Data]) -> AsyncStream<Data> {
    AsyncStream { continuation in
        for piece in pieces { continuation.yield(piece) }
        continuation.finish()
    }
}
