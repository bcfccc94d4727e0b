// SPDX-License-Identifier: Apache-2.0
import ClientTestSupport
import Foundation
import Tern

extension WebSocket {
    /// The next message; `nil` once it was closed in order.
    func next() async throws(ClientError) -> WebSocketMessage? {
        var iterator = self.makeAsyncIterator()
        return try await iterator.next()
    }

    /// All messages up to the end.
    func rest() async throws(ClientError) -> [WebSocketMessage] {
        var messages: [WebSocketMessage] = []
        var iterator = self.makeAsyncIterator()
        while let message = try await iterator.next() { messages.append(message) }
        return messages
    }

    /// Sends a message, and gives what comes next.
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
    /// Opens a WebSocket with limits of time that nothing reaches.
    ///
    /// The compiler prefers these to the client's own method where a test gives no options.
    func webSocket(for request: Request) async throws(ClientError) -> WebSocket {
        try await self.webSocket(for: request, options: .patient)
    }

    /// Opens a WebSocket with limits of time that nothing reaches, and a delegate.
    func webSocket(for request: Request, delegate: (any TaskDelegate)?) async throws(ClientError) -> WebSocket {
        try await self.webSocket(for: request, options: .patient, delegate: delegate)
    }
}

extension Fault {
    /// Where the rule stands that the answer to a handshake broke; `nil` if this is something else.
    var handshakeSection: String? {
        if case .webSocketRefused(.handshake(let section, _)) = self { section } else { nil }
    }
}

/// Returns the available elements, as a sequence that must be awaited.
func stream(_ pieces: [Data]) -> AsyncStream<Data> {
    AsyncStream { continuation in
        for piece in pieces { continuation.yield(piece) }
        continuation.finish()
    }
}
