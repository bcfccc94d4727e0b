// SPDX-License-Identifier: Apache-2.0
package import Tern
package import TernTesting

#if canImport(FoundationEssentials)
package import FoundationEssentials
#else
package import Foundation
#endif

/// A client with connections in memory, and the scripted server at their other end.
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
    /// The values of all `Host` fields of the request.
    package var hosts: [String] { self.fields.filter { $0.name.canonicalName == "host" }.map(\.value) }
}

/// The URL that most tests request.
package let testURL = URL(string: "http://test/") ?? URL(fileURLWithPath: "/")

/// A response that sends only a part of its body, and then nothing more.
package let halfResponse = ScriptedResponse.raw("HTTP/1.1 200 OK\r\nContent-Length: 9\r\n\r\nhalf", ending: .stall)
