// SPDX-License-Identifier: Apache-2.0
import TernConnections
package import TernErrors
import TernRequests
package import TernTesting
import TernTransport
package import TernWebSocket
package import TernWebSocketCore

/// A WebSocket over a connection in memory, a server that is a closure, and a clock by hand.
package struct WebSocketScene: Sendable {
    /// The server's code; when it returns, its side ends.
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

    /// Opens a WebSocket, without any handshake.
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

/// The notes of a test's server.
package final class Journal<Entry: Sendable>: Sendable {
    private let entries = Observed<[Entry]>([])

    package init() {}

    package func note(_ entry: Entry) { self.entries.update { $0.append(entry) } }

    package var all: [Entry] { self.entries.value }

    /// Waits until there are so many entries.
    package func wait(for count: Int) async -> [Entry] {
        await self.entries.wait { $0.count >= count }
        return self.entries.value
    }
}

extension WebSocket {
    /// All messages to the end, and what ended them.
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
