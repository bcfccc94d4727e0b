// SPDX-License-Identifier: Apache-2.0
import Synchronization

/// The WebSocket of one subscriber to a ``WebSocketPublisher``; it closes when the subscription releases the link.
final class WebSocketLink: Sendable {
    /// The maximum number of messages that wait to be sent.
    ///
    /// Beyond it, `WebSocketPublisher.send` returns `false`.
    static let maximumWaitingCount = 256
    /// The maximum number of bytes that wait to be sent; a longer message may wait alone.
    static let maximumWaitingByteCount = 1 << 20

    private struct Locked {
        var socket: WebSocket?
        var sending: Task<Void, Never>?
        var close: (code: CloseCode, reason: String)?
        var waitingCount = 0
        var waitingByteCount = 0
        var isOver = false
    }

    private let locked = Mutex(Locked())
    private let messages: AsyncStream<WebSocketMessage>
    private let waiting: AsyncStream<WebSocketMessage>.Continuation

    init() {
        // The stream sets no limit, because `send` limits the number of messages that wait.
        (self.messages, self.waiting) = AsyncStream.makeStream(bufferingPolicy: .unbounded)
    }

    deinit {
        self.waiting.finish()
        // The task retains the WebSocket, so cancel the task. The WebSocket is then released and closes at once; its
        // own `cancel()` would wait for the server's answer.
        self.locked.withLock { $0.sending }?.cancel()
    }

    /// Whether the link was closed before its WebSocket was opened, and no message waits.
    var isClosedUnused: Bool { self.locked.withLock { $0.close != nil && $0.waitingCount == 0 && $0.socket == nil } }

    func send(_ message: WebSocketMessage) -> Bool {
        let byteCount = message.byteCount
        let socket = self.locked.withLock { $0.socket }
        // The server may have closed the WebSocket, although the subscriber learns that only when it asks for a
        // message.
        if let socket, socket.closeCode != nil || socket.outcome != nil { self.ended() }
        return self.locked.withLock { locked in
            guard !locked.isOver, locked.close == nil, locked.waitingCount < Self.maximumWaitingCount,
                locked.waitingCount == 0
                    || locked.waitingByteCount + byteCount <= Self.maximumWaitingByteCount
            else { return false }
            locked.waitingCount += 1
            locked.waitingByteCount += byteCount
            // Yield inside the lock: otherwise `close` could come after the count and before the yield, and drop the
            // message.
            self.waiting.yield(message)
            return true
        }
    }

    func close(_ code: CloseCode, _ reason: String) {
        self.locked.withLock { if $0.close == nil { $0.close = (code, reason) } }
        self.waiting.finish()
    }

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

    func opened(_ socket: WebSocket) {
        let sending = Task { [messages, weak self] in
            for await message in messages {
                do throws(ClientError) {
                    try await socket.send(message)
                } catch {
                    // Do not report the error here: the subscriber receives it with the end of the messages.
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
    /// The messages that the WebSocket of a link receives; empty if the WebSocket was never opened.
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
