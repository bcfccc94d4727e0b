// SPDX-License-Identifier: Apache-2.0
public import TernErrors
import TernFoundation
import TernWebSocketCore

extension WebSocket: AsyncSequence {
    public func makeAsyncIterator() -> Iterator { Iterator(self) }

    /// Delivers the messages to one task, and retains the WebSocket.
    public struct Iterator: AsyncIteratorProtocol {
        private let socket: WebSocket
        @usableFromInline let queue: MessageQueue
        @usableFromInline var turn: UInt8 = 0

        init(_ socket: WebSocket) {
            self.socket = socket
            self.queue = socket.driver.queue
        }

        /// Returns the next message, or `nil` when the server closed the WebSocket cleanly or this side closed it.
        ///
        /// - Throws: `ClientError` when the WebSocket ended in another way: usually from all calls that wait at that moment, or
        ///   else from the first that finds no message; later calls return `nil`. `.cancelled` when the task is cancelled; the
        ///   WebSocket stays open, and up to fifteen calls may still return arrived messages. `.bodyMisused` for a part.
        @inlinable @inline(__always)
        public mutating func next(
            isolation actor: isolated (any Actor)? = #isolation
        ) async throws(ClientError) -> WebSocketMessage? {
            // Inlined, this code costs one lock. A call of an asynchronous function would cost several times as much.
            self.turn = (self.turn &+ 1) & 15
            if let message = self.queue.takeArrived(checksCancellation: self.turn == 1) { return message }
            return try await self.wait()
        }

        @usableFromInline
        func wait() async throws(ClientError) -> WebSocketMessage? {
            let driver = self.socket.driver
            switch try await driver.queue.take(driver.context) {
            case .message(let message)?: return message
            case .fragment?: throw .bodyMisused(.readInParts, driver.context())
            case nil: return nil
            }
        }
    }

    /// The parts of messages as they arrive, for messages that are too large for memory.
    ///
    /// Reading this property switches the WebSocket to parts, from about the next message on; earlier messages are delivered whole,
    /// each as one part. An iteration over whole messages then throws `.bodyMisused(.readInParts, …)` at a part of a later message.
    ///
    /// ``WebSocketOptions/maximumMessageByteCount`` still limits the length of a message: set it to the longest that you accept.
    /// ``WebSocketOptions/maximumQueuedByteCount`` limits the number of bytes that wait, as for whole messages.
    public var fragments: some AsyncSequence<WebSocketFragment, ClientError> & Sendable {
        self.driver.queue.switchToFragments()
        return Fragments(socket: self)
    }

    struct Fragments: AsyncSequence, Sendable {
        let socket: WebSocket

        func makeAsyncIterator() -> Iterator { Iterator(socket: self.socket) }

        struct Iterator: AsyncIteratorProtocol {
            let socket: WebSocket

            mutating func next(
                isolation actor: isolated (any Actor)? = #isolation
            ) async throws(ClientError) -> WebSocketFragment? {
                let driver = self.socket.driver
                switch try await driver.queue.take(driver.context) {
                case .fragment(let fragment)?:
                    return fragment
                case .message(let message)?:
                    let data = message.withPayload { payload in payload.withUnsafeBytes { Data($0) } }
                    return WebSocketFragment(kind: message.kind, data: data, isFinal: true)
                case nil:
                    return nil
                }
            }
        }
    }
}

@available(*, unavailable)
extension WebSocket.Iterator: Sendable {}
