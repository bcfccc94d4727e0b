// SPDX-License-Identifier: Apache-2.0
package import TernConnections
public import TernErrors
import TernRetry

/// A sequence of messages and other events from one server, which may open another WebSocket when one ends.
///
/// ```swift
/// let events = client.reconnectingWebSocket(from: url) { socket throws(ClientError) in
///     try await socket.send("subscribe")
/// }
/// for try await event in events {
///     switch event {
///     case .connected, .reconnected: showOnline()
///     case .message(let message): show(message)
///     case .disconnected(let disconnection, let attempt):
///         showOffline(disconnection, attempt)
///     }
/// }
/// ```
///
/// The sequence connects only while a task awaits an element: pauses and connecting happen inside `next()`. Each iterator opens its
/// own WebSockets. Leaving the loop, or cancelling its task, closes the WebSocket, unless your code retains it.
///
/// The ``ReconnectionPolicy`` decides whether the end of a WebSocket is final; a close by this side always is. After a final end,
/// the sequence throws if the WebSocket failed, and otherwise ends with `nil`.
public struct ReconnectingWebSocket: AsyncSequence, Sendable {
    package typealias Connect = @Sendable () async throws(ClientError) -> WebSocket
    package typealias Hook = @Sendable (WebSocket) async throws(ClientError) -> Void

    /// An event of the sequence.
    public enum Element: Sendable {
        /// The first WebSocket is open.
        case connected(WebSocket)
        /// A message arrived.
        case message(WebSocketMessage)
        /// A WebSocket ended or could not be opened, or `onConnect` threw.
        ///
        /// `attempt` is the number of the next attempt to reconnect, even if the sequence ends instead. It starts again from 1
        /// after a WebSocket that the sequence has used for at least the policy's `stableDuration`.
        case disconnected(WebSocketDisconnection, attempt: Int)
        /// A WebSocket is open again; what the server sent in between is lost if the server does not store it.
        case reconnected(WebSocket)
    }

    let policy: ReconnectionPolicy
    let clock: any TransportClock
    let connect: Connect
    let onConnect: Hook?

    /// Creates a sequence, as `Client.reconnectingWebSocket` does; a WebSocket counts as failed if `onConnect` throws.
    package init(
        policy: ReconnectionPolicy = ReconnectionPolicy(),
        clock: any TransportClock = SystemClock(),
        connect: @escaping Connect,
        onConnect: Hook? = nil
    ) {
        self.policy = policy
        self.clock = clock
        self.connect = connect
        self.onConnect = onConnect
    }

    public func makeAsyncIterator() -> Iterator { Iterator(self) }

    /// Delivers the events to one task.
    public struct Iterator: AsyncIteratorProtocol {
        private enum State {
            case idle
            /// The sequence has used this WebSocket since this instant. Ends when `next()` finds its end or a cancellation.
            case open(WebSocket, since: ClockInstant)
            /// The next call connects after this pause.
            case pausing(Duration)
            /// The next call throws this error, or returns `nil`, and ends this state.
            case ending(ClientError?)
            case over
        }

        private let sequence: ReconnectingWebSocket
        private var state = State.idle
        private var count = AttemptCount()
        private var wasOpen = false

        init(_ sequence: ReconnectingWebSocket) { self.sequence = sequence }

        /// Returns the next event, or `nil` when the sequence has ended normally.
        ///
        /// - Throws: `ClientError` when a failure is final, and `.cancelled` when the task is cancelled, which also releases the
        ///   WebSocket; later calls return `nil`.
        public mutating func next(
            isolation actor: isolated (any Actor)? = #isolation
        ) async throws(ClientError) -> Element? {
            switch self.state {
            case .idle:
                return try await self.open()
            case .open(let socket, let since):
                return try await self.read(socket, since)
            case .pausing(let delay):
                try await self.pause(delay)
                return try await self.open()
            case .ending(let error):
                self.state = .over
                if let error { throw error }
                return nil
            case .over:
                return nil
            }
        }

        private mutating func open() async throws(ClientError) -> Element? {
            var socket: WebSocket?
            do throws(ClientError) {
                let opened = try await self.sequence.connect()
                socket = opened
                try await self.sequence.onConnect?(opened)
                defer { self.wasOpen = true }
                self.state = .open(opened, since: self.sequence.clock.now)
                return self.wasOpen ? .reconnected(opened) : .connected(opened)
            } catch {
                try self.endIfCancelled(error)
                return self.disconnected(socket, error, after: nil)
            }
        }

        private mutating func read(
            _ socket: WebSocket,
            _ since: ClockInstant
        ) async throws(ClientError) -> Element? {
            var failure: ClientError?
            var messages = socket.makeAsyncIterator()
            do throws(ClientError) {
                if let message = try await messages.next() { return .message(message) }
            } catch {
                try self.endIfCancelled(error)
                failure = error
            }
            return self.disconnected(socket, failure, after: since.duration(to: self.sequence.clock.now))
        }

        private mutating func disconnected(
            _ socket: WebSocket?,
            _ error: ClientError?,
            after duration: Duration?
        ) -> Element {
            let policy = self.sequence.policy
            var disconnection = WebSocketDisconnection(
                error: error,
                closeCode: socket?.closeCode,
                closeReason: socket?.closeReason ?? ""
            )
            // The server's close code says more than the error that `onConnect` threw.
            if case .webSocketClosed? = error, disconnection.closeCode != nil { disconnection.error = nil }
            let isWanted = socket?.isClosedHere ?? false
            self.count.ended(after: duration, stableDuration: policy.stableDuration)
            let isLast = policy.maximumAttemptCount.map { self.count.number > $0 } ?? false
            if isWanted || isLast || policy.isFinal(disconnection) {
                self.state = .ending(disconnection.error)
            } else {
                var generator = SystemRandomNumberGenerator()
                // Add the random pause, because many clients may have received the same `Retry-After`.
                let retryAfter = error?.requestedDelay(now: self.sequence.clock.date) ?? .zero
                let delay = policy.delay(before: self.count.number, using: &generator) + retryAfter
                disconnection.retryDelay = delay
                self.state = .pausing(delay)
            }
            return .disconnected(disconnection, attempt: self.count.number)
        }

        private mutating func endIfCancelled(_ error: ClientError) throws(ClientError) {
            guard error.isCancellation, Task.isCancelled else { return }
            self.state = .over
            throw error
        }

        private mutating func pause(_ delay: Duration) async throws(ClientError) {
            let clock = self.sequence.clock
            let end = clock.now.advanced(by: delay)
            if await Suspension<Bool>().wait(until: end, on: clock, onTimeout: true, onCancel: false) { return }
            self.state = .over
            throw .cancelled(ClientError.Context(phase: .retry, attempt: self.count.number))
        }
    }
}

@available(*, unavailable)
extension ReconnectingWebSocket.Iterator: Sendable {}
