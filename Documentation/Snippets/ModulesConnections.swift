// SPDX-License-Identifier: Apache-2.0
// The code in the pages of the modules that connect, or simulate connections.
// scripts/check snippets fails if the two copies differ.
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
    func respond(
        to call: HTTPCall,
        next: NextStages
    ) async throws(ClientError) -> HTTPReply {
        let reply = try await next.respond(to: call)
        print(call.destination.origin, call.start.duration(to: call.clock.now))
        return reply
    }
}
// snippet.end

func upgrading(_ client: Client, _ url: URL) async throws {
    // snippet.module-transport-upgrade
    let request = Request(url: url)
        .header(.upgrade, "echo")
        .header(.connection, "Upgrade")
    let reply = try await client.reply(for: request)
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
}
