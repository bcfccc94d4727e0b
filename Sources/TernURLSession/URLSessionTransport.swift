// SPDX-License-Identifier: Apache-2.0
import HTTPTypes
public import TernErrors
import TernRequests
public import TernTransport
public import TernURLLoading

/// A transport that sends requests with `URLSession`.
///
/// ```swift
/// let configuration = URLSessionConfiguration.default
/// configuration.allowsCellularAccess = false
/// let client = Client(transport: URLSessionTransport(configuration))
/// ```
///
/// The client works as with its own transport: its methods, stages, delegates, time limits and errors stay the same.
/// `URLSession` makes the connections, so the rules of the system apply to them. <doc:UsingTheSystemsNetworking> lists
/// what this transport can and cannot do on each platform.
///
/// The transport turns off what the client's stages do: the cookies, the cache, the credentials and the redirects of
/// `URLSession`. Releasing the transport ends its session; running exchanges continue to their end.
public final class URLSessionTransport: Transport {
    /// The unread bytes at which a transfer is paused, and those at which it goes on.
    ///
    /// A reader that is as fast as the network never meets the first number; `URLSession` delivers pieces of up to 64
    /// KiB, and some of them may arrive after `suspend()`.
    private static let pausing = ExchangeStateMachine.Buffering.pausing(low: 256 << 10, high: 1 << 20)

    private let capabilities = PlatformCapabilities.current
    private let configuration: URLSessionConfiguration
    private let buffering: ExchangeStateMachine.Buffering
    private let maximumStreamByteCount: Int
    private let session: ManagedSession

    /// Creates a transport with its own session.
    ///
    /// - Parameters:
    ///   - configuration: The configuration of the session, which is copied. It must not be one for a background
    ///     session. The transport replaces its settings for cookies, the cache, credentials and the time limit of a
    ///     request. Defaults to the default configuration of `URLSession`.
    ///   - maximumUnreadByteCount: The number of bytes of one response body that may wait to be read, on a platform
    ///     whose `URLSession` cannot pause a transfer, such as Linux. With more, the call fails with
    ///     ``URLSessionTransportError/tooManyUnreadBytes(limit:)``. No effect on Apple's platforms, where the transport
    ///     pauses the transfer at 1 MiB. Defaults to 64 MiB, which a slow disk does not reach.
    ///   - maximumStreamByteCount: The maximum length of a request body that is a stream or a form, in bytes, on a
    ///     platform whose `URLSession` cannot stream, such as Linux: there, the transport reads it into memory before
    ///     it sends the request. A longer one fails with ``URLSessionTransportError/requestBodyTooLong(limit:)``. No
    ///     effect on Apple's platforms, and on bodies from memory or from a file. Defaults to 64 MiB.
    public init(
        _ configuration: URLSessionConfiguration = .default,
        maximumUnreadByteCount: Int = 64 << 20,
        maximumStreamByteCount: Int = 64 << 20
    ) {
        precondition(configuration.identifier == nil, "a background session cannot run the tasks of a transport")
        self.configuration = configuration.withoutStages()
        self.buffering = self.capabilities.pausesTransfers ? Self.pausing : .bounded(limit: maximumUnreadByteCount)
        self.maximumStreamByteCount = maximumStreamByteCount
        self.session = ManagedSession(self.configuration)
    }

    /// Sends the request and returns when the head of the final response has arrived.
    ///
    /// - Throws: `ClientError`; `.interceptorFailed` with a ``URLSessionTransportError`` for what `URLSession` cannot
    ///   do. Cancelling the task cancels the task of `URLSession` at once.
    public func respond(to call: HTTPCall) async throws(ClientError) -> HTTPReply {
        guard !Task.isCancelled else { throw .cancelled(call.context(.prepare)) }
        try self.check(call)
        var body = try OutgoingBody(call)
        if !self.capabilities.streamsBodies {
            body = try await body.buffered(for: call, limit: self.maximumStreamByteCount)
        }
        var isAlone = body.isPresent && !self.capabilities.rewindsBodies
        while true {
            let exchange = try self.begin(call, body, isAlone: isAlone)
            do throws(ClientError) {
                return self.reply(try await exchange.head(), exchange)
            } catch {
                exchange.leave()
                guard exchange.needsOwnSession, !isAlone else { throw error }
                if case .stream(let stream) = body, !stream.isReplayable {
                    throw .uploadFailed(.notReplayable, call.context(.send))
                }
                isAlone = true
            }
        }
    }

    /// Begins an exchange.
    ///
    /// - Parameters:
    ///   - call: The call.
    ///   - body: The request body.
    ///   - isAlone: Whether the exchange gets a session, and so a connection, of its own.
    /// - Returns: The exchange.
    /// - Throws: `ClientError.invalidRequest` if the request cannot be sent.
    private func begin(
        _ call: HTTPCall,
        _ body: OutgoingBody,
        isAlone: Bool
    ) throws(ClientError) -> SessionExchange {
        var announcedLength: Int64?
        if case .stream(let stream) = body { announcedLength = stream.length }
        let outgoing = try OutgoingURLRequest(call, hasBody: body.isPresent, announcedLength: announcedLength)
        let exchange = SessionExchange(
            call,
            body,
            self.buffering,
            asksForCodings: outgoing.asksForCodings,
            self.capabilities,
            isAlone: isAlone
        )
        let session = isAlone ? ManagedSession(self.configuration) : self.session
        session.begin(exchange, outgoing.urlRequest, body)
        return exchange
    }

    private func reply(_ head: ReceivedHead, _ exchange: SessionExchange) -> HTTPReply {
        let call = exchange.call
        let response = Response(url: call.request.url, status: .init(code: head.statusCode), fields: head.fields)
        return HTTPReply(
            response: response,
            body: ResponseBody(SessionBodySource(exchange, length: head.bodyLength))
        )
    }

    /// Checks that `URLSession` has what the request needs.
    ///
    /// - Throws: `ClientError` if it has not.
    private func check(_ call: HTTPCall) throws(ClientError) {
        let (options, context) = (call.request.options, call.context(.prepare))
        if call.upgrade != nil || call.request.method == .connect { throw .unsupported(.upgrade, context) }
        if options.unixSocketPath != nil { throw .unsupported(.unixSocket, context) }
        if options.proxy != nil { throw .unsupported(.requestProxy, context) }
        guard options.versions ?? .automatic == .automatic else { throw .unsupported(.httpVersion, context) }
    }
}
