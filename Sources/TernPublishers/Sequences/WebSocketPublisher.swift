// SPDX-License-Identifier: Apache-2.0
import Synchronization
public import TernFoundation

/// Publishes the messages of a WebSocket, and sends messages: a subject whose other end is the server.
///
/// ```swift
/// let chat = client.webSocketPublisher(from: url)
/// chat.sink(receiveCompletion: { print($0) }) { message in show(message) }.store(in: &cancellables)
/// chat.send("hello")
/// ```
///
/// **Receiving.** The publisher opens a WebSocket when a subscriber first asks for a message, and reads a message only
/// when the subscriber asks for one: a slow subscriber makes the server wait. A subscriber learns of the end only when
/// it asks for one more message. The publisher finishes when either side has closed the WebSocket cleanly; otherwise it
/// fails with a `ClientError`. Cancelling the subscription closes the WebSocket with the code 1001, and closes the
/// connection at once, without waiting for the server's answer.
///
/// **Sending.** Messages go out on the WebSocket of each subscriber, in the order of the calls of `send`. A message
/// that is sent before the WebSocket is open waits until then.
///
/// **Sharing.** Usually there is one subscriber. `share()` gives the messages of one WebSocket to several subscribers.
/// It asks for an unlimited number of messages, whatever its subscribers ask for. A subscriber without demand misses
/// the messages that arrive. After `share()`, use `.buffer(size:prefetch:whenFull:)`, or a loop with a
/// ``BufferingPolicy`` that buffers.
///
/// Each subscriber opens its own WebSocket. The publisher retains none of them.
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
    /// - Returns: `true` if the WebSocket of every subscriber accepted the message. `false` if there is no subscriber,
    ///   if a WebSocket is closed, or if its queue is full: the queue takes at most 256 messages, and only an empty
    ///   queue takes a message that brings it above 1 MiB. Even if the result is `false`, a WebSocket that accepted the
    ///   message sends it. `true` does not mean that the message arrives: the WebSocket may end first, and then the
    ///   subscriber receives its completion.
    @discardableResult
    public func send(_ message: WebSocketMessage) -> Bool {
        let links = self.links
        // Offer the message to every WebSocket, even if another one refuses it.
        return links.map { $0.send(message) }.allSatisfy { $0 } && !links.isEmpty
    }

    /// Sends text; see ``send(_:)-(WebSocketMessage)``.
    ///
    /// - Parameter text: The text to send.
    /// - Returns: `true` if the WebSocket of every subscriber accepted the message.
    @discardableResult
    public func send(_ text: String) -> Bool { self.send(.text(text)) }

    /// Closes the WebSocket of each subscriber once the queued messages are sent; returns at once.
    ///
    /// Messages that have arrived, but that a subscriber has not asked for, are dropped. If a subscriber has not asked
    /// for any message yet, and no message is queued, the publisher opens no connection for it: when the subscriber
    /// asks for a message, it receives the completion.
    ///
    /// - Parameters:
    ///   - code: The close code. Defaults to 1000.
    ///   - reason: The reason in words, at most 123 bytes in UTF-8. Defaults to an empty string.
    public func close(code: CloseCode = .normalClosure, reason: String = "") {
        for link in self.links { link.close(code, reason) }
    }
}

extension Client {
    /// Returns a publisher that receives and sends the messages of a WebSocket.
    ///
    /// - Parameters:
    ///   - url: A `ws`, `wss`, `http` or `https` URL; `http` stands for `ws`, and `https` for `wss`.
    ///   - options: The settings of the WebSocket. Defaults to `WebSocketOptions()`.
    ///   - delegate: Handles the challenges and events of each subscriber's WebSocket. Defaults to `nil`.
    /// - Returns: The publisher. It fails with the errors of `webSocket(from:)` and of the loop over its messages.
    public func webSocketPublisher(
        from url: URL,
        options: WebSocketOptions = WebSocketOptions(),
        delegate: (any TaskDelegate)? = nil
    ) -> WebSocketPublisher {
        self.webSocketPublisher(for: Request(url: url), options: options, delegate: delegate)
    }

    /// Returns a publisher that receives and sends the messages of a WebSocket, which the client opens with a request.
    ///
    /// - Parameters:
    ///   - request: A `GET` without a body, to a `ws`, `wss`, `http` or `https` URL.
    ///   - options: The settings of the WebSocket. Defaults to `WebSocketOptions()`.
    ///   - delegate: Handles the challenges and events of each subscriber's WebSocket. Defaults to `nil`.
    /// - Returns: The publisher. It fails with the errors of `webSocket(for:)` and of the loop over its messages.
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
