// SPDX-License-Identifier: Apache-2.0
import TernErrors
import TernProxies
import TernRequests
import TernTransport

/// Makes one connection that an exchange can use: TCP, then the proxy's tunnel, then TLS, where they are wanted.
struct Dialer: Sendable {
    /// A connection that is ready.
    struct Line: Sendable {
        var connection: any Connection
        /// What was agreed with the server, if the connection is encrypted.
        var tls: TLSFacts?
    }

    let connector: any Connector
    let configuration: HTTPTransportConfiguration

    func dial(_ target: ConnectionTarget, for call: Call) async throws(ClientError) -> Line {
        call.observer?.didReach(.connecting)
        var deadline = call.deadline(.connect, call.timeouts.connect)
        var connection = try await self.connect(target, for: call, deadline)
        call.observer?.didReach(.connected)
        if let proxy = target.tunnel {
            let tunnel = Tunnel(target, proxy, dialer: self, call: call)
            connection = try await tunnel.open(over: connection, deadline)
            deadline = call.deadline(.connect, call.timeouts.connect)  // the way to the server begins only now
            call.observer?.didReach(.tunnelled)
        }
        guard target.isEncrypted else { return Line(connection: connection) }
        let origin = target.origin
        let facts = try await self.secure(connection, target.tls, to: (origin.host, origin.port), for: call, deadline)
        call.observer?.didReach(.secured(facts))
        return Line(connection: connection, tls: facts)
    }

    /// Connects to the server, or to its proxy, with TLS where the proxy speaks it.
    func connect(
        _ target: ConnectionTarget,
        for call: Call,
        _ deadline: Deadline?
    ) async throws(ClientError) -> any Connection {
        let connection: any Connection
        do throws(ConnectionError) {
            connection = try await self.connector.connect(to: target.endpoint, deadline: deadline)
        } catch {
            throw call.error(error, target.tunnel == nil ? .connect : .proxy)
        }
        guard let proxy = target.tunnel, proxy.kind == .https else { return connection }
        var tls = target.tls
        tls.identity = nil  // who the client is, is nothing to the proxy
        _ = try await self.secure(connection, tls, to: (proxy.host, proxy.port), for: call, deadline)
        return connection
    }

    private func secure(
        _ connection: any Connection,
        _ tls: TLSConfiguration,
        to server: (host: String, port: Int),
        for call: Call,
        _ deadline: Deadline?
    ) async throws(ClientError) -> TLSFacts {
        do throws(ConnectionError) {
            return try await connection.startTLS(
                tls,
                to: server.host,
                port: server.port,
                asking: call.decider,
                deadline: deadline
            )
        } catch {
            connection.close()
            throw call.error(error, .tls)
        }
    }
}
