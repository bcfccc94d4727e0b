// SPDX-License-Identifier: Apache-2.0
import HTTPTypes
import TernConnections
package import TernErrors
import TernHTTP
import TernRequests
package import TernTesting
import TernTransport
package import TernWebSocket
package import TernWebSocketCore

/// A WebSocket over a connection in memory, a server that is a closure, and a clock that the test advances.
///
/// In the run over HTTP/2, the WebSocket uses a stream that leads to a gateway.
package struct WebSocketScene: Sendable {
    /// The code of the server.
    ///
    /// When the closure returns, the server's end of the connection is closed.
    package typealias Server = @Sendable (ServerWebSocket) async throws -> Void

    package let clock = ManualClock()
    package let connector: MemoryConnector
    package let options: WebSocketOptions
    package let handshake: AcceptedHandshake

    package init(
        plan: ConnectionPlan = .accept(),
        capacity: Int = 64 << 10,
        options: WebSocketOptions = WebSocketOptions(),
        deflate: PerMessageDeflate.Agreement? = nil,
        server: @escaping Server
    ) {
        self.options = options
        self.handshake = AcceptedHandshake(deflate: deflate)
        self.connector = .tested(
            plan: plan,
            clock: self.clock,
            capacity: capacity,
            connection: { connection in
                try await server(
                    TestedVersion.isHTTP2 ? ServerWebSocket.accept(connection) : ServerWebSocket(connection)
                )
            }
        )
    }

    /// Opens a WebSocket without the handshake of a client.
    package func open() async throws(ClientError) -> WebSocket {
        let origin = Origin(scheme: .http, host: "example.com", port: 80)
        return WebSocket(
            try await self.connect(to: origin),
            self.handshake,
            options: self.options,
            origin: origin.description,
            clock: self.clock
        )
    }

    private func connect(to origin: Origin) async throws(ClientError) -> UpgradedConnection {
        if TestedVersion.isHTTP2, let connection = try await self.stream(to: origin) { return connection }
        do throws(ConnectionError) {
            let connection = try await self.connector.connect(to: .host(origin.host, port: origin.port), deadline: nil)
            return UpgradedConnection(connection)
        } catch {
            throw ClientError(error, ClientError.Context(phase: .connect))
        }
    }
}

extension WebSocketScene {
    /// Opens a stream of HTTP/2.
    ///
    /// The transport is released at once, so the connection ends with the stream.
    private func stream(to origin: Origin) async throws(ClientError) -> UpgradedConnection? {
        var configuration = HTTPTransportConfiguration(versions: .http2PriorKnowledge)
        configuration.http2.keepAlive = nil  // the clock may advance far while the gateway works
        let transport = HTTPTransport(configuration, connector: self.connector, clock: self.clock)
        var request = Request(.get, origin.description)
        request.fields = [.upgrade: "websocket", .connection: "Upgrade"]
        guard let destination = try? request.destination() else { return nil }
        let call = HTTPCall(request, to: destination, timeouts: .none, clock: self.clock)
        return try await transport.respond(to: call).upgrade
    }
}

/// A list of entries that the server of a test writes, and that the test reads.
package final class Journal<Entry: Sendable>: Sendable {
    private let entries = Observed<[Entry]>([])

    package init() {}

    package func note(_ entry: Entry) { self.entries.update { $0.append(entry) } }

    package var all: [Entry] { self.entries.value }

    /// Waits until the journal has at least a number of entries, and returns them.
    package func wait(for count: Int) async -> [Entry] {
        await self.entries.wait { $0.count >= count }
        return self.entries.value
    }
}

extension WebSocket {
    /// Reads all messages, and returns them with the error that ended the loop, if any.
    package func collect() async -> (messages: [WebSocketMessage], error: ClientError?) {
        var messages: [WebSocketMessage] = []
        do throws(ClientError) {
            for try await message in self { messages.append(message) }
            return (messages, nil)
        } catch {
            return (messages, error)
        }
    }
}
