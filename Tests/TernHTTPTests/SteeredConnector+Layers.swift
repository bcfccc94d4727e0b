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

private final class TunnelledConnection: Connection {
    private let base: any Connection
    private let layers: Journal<String>

    init(_ base: any Connection, _ layers: Journal<String>) { (self.base, self.layers) = (base, layers) }

    func read(atLeast byteCount: Int, deadline: CallDeadline?) async throws(ConnectionError) -> ByteBuffer? {
        try await self.base.read(atLeast: byteCount, deadline: deadline)
    }

    func limitReads(to deadline: CallDeadline?) { self.base.limitReads(to: deadline) }

    func readAvailable() -> ByteBuffer? { self.base.readAvailable() }

    func enqueue(_ bytes: ByteBuffer) throws(ConnectionError) -> Bool { try self.base.enqueue(bytes) }

    func waitForRoom(deadline: CallDeadline?) async throws(ConnectionError) {
        try await self.base.waitForRoom(deadline: deadline)
    }

    var isReadyForExchange: Bool { self.base.isReadyForExchange }

    func onEnd(_ action: @escaping @Sendable () -> Void) { self.base.onEnd(action) }

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

    func close() { self.base.close() }
}
