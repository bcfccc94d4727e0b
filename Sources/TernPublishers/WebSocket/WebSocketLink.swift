// SPDX-License-Identifier: Apache-2.0
import Synchronization

/// One WebSocket of a publisher, from subscription to end: what is sent before it is open waits here.
///
/// Its subscription alone holds it. Its release closes the WebSocket.
final class WebSocketLink: Sendable {
    /// How many messages wait to be sent at most.
    static let maximumWaitingCount = 256

    private struct Locked {
        var socket: WebSocket?
        var sending: Task<Void, Never>?
        var close: (code: CloseCode, reason: String)?
    }

    private let locked = Mutex(Locked())
    private let messages: AsyncStream<WebSocketMessage>
    private let waiting: AsyncStream<WebSocketMessage>.Continuation

    init() {
        (self.messages, self.waiting) = AsyncStream.makeStream(
            bufferingPolicy: .bufferingOldest(Self.maximumWaitingCount)
        )
    }

    deinit {
        self.waiting.finish()
        let (socket, sending) = self.locked.withLock { ($0.socket, $0.sending) }
        sending?.cancel()
        socket?.cancel()
    }

    /// Sends a message in turn; `false` if that is not possible any more, or too many wait.
    func send(_ message: WebSocketMessage) -> Bool {
        guard case .enqueued = self.waiting.yield(message) else { return false }
        return true
    }

    /// Closes the WebSocket once what waits is sent.
    func close(_ code: CloseCode, _ reason: String) {
        self.locked.withLock { if $0.close == nil { $0.close = (code, reason) } }
        self.waiting.finish()
    }

    /// Takes the WebSocket over, now that it is open, and begins to send what waits.
    func opened(_ socket: WebSocket) {
        let sending = Task { [messages, waiting, weak self] in
            for await message in messages {
                do throws(ClientError) {
                    try await socket.send(message)
                } catch {
                    // How it failed, the one who receives is told.
                    return waiting.finish()
                }
            }
            guard let close = self?.locked.withLock({ $0.close }) else { return }
            socket.cancel(with: close.code, reason: close.reason)
        }
        self.locked.withLock { locked in
            locked.socket = socket
            locked.sending = sending
        }
    }

    /// What the WebSocket receives.
    struct Messages: AsyncSequence, Sendable {
        let link: WebSocketLink
        let socket: WebSocket

        func makeAsyncIterator() -> Iterator { Iterator(link: self.link, messages: self.socket.makeAsyncIterator()) }

        struct Iterator: AsyncIteratorProtocol {
            let link: WebSocketLink
            var messages: WebSocket.Iterator

            mutating func next(
                isolation actor: isolated (any Actor)? = #isolation
            ) async throws(ClientError) -> WebSocketMessage? { try await self.messages.next(isolation: actor) }
        }
    }
}
