// SPDX-License-Identifier: Apache-2.0
import HTTPTypes
import NIOCore
import TernCompression
public import TernErrors
public import TernFoundation
public import TernRequests
import TernTransport
import TernValidation
public import TernWebSocket
import TernWebSocketCore

extension Client {
    /// Opens a WebSocket to a `ws`, `wss`, `http` or `https` URL, as ``webSocket(for:options:delegate:)`` does for a request.
    public func webSocket(
        from url: URL,
        options: WebSocketOptions = WebSocketOptions(),
        delegate: (any TaskDelegate)? = nil
    ) async throws(ClientError) -> WebSocket {
        try await self.webSocket(for: Request(url: url), options: options, delegate: delegate)
    }

    /// Opens a WebSocket with a request, which may set fields, timeouts, or a Unix-domain socket.
    ///
    /// The handshake is a call like any other: interceptors, connection limits, TLS settings and timeouts apply to it, but no
    /// validation rules. Afterwards, an HTTP/1.1 connection belongs to the WebSocket and no longer counts towards the limit of
    /// connections per host. By default, the WebSocket uses an open HTTP/2 connection to the server if that can open another
    /// WebSocket (RFC 8441), otherwise an HTTP/1.1 connection. With `HTTPVersionPolicy.http2PriorKnowledge`, it uses only HTTP/2. A
    /// WebSocket over `URLSession` is not possible.
    ///
    /// - Parameters:
    ///   - request: A `GET` request without a body, for a `ws`, `wss`, `http` or `https` URL; `http` stands for `ws`, and `https`
    ///     for `wss`.
    ///   - options: The options for opening the WebSocket and keeping it open.
    ///   - delegate: Handles this WebSocket's challenges and events. Retained until the WebSocket is closed.
    /// - Returns: The open WebSocket. When your last reference to it and to its iterators is gone, it closes.
    /// - Throws: `ClientError`, as ``data(for:delegate:)`` does. `.webSocketRefused` when the server does not accept the handshake:
    ///   the error has the head of the server's response, and the beginning of any body. `.invalidRequest` when the request cannot
    ///   open a WebSocket.
    public func webSocket(
        for request: Request,
        options: WebSocketOptions = WebSocketOptions(),
        delegate: (any TaskDelegate)? = nil
    ) async throws(ClientError) -> WebSocket {
        let handshake: OpeningHandshake
        do throws(ClientError) {
            handshake = OpeningHandshake(try Self.handshake(for: request, options))
        } catch {
            throw await self.refusing(error, request, delegate)
        }
        var (call, reply) = try await self.exchange(request.asking(for: handshake), delegate)
        do throws(ClientError) {
            return try await self.webSocket(over: reply, of: call, handshake.current, options)
        } catch {
            reply.discardBody()  // first, so that the delegate gets the body's events before the end of the call
            await call.delegation?.finish(error)
            throw error
        }
    }

    private func webSocket(
        over reply: HTTPReply,
        of call: HTTPCall,
        _ handshake: ClientHandshake,
        _ options: WebSocketOptions
    ) async throws(ClientError) -> WebSocket {
        let response = reply.response
        let context = { call.context(.head, response: response.httpResponse) }
        let isExtendedConnect = response.httpVersion == .http2 && reply.upgrade != nil
        guard response.statusCode == 101 || isExtendedConnect else {
            let limit = self.configuration.maximumErrorBodyByteCount
            let kept = try await BodyExcerpt.reading(reply.body, limit: limit, for: call)
            let reason = WebSocketFailure.Reason.status(response.statusCode)
            let refusal = WebSocketFailure(reason, body: kept.bytes, isBodyComplete: kept.isComplete)
            throw .webSocketRefused(refusal, context())
        }
        let accepted: AcceptedHandshake
        do throws(HandshakeViolation) {
            accepted =
                isExtendedConnect
                ? try handshake.checkExtendedConnect(status: response.statusCode, fields: response.fields)
                : try handshake.check(status: response.statusCode, fields: response.fields)
        } catch {
            let reason = WebSocketFailure.Reason.handshake(section: error.section, reason: error.reason)
            throw .webSocketRefused(WebSocketFailure(reason), context())
        }
        guard let upgrade = reply.upgrade else { throw .webSocketRefused(WebSocketFailure(.notSupported), context()) }
        let delegation = call.delegation
        delegation?.didOpenWebSocket(accepted.subprotocol)
        var onEnd: (@Sendable (WebSocketEnd) -> Void)?
        if let delegation {
            onEnd = { end in
                delegation.didCloseWebSocket(end.code, end.reason)
                delegation.finishNow(end.error)
            }
        }
        return WebSocket(
            upgrade,
            accepted,
            options: options,
            isStream: isExtendedConnect,
            origin: call.destination.origin.description,
            clock: self.clock,
            onEnd: onEnd
        )
    }

