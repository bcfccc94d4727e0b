// SPDX-License-Identifier: Apache-2.0
import Synchronization

/// One WebSocket of a publisher, from subscription to end: what is sent before it is open waits here.
///
/// Its subscription alone holds it. Its release lets go of the WebSocket, which that closes.
final class WebSocketLink: Sendable {
    /// How many messages wait to be sent at most.
    static let maximumWaitingCount = 256
    /// How many bytes they have together; a single message may have more, so that each can be sent.
    static let maximumWaitingByteCount = 1 << 20

    private struct Locked {
        var socket: WebSocket?
        var sending: Task<Void, Never>?
        var close: (code: CloseCode, reason: String)?
        /// What was taken and is not sent.
        var waitingCount = 0
        var waitingByteCount = 0
        /// Whether nothing can be sent any more.
        var isOver = false
    }

    private let locked = Mutex(Locked())
    private let messages: AsyncStream<WebSocketMessage>
    private let waiting: AsyncStream<WebSocketMessage>.Continuation

    init() {
        // Bounded by `send`.
        (self.messages, self.waiting) = AsyncStream.makeStream(bufferingPolicy: .unbounded)
    }

    deinit {
        self.waiting.finish()
        // The task holds the WebSocket. A `cancel()` of that would await the server's answer; its release does not.
        self.locked.withLock { $0.sending }?.cancel()
    }

    /// Whether it was closed before it was opened, with nothing to send: then there is no need to open it.
    var isClosedUnused: Bool { self.locked.withLock { $0.close != nil && $0.waitingCount == 0 && $0.socket == nil } }

    /// Sends a message in turn; `false` if that is not possible any more, or too many wait.
    func send(_ message: WebSocketMessage) -> Bool {
        let byteCount = message.byteCount
        let socket = self.locked.withLock { $0.socket }
        // The server has closed, which may be known before anybody asks for a message.
        if let socket, socket.closeCode != nil || socket.outcome != nil { self.ended() }
        return self.locked.withLock { locked in
            guard !locked.isOver, locked.close == nil, locked.waitingCount < Self.maximumWaitingCount,
                locked.waitingCount == 0
                    || locked.waitingByteCount + byteCount <= Self.maximumWaitingByteCount
            else { return false }
            locked.waitingCount += 1
            locked.waitingByteCount += byteCount
            // Within the lock, so that nothing is counted after `close` that does not go out.
            self.waiting.yield(message)
            return true
        }
    }

    /// Closes the WebSocket once what waits is sent.
    func close(_ code: CloseCode, _ reason: String) {
        self.locked.withLock { if $0.close == nil { $0.close = (code, reason) } }
        self.waiting.finish()
    }

    /// Nothing can be sent any more.
    func ended() {
        self.locked.withLock { $0.isOver = true }
        self.waiting.finish()
    }

    private func sent(_ message: WebSocketMessage) {
        self.locked.withLock { locked in
            locked.waitingCount -= 1
            locked.waitingByteCount -= message.byteCount
        }
    }

    /// Takes the WebSocket over, now that it is open, and begins to send what waits.
    func opened(_ socket: WebSocket) {
        let sending = Task { [messages, weak self] in
            for await message in messages {
                do throws(ClientError) {
                    try await socket.send(message)
                } catch {
                    // How it failed, the one who receives is told.
                    self?.ended()
                    return
                }
                self?.sent(message)
            }
            guard let close = self?.locked.withLock({ $0.close }) else { return }
            socket.cancel(with: close.code, reason: close.reason)
        }
        self.locked.withLock { locked in
            locked.socket = socket
            locked.sending = sending
        }
    }
}

extension WebSocketLink {
    /// What the WebSocket of a link receives; nothing where there is none.
    struct Messages: AsyncSequence, Sendable {
        let link: WebSocketLink
        let socket: WebSocket?

        func makeAsyncIterator() -> Iterator { Iterator(link: self.link, messages: self.socket?.makeAsyncIterator()) }

        struct Iterator: AsyncIteratorProtocol {
            let link: WebSocketLink
            var messages: WebSocket.Iterator?

            mutating func next(
                isolation actor: isolated (any Actor)? = #isolation
            ) async throws(ClientError) -> WebSocketMessage? {
                do throws(ClientError) {
                    if let message = try await self.messages?.next(isolation: actor) { return message }
                } catch {
                    self.link.ended()
                    throw error
                }
                self.link.ended()
                return nil
            }
        }
    }
}
