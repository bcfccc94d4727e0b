// SPDX-License-Identifier: Apache-2.0
public import TernErrors
import TernWebSocketCore

#if canImport(FoundationEssentials)
import FoundationEssentials
#else
import Foundation
#endif

extension WebSocket: AsyncSequence {
    public func makeAsyncIterator() -> Iterator { Iterator(self) }

    /// Delivers the messages.
    ///
    /// It belongs to one task and retains the WebSocket.
    public struct Iterator: AsyncIteratorProtocol {
        private let socket: WebSocket
        @usableFromInline let queue: MessageQueue
        @usableFromInline var turn: UInt8 = 0

        init(_ socket: WebSocket) {
            self.socket = socket
            self.queue = socket.driver.queue
        }

        /// Returns the next message; `nil` once the WebSocket was closed cleanly.
        ///
        /// A message that has arrived already is returned without suspending.
        ///
        /// - Throws: `ClientError`, once, when the WebSocket ended otherwise; `.cancelled` when the task is cancelled,
        ///   which leaves the WebSocket open for others. After the cancellation, at most fifteen more messages that
        ///   have arrived already are returned.
        @inlinable @inline(__always)
        public mutating func next(
            isolation actor: isolated (any Actor)? = #isolation
        ) async throws(ClientError) -> WebSocketMessage? {
            // Inlined into the loop, this code costs one lock; a call of an asynchronous function would cost several
            // times that.
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
    /// From the next message on, this replaces the sequence of whole messages, which then throws
    /// `.bodyMisused(.readInParts, …)`. Set ``WebSocketOptions/maximumMessageByteCount`` to the length of the longest
    /// message to accept; ``WebSocketOptions/maximumQueuedByteCount`` limits what is kept in memory. A message that has
    /// arrived already is delivered as one part.
    ///
    /// ```swift
    /// for try await fragment in socket.fragments {
    ///     try file.write(contentsOf: fragment.data)
    ///     if fragment.isFinal { break }
    /// }
    /// ```
    public var fragments: some AsyncSequence<WebSocketFragment, ClientError> & Sendable {
        self.driver.queue.switchToFragments()
        return Fragments(socket: self)
    }

    /// The messages of a WebSocket in parts; see ``WebSocket/fragments``.
    struct Fragments: AsyncSequence, Sendable {
        let socket: WebSocket

        func makeAsyncIterator() -> Iterator { Iterator(socket: self.socket) }

        /// Delivers the parts.
        ///
        /// It belongs to one task and retains the WebSocket.
        struct Iterator: AsyncIteratorProtocol {
            let socket: WebSocket

            /// Returns the next part; `nil` once the WebSocket was closed cleanly.
            ///
            /// - Throws: The same errors as ``WebSocket/Iterator/next(isolation:)``.
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
