// SPDX-License-Identifier: Apache-2.0
import HTTPTypes
import TernAuthentication
package import TernConnections
package import TernErrors
import TernFields
import TernProxies
import TernRequests
package import TernTransport

/// The default `Transport`: HTTP/1.1 and HTTP/2 over pooled connections of any `Connector`.
///
/// Releasing the transport closes its idle connections. Running exchanges continue to their end.
package final class HTTPTransport: Transport {
    /// The maximum number of times that a refused request is sent again, without a wait; a server may end connections early.
    ///
    /// Beyond it, the call throws `ClientError.connectionLost`.
    private static let maximumRefusalCount = 10
    /// The maximum number of times that a call asks for another connection, because its connection accepted no more streams before
    /// anything was sent; the server does not notice this, so the number is higher.
    private static let maximumLateCount = 100

    private let router: Router
    private let versions: HTTPVersionPolicy
    private let settings: ExchangeSettings
    private let transferDecoder: HTTPTransportConfiguration.TransferDecoder?
    private let target: ConnectionTarget
    private let pool: ConnectionPool

    package init(
        _ configuration: HTTPTransportConfiguration,
        connector: any Connector,
        clock: any TransportClock = SystemClock()
    ) {
        self.router = configuration.router
        self.versions = configuration.versions
        self.settings = ExchangeSettings(configuration)
        self.transferDecoder = configuration.transferDecoder
        self.target = ConnectionTarget(origin: Origin(scheme: .http, host: ""), tls: configuration.tls)
        let dialer = Dialer(connector: connector, configuration: configuration)
        self.pool = ConnectionPool(configuration, dialer: dialer, clock: clock)
    }

    deinit { self.pool.shutDown() }

    package var connectionCounts: (idle: Int, lent: Int, waiting: Int) { self.pool.counts }

    /// Closes idle connections now, and the others when their exchanges end; waiting and later calls fail with `.connectionLost`.
    package func shutDown() { self.pool.shutDown() }

    package func respond(to call: HTTPCall) async throws(ClientError) -> HTTPReply {
        guard !Task.isCancelled else { throw .cancelled(call.context(.prepare)) }
        let route = self.router.isDirect(call) ? .direct : try self.router.route(for: call)
        var outgoing: OutgoingRequest
        do throws(ClientError) {
            outgoing = try OutgoingRequest(call, route, self.settings)
        } catch {
            guard error.saysNoDescriptorIsFree else { throw error }
            outgoing = try await self.pool.others.opening(whileShort: \.saysNoDescriptorIsFree) {
                () throws(ClientError) in
                try OutgoingRequest(call, route, self.settings)
            }
        }
        var target = self.target(of: call, by: route)
        var (isFresh, isSecondExchange, refusalCount, lateCount) = (false, false, 0, 0)
        while true {
            let slot = try await self.slot(target, for: call, isFresh: isFresh, goesFirst: refusalCount + lateCount > 0)
            call.observer?.didReach(.begun(slot.described(through: route)))
            do throws(ExchangeFailure) {
                let (reply, hasReadBody) = try await slot.pooled.session.exchange(outgoing, for: call, in: slot)
                let isMisdirected = reply.response.statusCode == 421 && slot.isShared
                let isRefused = isMisdirected || Self.refusesExpectation(reply, outgoing, slot.pooled.session)
                guard isRefused, isMisdirected || !isSecondExchange,
                    outgoing.maySendAgain(for: call, after: .refused, hasReadBody: hasReadBody)
                else { return reply.response.transferCodings.isEmpty ? reply : self.decoded(reply, call) }
                if isMisdirected {
                    // "A client that receives a 421 (Misdirected Request) response MAY retry the request, whether or
                    // not the request method is idempotent, over a different connection" (RFC 9110 §15.5.20).
                    self.pool.separate(target)
                } else {
                    outgoing = OutgoingRequest(withoutExpectation: outgoing)
                    isSecondExchange = true
                }
                reply.body.discard()
            } catch {
                slot.discard()
                let delivery = error.error.context.delivery
                guard outgoing.maySendAgain(for: call, after: delivery, hasReadBody: error.hasReadBody) else {
                    throw error.error
                }
                if error.isLate || error.isRefused {
                    if error.isLate { lateCount += 1 } else { refusalCount += 1 }
                    guard refusalCount <= Self.maximumRefusalCount, lateCount <= Self.maximumLateCount else {
                        throw error.error
                    }
                    if error.requiresHTTP1 { target = self.target(of: call, by: route, in: .http1) }
                } else {
                    // The server may have closed the idle connection while the client sent the request (RFC 9112 §9.3.1).
                    guard !isSecondExchange, error.isStale else { throw error.error }
                    isSecondExchange = true
                    isFresh = !slot.pooled.session.isMultiplexed  // a lost multiplexed session has left the pool
                }
                call.observer?.didFail(error.error)
            }
            call.observer?.didReach(.repeating)
        }
    }

    /// Returns a slot on a connection that the delegate of the call approves, before any part of the request is sent.
    private func slot(
        _ target: ConnectionTarget,
        for call: HTTPCall,
        isFresh: Bool,
        goesFirst: Bool
    ) async throws(ClientError) -> Slot {
        do throws(ClientError) {
            let isForWebSocket = target.versions == .automatic && call.upgrade == .webSocket
            let open = isForWebSocket ? self.pool.openSlot(target) { $0.opensWebSockets } : nil
            let slot =
                if let open {
                    open
                } else {
                    try await self.pool.slot(
                        isForWebSocket ? target.limitedForWebSocket : target,
                        for: call,
                        isFresh: isFresh,
                        goesFirst: goesFirst
                    )
                }
            try await slot.approve(target, for: call)
            return slot
        } catch {
            var error = error
            error.context.delivery = .notSent
            throw error
        }
    }

    private func target(
        of call: HTTPCall,
        by route: Route,
        in versions: HTTPVersionPolicy? = nil
    ) -> ConnectionTarget {
        switch route {
        case .direct, .tunnel:
            return self.target.retargeted(
                to: call.destination.origin,
                unixSocketPath: call.request.options.unixSocketPath,
                route: route,
                proxyAuthorization: route == .direct ? nil : call.request.fields[.proxyAuthorization],
                versions: versions ?? self.versions(of: call),
                proxyVersions: route == .direct ? .http1 : self.versionsToProxy(of: call, by: route)
            )
        case .forward(let proxy):
            // A request that offers an upgrade is never forwarded, but sent through a tunnel.
            let versions = versions ?? self.versionsToProxy(of: call, by: route)
            return self.target.retargeted(toProxy: proxy, versions: versions)
        }
    }

    /// Returns the versions that the call's connection may use: without TLS, no handshake chooses HTTP/2, and only HTTP/1.1 has the
    /// `Upgrade` to a protocol other than WebSocket (RFC 9113 §8.6).
    private func versions(of call: HTTPCall) -> HTTPVersionPolicy {
        let policy = call.request.options.versions ?? self.versions
        guard policy != .automatic || call.destination.origin.scheme == .https else { return .http1 }
        return call.upgrade == .other ? .http1 : policy
    }

    /// Returns the versions for the connection to the proxy; only a handshake can choose HTTP/2.
    private func versionsToProxy(of call: HTTPCall, by route: Route) -> HTTPVersionPolicy {
        let policy = call.request.options.versions ?? self.versions
        return route.proxy?.kind == .https && policy != .http1 ? .automatic : .http1
    }

    private func decoded(_ reply: HTTPReply, _ call: HTTPCall) -> HTTPReply {
        if let transferDecoder = self.transferDecoder { return transferDecoder(reply, call) }
        var reply = reply
        let error = ResponseFailure.unsupportedTransferCoding.clientError(
            for: call,
            phase: .body,
            response: reply.response.httpResponse
        )
        reply.body = reply.body.failing(with: error, for: call)
        return reply
    }

    /// Returns whether the server refused `Expect: 100-continue`: "A client that receives a 417 […] SHOULD repeat that request
    /// without" it (RFC 9110 §10.1.1).
    private static func refusesExpectation(
        _ reply: HTTPReply,
        _ outgoing: OutgoingRequest,
        _ session: any HTTPSession
    ) -> Bool {
        // Over HTTP/2, the client sends only an expectation that the caller wants.
        let isSent = outgoing.head.expectsContinue && !(session.isMultiplexed && outgoing.addedExpectation)
        return isSent && reply.response.statusCode == 417
    }
}
