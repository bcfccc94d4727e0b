// SPDX-License-Identifier: Apache-2.0
import HTTPTypes
import NIOCore
import TernCompression
public import TernErrors
public import TernRequests
import TernTransport
import TernValidation
public import TernWebSocket
import TernWebSocketCore

#if canImport(FoundationEssentials)
public import FoundationEssentials
#else
public import Foundation
#endif

extension Client {
    /// Opens a WebSocket.
    ///
    /// - Parameters:
    ///   - url: a `ws` or `wss` URL; `http` and `https` mean the same.
    ///   - options: how the WebSocket is opened and kept; the defaults by default.
    ///   - delegate: Handles this WebSocket's challenges and events. Retained until it is closed. Defaults to `nil`.
    /// - Returns: the open WebSocket; releasing it closes it.
    /// - Throws: `ClientError`; see ``webSocket(for:options:delegate:)``.
    public func webSocket(
        from url: URL,
        options: WebSocketOptions = WebSocketOptions(),
        delegate: (any TaskDelegate)? = nil
    ) async throws(ClientError) -> WebSocket {
        try await self.webSocket(for: Request(url: url), options: options, delegate: delegate)
    }

    /// Opens a WebSocket with a request that you make: with fields, timeouts, or a Unix-domain socket.
    ///
    /// The handshake is a call like any other: it passes the interceptors and the connection's limits, TLS and timeouts.
    /// The connection then belongs to the WebSocket and counts as none of the host's.
    ///
    /// - Parameters:
    ///   - request: a `GET` without a body, to a `ws`, `wss`, `http` or `https` URL.
    ///   - options: how the WebSocket is opened and kept; the defaults by default.
    ///   - delegate: Handles this WebSocket's challenges and events. Retained until it is closed. Defaults to `nil`.
    /// - Returns: the open WebSocket; releasing it closes it.
    /// - Throws: `ClientError`: `.webSocketRefused` when the server answers anything but a correct 101, with the answer in
    ///   the error's context and the beginning of its body, `Client.Configuration.keptBodyByteCount` bytes at most;
    ///   `.invalidRequest`; and what any call throws. Cancelling the task ends the handshake at once.
    public func webSocket(
        for request: Request,
        options: WebSocketOptions = WebSocketOptions(),
        delegate: (any TaskDelegate)? = nil
    ) async throws(ClientError) -> WebSocket {
        let handshake: ClientHandshake
        do throws(ClientError) {
            handshake = try Self.handshake(for: request, options)
        } catch {
            throw await self.refusing(error, request, delegate)
        }
        var (call, reply) = try await self.exchange(request.asking(for: handshake), delegate)
        do throws(ClientError) {
            return try await self.webSocket(over: reply, of: call, handshake, options)
        } catch {
            reply.discardBody()  // what that ends is told before the end of the call
            await call.delegation?.finish(error)
            throw error
        }
    }

    /// Judges the answer to a handshake, and takes the connection over.
    private func webSocket(
        over reply: HTTPReply,
        of call: HTTPCall,
        _ handshake: ClientHandshake,
        _ options: WebSocketOptions
    ) async throws(ClientError) -> WebSocket {
        let response = reply.response
        let context = { call.context(.head, response: response.httpResponse) }
        guard response.statusCode == 101 else {
            let limit = self.configuration.keptBodyByteCount
            let kept = try await KeptBody.reading(reply.body, limit: limit, for: call)
            let reason = WebSocketFailure.Reason.status(response.statusCode)
            let refusal = WebSocketFailure(reason, body: kept.bytes, isBodyComplete: kept.isComplete)
            throw .webSocketRefused(refusal, context())
        }
        let accepted: AcceptedHandshake
        do throws(HandshakeViolation) {
            accepted = try handshake.check(status: response.statusCode, fields: response.fields)
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
            origin: call.destination.origin.description,
            clock: self.clock,
            onEnd: onEnd
        )
    }

    /// Messages from a WebSocket that is opened again when it ends; see `ReconnectingWebSocket`.
    ///
    /// - Parameters:
    ///   - url: a `ws` or `wss` URL.
    ///   - options: how each WebSocket is opened and kept; keep-alive is worth while here.
    ///   - policy: when and how long to try again.
    ///   - delegate: Receives the events of each handshake. Defaults to `nil`.
    ///   - onConnect: is called for each new WebSocket before it is given, to subscribe (again).
    /// - Returns: a sequence of what happens; nothing happens before its first element is awaited.
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

    /// Messages from a WebSocket that is opened with a request that you make, and opened again when it ends.
    ///
    /// - Parameters:
    ///   - request: as for ``webSocket(for:options:delegate:)``.
    ///   - options: how each WebSocket is opened and kept; keep-alive is worth while here.
    ///   - policy: when and how long to try again.
    ///   - delegate: Receives the events of each handshake. Defaults to `nil`.
    ///   - onConnect: is called for each new WebSocket before it is given, to subscribe (again).
    /// - Returns: a sequence of what happens; nothing happens before its first element is awaited.
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
        guard request.body == nil else { throw .invalidRequest(.bodyNotAllowed(method: "GET"), context) }
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
    /// The same request as a WebSocket handshake.
    fileprivate func asking(for handshake: ClientHandshake) -> Request {
        self.with { request in
            // Assigning the URL clears the recorded problem; the client refuses a request that has one.
            if self.problem == nil, let url = self.url.withoutWebSocketScheme { request.url = url }
            // The answer to a handshake has rules of its own (RFC 6455 §4.1), and an error of its own.
            request.options.validation = []
            for field in handshake.fields {
                request.fields[values: field.name] = [field.value]
            }
        }
    }
}

extension URL {
    /// The URL by which the handshake goes (RFC 6455 §3): `ws` is `http`, `wss` is `https`; `nil` if it needs no change.
    fileprivate var withoutWebSocketScheme: URL? {
        let text = self.absoluteString
        switch self.scheme?.lowercased() {
        case "ws": return try? URLReference("http" + text.dropFirst(2)).url()
        case "wss": return try? URLReference("https" + text.dropFirst(3)).url()
        default: return nil
        }
    }
}
