// SPDX-License-Identifier: Apache-2.0
import TernConnections
import TernErrors
import TernProxies
import TernRequests
import TernTransport

/// Makes connections for exchanges: connects a socket, and then, if necessary, opens a tunnel through a proxy, and begins TLS.
struct Dialer: Sendable {
    /// Lends a slot of the pool: on a new connection if `isFresh`, and before calls that have not asked yet if `goesFirst`.
    typealias Lender =
        @Sendable (ConnectionTarget, _ isFresh: Bool, _ goesFirst: Bool) async throws(ClientError) -> Slot

    let connector: any Connector
    let configuration: HTTPTransportConfiguration

    /// Makes a connection; returns `nil` if `isUnneeded` finds, once the socket is connected, that another one serves the call.
    func dial(
        _ target: ConnectionTarget,
        for call: HTTPCall,
        reportingTo observer: DialObserver,
        through lend: Lender,
        unless isUnneeded: @Sendable (ConnectionAddresses) async -> Bool
    ) async throws(ClientError) -> EstablishedConnection? {
        if case .tunnel(let proxy) = target.route, let proxyTarget = target.sharedProxyTarget,
            self.connector is any LayeringConnector
        {
            let tunnel = Tunnel(target, proxy, dialer: self, call: call, observer)
            return try await tunnel.open { (isFresh, goesFirst) throws(ClientError) in
                let slot = try await lend(proxyTarget, isFresh, goesFirst)
                try await slot.approve(proxyTarget, for: call)
                return (slot: slot, deadline: call.connectDeadline)
            }
        }
        observer.didReach(.connecting)
        let deadline = call.connectDeadline
        var established = try await self.connect(target, for: call, reportingTo: observer, deadline)
        observer.didReach(.connected)
        if await isUnneeded(established.connection.addresses) {
            await established.connection.closeAndWait()
            return nil
        }
        do throws(ClientError) {
            try await self.prepare(&established, target, for: call, reportingTo: observer, deadline)
            return established
        } catch {
            await established.connection.closeAndWait()
            throw error
        }
    }

    private func prepare(
        _ established: inout EstablishedConnection,
        _ target: ConnectionTarget,
        for call: HTTPCall,
        reportingTo observer: DialObserver,
        _ deadline: CallDeadline?
    ) async throws(ClientError) {
        guard case .tunnel(let proxy) = target.route else {
            return try await self.encrypt(&established, target, for: call, reportingTo: observer, deadline)
        }
        let tunnel = Tunnel(target, proxy, dialer: self, call: call, observer)
        if proxy.kind == .socks5 {
            observer.didReach(.tunnelling)
            try await tunnel.openBySOCKS(over: established.connection, deadline)
            return try await tunnel.secure(&established)
        }
        let own = ProxyConnection(established, to: target, dialer: self, for: call, reportingTo: observer, deadline)
        do throws(ClientError) {
            established = try await tunnel.open { (isFresh, _) throws(ClientError) in
                try await own.place(isFresh: isFresh)
            }
        } catch {
            established = own.established
            throw error
        }
    }

    func encrypt(
        _ established: inout EstablishedConnection,
        _ target: ConnectionTarget,
        for call: HTTPCall,
        reportingTo observer: DialObserver,
        _ deadline: CallDeadline?
    ) async throws(ClientError) {
        guard target.isEncrypted else { return }
        let origin = target.origin
        let server = (origin.hostWithoutZone, origin.port)  // certificates contain no zones
        observer.didReach(.securing(isProxy: false))
        var tls = target.tls
        tls.applicationProtocols = target.versions.applicationProtocols
        let start = call.clock.now
        let facts = try await self.secure(established.connection, tls, to: server, for: call, .tls, deadline)
        established.noteHandshake(start.duration(to: call.clock.now), facts)
        observer.didReach(.secured(facts))
        established.tls = facts
    }

    /// Connects to the proxy, with TLS if its URL begins with `https`, or else to the server, without TLS yet.
    func connect(
        _ target: ConnectionTarget,
        for call: HTTPCall,
        reportingTo observer: DialObserver,
        _ deadline: CallDeadline?
    ) async throws(ClientError) -> EstablishedConnection {
        let proxy = target.route.proxy
        let start = call.clock.now
        let connection: any Connection
        do throws(ConnectionError) {
            // Reports need an additional handler in NIO's pipeline, so the dialer asks the connector for them only if
            // the call has an observer.
            connection =
                if observer.isObserved {
                    try await self.connector.connect(to: target.endpoint, deadline: deadline) { milestone in
                        observer.didReach(ExchangeMilestone(milestone))
                    }
                } else {
                    try await self.connector.connect(to: target.endpoint, deadline: deadline)
                }
        } catch {
            throw call.error(error, proxy == nil ? .connect : .proxy)
        }
        var established = EstablishedConnection(connection)
        established.noteConnecting(start.duration(to: call.clock.now))
        guard let proxy, proxy.kind == .https else { return established }
        observer.didReach(.securing(isProxy: true))
        var tls = target.tls
        tls.identity = nil  // never presents the client certificate to a proxy
        // A connection for a tunnel serves only HTTP/1.1, because this method makes it for a single tunnel.
        let versions = if case .forward = target.route { target.versions } else { HTTPVersionPolicy.http1 }
        tls.applicationProtocols = versions.applicationProtocols
        do throws(ClientError) {
            let server = (proxy.host, proxy.port)
            let facts = try await self.secure(connection, tls, to: server, for: call, .proxy, deadline)
            observer.didReach(.proxySecured(facts))
            established.proxyTLS = facts
            return established
        } catch {
            await connection.closeAndWait()
            throw error
        }
    }

    private func secure(
        _ connection: any Connection,
        _ tls: TLSConfiguration,
        to server: (host: String, port: Int),
        for call: HTTPCall,
        _ phase: ClientError.Phase,
        _ deadline: CallDeadline?
    ) async throws(ClientError) -> TLSFacts {
        let facts: TLSFacts
        do throws(ConnectionError) {
            facts = try await connection.startTLS(
                tls,
                to: server.host,
                port: server.port,
                asking: call.decider,
                deadline: deadline
            )
        } catch {
            throw call.error(error, phase)
        }
        // A server that chose a protocol that the client did not offer would not understand the request.
        if let chosen = facts.applicationProtocol, !tls.applicationProtocols.contains(chosen), chosen != "http/1.0" {
            throw .tlsFailed(.unsupportedProtocol(chosen), call.context(phase))
        }
        // A server that chose nothing may understand HTTP/1.1, but has not agreed to HTTP/2 (RFC 9113 §3.3).
        if facts.applicationProtocol == nil, !tls.applicationProtocols.contains("http/1.1") {
            throw .tlsFailed(.noCommonProtocol, call.context(phase))
        }
        return facts
    }
}

extension HTTPCall {
    var connectDeadline: CallDeadline? { self.deadline(.connect, self.timeouts.connect) }
}

extension HTTPVersionPolicy {
    /// The protocols to offer in the TLS handshake, in order of preference (RFC 7301 §6).
    var applicationProtocols: [String] {
        switch self {
        case .http1: ["http/1.1"]
        case .http2PriorKnowledge: ["h2"]
        default: ["h2", "http/1.1"]
        }
    }
}
