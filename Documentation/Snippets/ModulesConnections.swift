// SPDX-License-Identifier: Apache-2.0
// The code in the pages of the modules that connect, or simulate connections.
// scripts/check-snippets fails if the two copies differ.
import Foundation

// snippet.module-testing
import Tern
import TernTesting

// snippet.end
// snippet.module-connections
import TernConnections

// snippet.end

// snippet.module-connections
/// Connects only to the given hosts.
struct RestrictedConnector: Connector {
    let base: any Connector
    let hosts: Set<String>

    func connect(
        to endpoint: ConnectionEndpoint,
        deadline: CallDeadline?
    ) async throws(ConnectionError) -> any Connection {
        guard case .host(let name, _) = endpoint, self.hosts.contains(name) else {
            throw .failed(reason: "\(endpoint) is not one of the hosts of this app")
        }
        return try await self.base.connect(to: endpoint, deadline: deadline)
    }
}
// snippet.end

// snippet.module-transport
struct Timing: Interceptor {
    func respond(to call: HTTPCall, next: NextStages) async throws(ClientError) -> HTTPReply {
        let reply = try await next.respond(to: call)
        print(call.destination.origin, call.start.duration(to: call.clock.now))
        return reply
    }
}
// snippet.end

func upgrading(_ client: Client, _ url: URL) async throws {
    // snippet.module-transport-upgrade
    let reply = try await client.reply(for: Request(url: url).header(.upgrade, "echo").header(.connection, "Upgrade"))
    guard let upgrade = reply.upgrade else { return }
    try await upgrade.connection.write(Data("hello".utf8))
    // snippet.end
}

func answering(_ url: URL) async throws {
    // snippet.module-testing
    let connector = MemoryConnector { request in
        .response(body: "You asked for \(request.target)")
    }
    let client = Client(connector: connector)
    let (data, response) = try await client.data(from: url)
    // snippet.end
    _ = (data, response)
    // snippet.module-testing-faults
    connector.plan(
        .refuse(.notConnected(.refused)),
        .accept(toClient: [.drip(bytesPerPiece: 1), .reset(afterBodyByteCount: 3)])
    )
    // snippet.end
}

func sharing(_ secureURL: URL) async throws {
    // snippet.module-testing-http2
    let server = ScriptedServer { _ in .response(body: "hello") }
    let connector = MemoryConnector(server, version: .http2)
    connector.plan(.accept(http2: [.refusal(ofRequest: 1), .goAway(afterRequest: 2)]))
    let client = Client(connector: connector)
    let (_, first) = try await client.data(from: secureURL)  // sent twice: the server refuses stream 1
    let (_, second) = try await client.data(from: secureURL)  // on a second connection
    print(first.httpVersion == .http2, second.httpVersion == .http2)  // true true
    print(server.requests.map(\.connection), server.requests.map(\.stream))  // [1, 2] [Optional(3), Optional(1)]
    // snippet.end
}

func waiting(_ url: URL) async throws {
    // snippet.module-testing-time
    let clock = ManualClock()
    let client = Client(connector: MemoryConnector(clock: clock) { _ in .stall }, clock: clock)
    async let reply = client.data(from: url)
    try await clock.waitForScheduled(in: .seconds(60))
    clock.advance(by: .seconds(60))
    // snippet.end
    _ = try await reply
}

func streaming(_ url: URL) async throws {
    // snippet.module-testing-streams
    let connector = MemoryConnector { _ in
        .events([.event("Hel", id: "1"), .comment("keep-alive"), .event("lo", id: "2"), .cut])
    }
    do {
        for try await event in try await Client(connector: connector).events(from: url) { print(event.data) }
    } catch {
        guard case .truncated = error else { throw error }
    }
    // snippet.end
}

func conversing(_ url: URL) async throws {
    // snippet.module-testing-websocket
    let connector = MemoryConnector(connection: { connection in
        let server = try await ServerWebSocket.accept(connection)
        while let frame = try await server.receive(), frame.opcode != .close {
            try await server.send(frame.opcode, payload: frame.payload)  // an echo
        }
        try await server.sendClose(.normalClosure)
    })
    let socket = try await Client(connector: connector).webSocket(from: url)
    try await socket.send("hello")
    // snippet.end
}