    /// Returns a sequence of WebSocket events, as ``reconnectingWebSocket(for:options:policy:delegate:onConnect:)`` does for a
    /// request.
    public func reconnectingWebSocket(
        from url: URL,
        options: WebSocketOptions = WebSocketOptions(keepAlive: WebSocketKeepAlive()),
        policy: ReconnectionPolicy = ReconnectionPolicy(),
        delegate: (any TaskDelegate)? = nil,
        onConnect: (@Sendable (WebSocket) async throws(ClientError) -> Void)? = nil
    ) -> ReconnectingWebSocket {
        self.reconnectingWebSocket(
            for: Request(url: url),
            options: options,
            policy: policy,
            delegate: delegate,
            onConnect: onConnect
        )
    }

    /// Returns a sequence that delivers messages, and can open another WebSocket with the same request when one ends.
    ///
    /// The client connects when you await the first event; see `ReconnectingWebSocket`.
    ///
    /// - Parameters:
    ///   - request: A `GET` request without a body, for a `ws`, `wss`, `http` or `https` URL.
    ///   - options: The options of each WebSocket. Defaults to the default options with keep-alive.
    ///   - policy: Decides whether and when to open another WebSocket.
    ///   - delegate: Handles the challenges and events of each WebSocket.
    ///   - onConnect: A closure that the sequence calls with each new WebSocket before its first message, for example to subscribe.
    ///     If it throws, the WebSocket counts as failed.
    /// - Returns: A sequence of events, including the messages.
    public func reconnectingWebSocket(
        for request: Request,
        options: WebSocketOptions = WebSocketOptions(keepAlive: WebSocketKeepAlive()),
        policy: ReconnectionPolicy = ReconnectionPolicy(),
        delegate: (any TaskDelegate)? = nil,
        onConnect: (@Sendable (WebSocket) async throws(ClientError) -> Void)? = nil
    ) -> ReconnectingWebSocket {
        ReconnectingWebSocket(
            policy: policy,
            clock: self.clock,
            connect: { () async throws(ClientError) -> WebSocket in
                try await self.webSocket(for: request, options: options, delegate: delegate)
            },
            onConnect: onConnect
        )
    }

    private static func handshake(
        for request: Request,
        _ options: WebSocketOptions
    ) throws(ClientError) -> ClientHandshake {
        let context = ClientError.Context(phase: .prepare)
        guard request.method == .get else {
            throw .invalidRequest(.webSocketNotPossible("the method must be GET"), context)
        }
        guard request.body == nil else {
            throw .invalidRequest(.webSocketNotPossible("it must have no body"), context)
        }
        do throws(CompressionError) {
            try options.compression.parameters.validate()
        } catch {
            throw .invalidRequest(.webSocketNotPossible("\(error)"), context)
        }
        var generator = SystemRandomNumberGenerator()
        do throws(HandshakeError) {
            return try ClientHandshake(
                subprotocols: options.subprotocols,
                deflate: options.compression.offer,
                using: &generator
            )
        } catch {
            throw .invalidRequest(.webSocketNotPossible("\(error)"), context)
        }
    }
}

extension Request {
    fileprivate func asking(for handshake: OpeningHandshake) -> Request {
        self.with { request in
            // If the request has a recorded problem, leave the URL unchanged: assigning the URL would clear the
            // problem, and the client would no longer refuse the request.
            if self.problem == nil, let url = self.url.withoutWebSocketScheme { request.url = url }
            // The WebSocket handshake has its own rules for the response (RFC 6455 §4.1) and its own error, so
            // validation rules do not apply.
            request.options.validation = []
            request.options.openingHandshake = handshake
            for field in handshake.current.fields {
                request.fields[values: field.name] = [field.value]
            }
        }
    }
}

extension URL {
    /// The URL for the handshake (RFC 6455 §3), with `http` in place of `ws`; `nil` if the URL needs no change.
    fileprivate var withoutWebSocketScheme: URL? {
        let text = self.absoluteString
        switch self.scheme?.lowercased() {
        case "ws": return try? URLReference("http" + text.dropFirst(2)).url()
        case "wss": return try? URLReference("https" + text.dropFirst(3)).url()
        default: return nil
        }
    }
}
