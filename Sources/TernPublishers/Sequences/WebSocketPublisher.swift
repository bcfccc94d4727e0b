// SPDX-License-Identifier: Apache-2.0
import Synchronization
public import TernFoundation

/// Publishes the messages of a WebSocket, and sends messages: a subject whose other end is the server.
///
/// ```swift
/// let chat = client.webSocketPublisher(from: url)
/// chat.sink(receiveCompletion: { print($0) }) { message in show(message) }
///     .store(in: &cancellables)
/// chat.send("hello")
/// ```
///
/// **Receiving.** Each subscriber opens its own WebSocket when it first asks for a message, and gets a message only when it asks
/// for one. If it is slow, the client reads nothing while messages of `maximumQueuedByteCount` bytes wait. The publisher
/// finishes when the server has closed the WebSocket cleanly, or this side has closed it, which a subscriber learns only when it
/// asks for one more message; otherwise, it fails with a `ClientError`. Cancelling the subscription closes the WebSocket with the
/// code 1001, without waiting for the server's answer.
///
/// **Sending.** Messages go out on the WebSocket of each subscriber, in the order of the calls of `send`, once it is open.
///
/// **Sharing.** `share()` gives the messages of one WebSocket to several subscribers. It asks for an unlimited number of
/// messages, and a subscriber without demand misses those that arrive, so use `.buffer(size:prefetch:whenFull:)` after it, or a
/// loop with a ``BufferingPolicy`` that buffers.
public final class WebSocketPublisher: Publisher, Sendable {
    public typealias Output = WebSocketMessage
    public typealias Failure = ClientError

    typealias Opening = @Sendable () async throws(ClientError) -> WebSocket

    private struct Entry {
        weak var link: WebSocketLink?
    }

    private let open: Opening
    private let entries = Mutex<[Entry]>([])

    init(_ open: @escaping Opening) { self.open = open }

    public func receive<Downstream: Subscriber>(subscriber: Downstream)
    where Downstream.Input == WebSocketMessage, Downstream.Failure == ClientError {
        let link = WebSocketLink()
        self.entries.withLock { entries in
            entries.removeAll { $0.link == nil }
            entries.append(Entry(link: link))
        }
        let driver = PullDriver<WebSocketLink.Messages>(AnySubscriber(subscriber)) { [open] () throws(ClientError) in
            guard !link.isClosedUnused else { return WebSocketLink.Messages(link: link, socket: nil) }
            let socket = try await open()
            link.opened(socket)
            return WebSocketLink.Messages(link: link, socket: socket)
        }
        DrivenSubscription(driver).attach(to: subscriber)
    }

    private var links: [WebSocketLink] { self.entries.withLock { $0.compactMap(\.link) } }

    /// Sends a message without waiting.
    ///
    /// - Parameter message: The message to send.
    /// - Returns: Whether the WebSocket of every subscriber accepted the message. `false` if there is no subscriber, if a
    ///   WebSocket is closing or closed, or if its queue is full: a queue takes at most 256 messages and, unless it was empty,
    ///   1 MiB. The WebSockets that accepted the message send it even then. `true` does not mean that the message arrives: the
    ///   WebSocket may end first.
    @discardableResult
    public func send(_ message: WebSocketMessage) -> Bool {
        let links = self.links
        // Offer the message to every WebSocket, even if another one refuses it.
        return links.map { $0.send(message) }.allSatisfy { $0 } && !links.isEmpty
    }

    /// Sends text; see ``send(_:)-(WebSocketMessage)``.
    @discardableResult
    public func send(_ text: String) -> Bool { self.send(.text(text)) }

    /// Closes the WebSocket of each subscriber once the queued messages are sent, and returns at once.
    ///
    /// Messages that a subscriber has not asked for are dropped. If the opening of a WebSocket has not begun, the subscriber opens
    /// it only if it asks for a message and a message is queued.
    ///
    /// - Parameters:
    ///   - code: The close code.
    ///   - reason: The reason in words, truncated to 123 bytes in UTF-8.
    public func close(code: CloseCode = .normalClosure, reason: String = "") {
        for link in self.links { link.close(code, reason) }
    }
}

extension Client {
    /// Returns a publisher of a WebSocket at a `ws`, `wss`, `http` or `https` URL, where `http` stands for `ws`, and `https` for
    /// `wss`.
    public func webSocketPublisher(
        from url: URL,
        options: WebSocketOptions = WebSocketOptions(),
        delegate: (any TaskDelegate)? = nil
    ) -> WebSocketPublisher {
        self.webSocketPublisher(for: Request(url: url), options: options, delegate: delegate)
    }

    /// Returns a publisher that receives and sends the messages of a WebSocket.
    ///
    /// The publisher fails with the errors of `webSocket(for:)`, and with those of iterating over the open WebSocket.
    public func webSocketPublisher(
        for request: Request,
        options: WebSocketOptions = WebSocketOptions(),
        delegate: (any TaskDelegate)? = nil
    ) -> WebSocketPublisher {
        WebSocketPublisher { () throws(ClientError) in
            try await self.webSocket(for: request, options: options, delegate: delegate)
        }
    }
}
