// SPDX-License-Identifier: Apache-2.0
import Tern
import TernErrors
import TernRequests
import TernTesting
import TernTransport
import Testing

#if canImport(FoundationEssentials)
import FoundationEssentials
#else
import Foundation
#endif

/// A client over connections in memory.
struct ClientScene: Sendable {
    let clock = ManualClock()
    let server: ScriptedServer
    let connector: MemoryConnector
    let client: Client

    init(
        _ server: ScriptedServer,
        plan: ConnectionPlan = .accept(),
        capacity: Int = 64 << 10,
        _ configuration: Client.Configuration = Client.Configuration(),
        delegate: (any TaskDelegate)? = nil
    ) {
        self.server = server
        self.connector = MemoryConnector(server, plan: plan, clock: self.clock, capacity: capacity)
        self.client = Client(
            configuration: configuration,
            delegate: delegate,
            connector: self.connector,
            clock: self.clock
        )
    }

    init(
        plan: ConnectionPlan = .accept(),
        _ configuration: Client.Configuration = Client.Configuration(),
        delegate: (any TaskDelegate)? = nil,
        answer: @escaping ScriptedServer.Answer
    ) {
        self.init(ScriptedServer(answer), plan: plan, configuration, delegate: delegate)
    }
}

extension ReceivedRequest {
    /// The values of all its `Host` fields.
    var hosts: [String] { self.fields.filter { $0.name.canonicalName == "host" }.map(\.value) }
}

/// The URL that most tests ask for.
let testURL = URL(string: "http://test/") ?? URL(fileURLWithPath: "/")

/// The error that a call ends in.
func failure<Value>(of body: () async throws(ClientError) -> Value) async -> ClientError? {
    do throws(ClientError) {
        _ = try await body()
        return nil
    } catch {
        return error
    }
}

/// A response whose body does not come to its end.
let halfResponse = ScriptedResponse.raw("HTTP/1.1 200 OK\r\nContent-Length: 9\r\n\r\nhalf", ending: .stall)
