// SPDX-License-Identifier: Apache-2.0
import TernConnections
import TernErrors
import TernProxies
import TernRequests
import TernTransport

/// Makes one connection that an exchange can use: TCP, then the proxy's tunnel, then TLS, where they are wanted.
struct Dialer: Sendable {
    let connector: any Connector
    let configuration: HTTPTransportConfiguration

    /// The protocols that the client speaks, as TLS names them (RFC 7301 §6).
    ///
    /// A server that chose HTTP/1.0 understands a request of HTTP/1.1 (RFC 9110 §2.5).
    private static let spokenProtocols: Set = ["http/1.1", "http/1.0"]

    /// Makes a connection.
    ///
    /// - Parameters:
    ///   - target: Where it leads.
    ///   - call: The call that asks for it: its limits of time, its delegates.
    ///   - observer: Follows the steps.
    /// - Throws: `ClientError`; no descriptor is held then.
    func dial(
        _ target: ConnectionTarget,
        for call: HTTPCall,
        reportingTo observer: DialObserver
    ) async throws(ClientError) -> EstablishedConnection {
        observer.didReach(.connecting)
        let deadline = call.deadline(.connect, call.timeouts.connect)
        var established = try await self.connect(target, for: call, reportingTo: observer, deadline)
        observer.didReach(.connected)
        do throws(ClientError) {
            try await self.prepare(&established, target, for: call, reportingTo: observer, deadline)
            return established
        } catch {
            await established.connection.closeAndWait()
            throw error
        }
    }

    /// Has a proxy open its tunnel, and negotiates TLS with the server, where they are wanted.
    private func prepare(
        _ established: inout EstablishedConnection,
        _ target: ConnectionTarget,
        for call: HTTPCall,
        reportingTo observer: DialObserver,
        _ deadline: CallDeadline?
    ) async throws(ClientError) {
        var deadline = deadline
        if case .tunnel(let proxy) = target.route {
            observer.didReach(.tunnelling)
            try await Tunnel(target, proxy, dialer: self, call: call, observer).open(over: &established, deadline)
            deadline = call.deadline(.connect, call.timeouts.connect)  // the way to the server begins only now
            observer.didReach(.tunnelled)
        }
        guard target.isEncrypted else { return }
        let origin = target.origin
        let server = (origin.hostWithoutZone, origin.port)  // no certificate knows this machine's interfaces
        observer.didReach(.securing(isProxy: false))
        let facts = try await self.secure(established.connection, target.tls, to: server, for: call, .tls, deadline)
        observer.didReach(.secured(facts))
        established.tls = facts
    }

    /// Connects to the server, or to its proxy, with TLS where the proxy speaks it.
    func connect(
        _ target: ConnectionTarget,
        for call: HTTPCall,
        reportingTo observer: DialObserver,
        _ deadline: CallDeadline?
    ) async throws(ClientError) -> EstablishedConnection {
        let proxy = target.route.proxy
        let connection: any Connection
        do throws(ConnectionError) {
            // Reports cost a handler in the pipeline, so where no call listens the connector is asked for none.
            connection =
                if observer.isHeard {
                    try await self.connector.connect(to: target.endpoint, deadline: deadline) { milestone in
                        observer.didReach(ExchangeMilestone(milestone))
                    }
                } else {
                    try await self.connector.connect(to: target.endpoint, deadline: deadline)
                }
        } catch {
            throw call.error(error, proxy == nil ? .connect : .proxy)
        }
        guard let proxy, proxy.kind == .https else { return EstablishedConnection(connection: connection) }
        observer.didReach(.securing(isProxy: true))
        var tls = target.tls
        tls.identity = nil  // never presents the client certificate to a proxy
        do throws(ClientError) {
            let server = (proxy.host, proxy.port)
            let facts = try await self.secure(connection, tls, to: server, for: call, .proxy, deadline)
            observer.didReach(.proxySecured(facts))
            return EstablishedConnection(connection: connection, proxyTLS: facts)
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
        // The configuration may offer what the client does not speak. Then HTTP/1.1 would be noise to the server.
        if let chosen = facts.applicationProtocol, !Self.spokenProtocols.contains(chosen) {
            throw .tlsFailed(.unsupportedProtocol(chosen), call.context(phase))
        }
        return facts
    }
}
