// SPDX-License-Identifier: Apache-2.0
import HTTPTypes
public import TernErrors
import TernProxies
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
/// The rules of the system apply to the connections that `URLSession` makes; <doc:UsingTheSystemsNetworking> describes what this
/// transport can do on each platform. Releasing the transport ends its session; running exchanges continue to their end.
public final class URLSessionTransport: Transport {
    /// `URLSession` delivers pieces of up to 64 KiB, and some of them may arrive after `suspend()`.
    private static let pausing = ExchangeStateMachine.Buffering.pausing(low: 256 << 10, high: 1 << 20)

    private let capabilities = PlatformCapabilities.current
    private let configuration: URLSessionConfiguration
    private let buffering: ExchangeStateMachine.Buffering
    private let maximumStreamByteCount: Int
    /// Finds malformed proxies, which `URLSession` would report as an interrupted connection.
    private let router: Router
    private let session: ManagedSession

    /// Creates a transport with its own session.
    ///
    /// - Parameters:
    ///   - configuration: The configuration of the session, not one for a background session. The transport replaces its settings
    ///     for cookies, the cache, credentials and the time limit of a request, because the client takes care of these.
    ///   - maximumUnreadByteCount: The number of bytes of one response body that may wait to be read, where `URLSession` cannot
    ///     pause a transfer, such as on Linux. Beyond it, a call fails with
    ///     ``URLSessionTransportError/tooManyUnreadBytes(limit:)``. On Apple's platforms, the transport instead pauses the transfer
    ///     at 1 MiB.
    ///   - maximumStreamByteCount: The maximum length in bytes of a request body that is a stream, `Multipart` or part of a file,
    ///     where `URLSession` cannot stream, such as on Linux: the transport reads it into memory first. Beyond it, a call fails
    ///     with ``URLSessionTransportError/requestBodyTooLong(limit:)``. No effect on Apple's platforms.
    public init(
        _ configuration: URLSessionConfiguration = .default,
        maximumUnreadByteCount: Int = 64 << 20,
        maximumStreamByteCount: Int = 64 << 20
    ) {
        precondition(configuration.identifier == nil, "a background session cannot run the tasks of a transport")
        self.configuration = configuration.withoutStages()
        let limit = max(0, maximumUnreadByteCount)
        self.buffering = self.capabilities.pausesTransfers ? Self.pausing : .bounded(limit: limit)
        self.maximumStreamByteCount = max(0, maximumStreamByteCount)
        self.router =
            self.capabilities.readsEnvironment
            ? Router(.environment, environment: ProcessInfo.processInfo.environment) : Router()
        self.session = ManagedSession(self.configuration)
    }

    /// Sends the request and returns when the head of the final response has arrived.
    public func respond(to call: HTTPCall) async throws(ClientError) -> HTTPReply {
        guard !Task.isCancelled else { throw .cancelled(call.context(.prepare)) }
        try Self.check(call, self.router)
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

    /// Begins an exchange; if `isAlone`, it gets its own session, and so its own connection.
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
        let response = Response(
            url: call.request.url,
            head: Response.Head(.init(code: head.statusCode), head.fields),
            tls: exchange.tls
        )
        return HTTPReply(
            response: response,
            body: ResponseBody(SessionBodySource(exchange, length: head.bodyLength))
        )
    }

    static func check(_ call: HTTPCall, _ router: Router) throws(ClientError) {
        let (options, context) = (call.request.options, call.context(.prepare))
        if call.upgrade != nil || call.request.method == .connect { throw .unsupported(.upgrade, context) }
        if options.unixSocketPath != nil { throw .unsupported(.unixSocket, context) }
        if options.proxy != nil { throw .unsupported(.requestProxy, context) }
        guard options.versions ?? .automatic == .automatic else { throw .unsupported(.httpVersion, context) }
        _ = try router.route(for: call)
    }
}
