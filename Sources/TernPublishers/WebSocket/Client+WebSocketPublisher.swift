// SPDX-License-Identifier: Apache-2.0

#if canImport(FoundationEssentials)
public import FoundationEssentials
#else
public import Foundation
#endif

extension Client {
    /// A publisher of the messages of a WebSocket, which also sends.
    ///
    /// - Parameters:
    ///   - url: a `ws` or `wss` URL; `http` and `https` mean the same.
    ///   - options: how the WebSocket is opened and kept; the defaults by default.
    ///   - delegate: is asked and told about the WebSocket of each subscriber; nobody by default.
    /// - Returns: the publisher; it fails as `webSocket(from:)` and the loop over its messages throw.
    public func webSocketPublisher(
        from url: URL,
        options: WebSocketOptions = WebSocketOptions(),
        delegate: (any TaskDelegate)? = nil
    ) -> WebSocketPublisher {
        self.webSocketPublisher(for: Request(url: url), options: options, delegate: delegate)
    }

    /// A publisher of the messages of a WebSocket that is opened by a request of one's own, which also sends.
    ///
    /// - Parameters:
    ///   - request: a `GET` without a body, to a `ws`, `wss`, `http` or `https` URL.
    ///   - options: how the WebSocket is opened and kept; the defaults by default.
    ///   - delegate: is asked and told about the WebSocket of each subscriber; nobody by default.
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
