// SPDX-License-Identifier: Apache-2.0
import NIOCore
import Synchronization
import TernErrors
import TernRequests
import TernTesting
import TernTransport
@testable import TernWebSocket
import TernWebSocketCore

/// A WebSocket over a connection in memory, a server that is a closure, and a clock by hand.
struct Scene: Sendable {
    /// What the server does; when it returns, its side ends.
    typealias Server = @Sendable (ServerWebSocket) async throws -> Void

    let clock = ManualClock()
    let connector: MemoryConnector
    let options: WebSocketOptions
    let handshake: AcceptedHandshake

    init(
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
    func open() async throws(ClientError) -> WebSocket {
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

/// What a test's server notes.
final class Journal<Entry: Sendable>: Sendable {
    private let entries = Observed<[Entry]>([])

    func note(_ entry: Entry) { self.entries.update { $0.append(entry) } }

    var all: [Entry] { self.entries.value }

    /// Waits until there are so many entries.
    func wait(for count: Int) async -> [Entry] {
        await self.entries.wait { $0.count >= count }
        return self.entries.value
    }
}

extension WebSocket {
    /// All messages to the end, and what ended them.
    func collect() async -> (messages: [WebSocketMessage], error: ClientError?) {
        var messages: [WebSocketMessage] = []
        do throws(ClientError) {
            for try await message in self { messages.append(message) }
            return (messages, nil)
        } catch {
            return (messages, error)
        }
    }
}

extension WebSocket {
    /// What is behind the face, to see whether it outlives it.
    var driverForTests: AnyObject { self.driver }

    /// Whether the reader does not wait for room.
    var isReadingForTests: Bool { self.driver.locked.withLock { $0.isReading } }
}
