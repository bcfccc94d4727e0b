// SPDX-License-Identifier: Apache-2.0
import TernConnections
package import TernErrors
import TernRequests
package import TernTesting
import TernTransport
package import TernWebSocket
package import TernWebSocketCore

/// A WebSocket over a connection in memory, a server that is a closure, and a clock that the test advances.
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
        self.connector = MemoryConnector(
            plan: plan,
            clock: self.clock,
            capacity: capacity,
            connection: { connection in try await server(ServerWebSocket(connection)) }
        )
    }

    /// Opens a WebSocket without a handshake.
    package func open() async throws(ClientError) -> WebSocket {
        do throws(ConnectionError) {
            let origin = Origin(scheme: .http, host: "example.com", port: 80)
            let connection = try await self.connector.connect(to: .host(origin.host, port: origin.port), deadline: nil)
            return WebSocket(
                UpgradedConnection(connection),
                self.handshake,
                options: self.options,
                origin: origin.description,
                clock: self.clock
            )
        } catch {
            throw ClientError(error, ClientError.Context(phase: .connect))
        }
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
