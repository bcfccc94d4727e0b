// SPDX-License-Identifier: Apache-2.0
import ClientTestSupport
import NIOCore
import TernAuthentication
import TernConnections

/// Connections inside tunnels. TLS inside a tunnel changes no bytes, and the server chooses HTTP/1.1.
extension SteeredConnector: LayeringConnector {
    func layer(over connection: any Connection) async throws(ConnectionError) -> any Connection {
        TunnelledConnection(connection, self.layers)
    }
}

private final class TunnelledConnection: ForwardingConnection {
    let base: any Connection
    private let layers: Journal<String>

    init(_ base: any Connection, _ layers: Journal<String>) { (self.base, self.layers) = (base, layers) }

    func startTLS(
        _ configuration: TLSConfiguration,
        to host: String,
        port: Int,
        asking decider: (any TLSDecider)?,
        deadline: CallDeadline?
    ) async throws(ConnectionError) -> TLSFacts {
        self.layers.note(host)
        let trust = ServerTrust(host: host, chain: [Array(host.utf8)])
        return TLSFacts(version: .tls13, applicationProtocol: "http/1.1", trust: trust)
    }
}
