// SPDX-License-Identifier: Apache-2.0
package import Tern
package import TernTesting

#if canImport(FoundationEssentials)
package import FoundationEssentials
#else
package import Foundation
#endif

/// A client over connections in memory.
package struct ClientScene: Sendable {
    package let clock = ManualClock()
    package let server: ScriptedServer
    package let connector: MemoryConnector
    package let client: Client

    package init(
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

    package init(
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
    package var hosts: [String] { self.fields.filter { $0.name.canonicalName == "host" }.map(\.value) }
}

/// The URL that most tests ask for.
package let testURL = URL(string: "http://test/") ?? URL(fileURLWithPath: "/")

/// A response whose body does not come to its end.
package let halfResponse = ScriptedResponse.raw("HTTP/1.1 200 OK\r\nContent-Length: 9\r\n\r\nhalf", ending: .stall)
