// SPDX-License-Identifier: Apache-2.0
import Synchronization

#if canImport(FoundationEssentials)
public import FoundationEssentials
#else
public import Foundation
#endif

/// Publishes the messages of a WebSocket, and sends others by it: a subject whose other end is the server.
///
/// ```swift
/// let chat = client.webSocketPublisher(from: url)
/// chat.sink(receiveCompletion: { print($0) }) { message in show(message) }.store(in: &cancellables)
/// chat.send("hello")
/// ```
///
/// **Receiving.** A WebSocket is opened when a subscriber first asks for a message, and messages are taken from it as they
/// are asked for: a slow subscriber makes the server wait. The end is found by asking for one message more, so it needs
/// demand, too: it finishes when either side has closed the WebSocket in order, and fails with a `ClientError` otherwise.
/// Cancelling closes it with 1001, and its connection at once, without awaiting the server's answer.
///
/// **Sending.** What is sent goes out on the WebSocket of each subscriber, in order; what is sent before it is open, once
/// it is.
///
/// **Sharing.** Mostly there is one subscriber: `share()` gives the messages of one WebSocket to several. It asks for all
/// messages at once, whatever its subscribers ask for, and one that has asked for none when a message comes does not get
/// it. Behind it, use `.buffer(size:prefetch:whenFull:)`, or a loop with a ``BufferingPolicy`` that buffers.
///
/// Each subscriber opens a WebSocket of its own. The publisher holds none of them.
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

    /// Sends a message; never waits.
    ///
    /// - Parameter message: the message.
    /// - Returns: whether the WebSocket of each subscriber takes it: `false` if there is none, if one is closed, or if 256
    ///   messages wait there already, or some that would have more than 1 MiB with it; of those none is given up. `true` does
    ///   not say that it will arrive: the WebSocket may end first, which the subscriber is told.
    @discardableResult
    public func send(_ message: WebSocketMessage) -> Bool {
        let links = self.links
        // Each is offered the message, whatever another says.
        return links.map { $0.send(message) }.allSatisfy { $0 } && !links.isEmpty
    }

    /// Sends text; see ``send(_:)-(WebSocketMessage)``.
    ///
    /// - Parameter text: the text.
    /// - Returns: whether the WebSocket of each subscriber takes it.
    @discardableResult
    public func send(_ text: String) -> Bool { self.send(.text(text)) }

    /// Closes the WebSocket of each subscriber once what waits is sent; returns at once.
    ///
    /// A message that has arrived and that its subscriber has not asked for yet is dropped then. Where no subscriber has
    /// asked for any, and nothing waits to be sent, no connection is opened any more: the first demand is met by the end.
    ///
    /// - Parameters:
    ///   - code: why; 1000 by default.
    ///   - reason: the same in words, of at most 123 bytes in UTF-8; empty by default.
    public func close(code: CloseCode = .normalClosure, reason: String = "") {
        for link in self.links { link.close(code, reason) }
    }
}

extension Client {
    /// A publisher of the messages of a WebSocket, which also sends.
    ///
    /// - Parameters:
    ///   - url: a `ws` or `wss` URL; `http` and `https` mean the same.
    ///   - options: how the WebSocket is opened and kept; the defaults by default.
    ///   - delegate: Handles the challenges and events of each subscriber's WebSocket. Defaults to `nil`.
    /// - Returns: the publisher; it fails as `webSocket(from:)` and the loop over its messages throw.
    public func webSocketPublisher(
        from url: URL,
        options: WebSocketOptions = WebSocketOptions(),
        delegate: (any TaskDelegate)? = nil
    ) -> WebSocketPublisher {
        self.webSocketPublisher(for: Request(url: url), options: options, delegate: delegate)
    }

    /// A publisher, which also sends, of the messages of a WebSocket that is opened with a request that you make.
    ///
    /// - Parameters:
    ///   - request: a `GET` without a body, to a `ws`, `wss`, `http` or `https` URL.
    ///   - options: how the WebSocket is opened and kept; the defaults by default.
    ///   - delegate: Handles the challenges and events of each subscriber's WebSocket. Defaults to `nil`.
    /// - Returns: the publisher; it fails as `webSocket(for:)` and the loop over its messages throw.
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
