// SPDX-License-Identifier: Apache-2.0
package import Tern
package import TernFoundation
package import TernTesting
package import Testing

/// A client with connections in memory, and the scripted server at their other end.
package struct ClientScene: Sendable {
    package let clock = ManualClock()
    package let server: ScriptedServer
    package let connector: MemoryConnector
    package let client: Client
    /// Whether the client uses HTTP/2.
    private let isOverHTTP2: Bool

    package init(
        _ server: ScriptedServer,
        plan: ConnectionPlan = .accept(),
        capacity: Int = 64 << 10,
        _ configuration: Client.Configuration = Client.Configuration(),
        delegate: (any TaskDelegate)? = nil
    ) {
        self.server = server
        self.isOverHTTP2 = TestedVersion.isHTTP2 && configuration.httpVersion == .automatic
        self.connector = .tested(server, plan: plan, clock: self.clock, capacity: capacity)
        self.client = Client(
            configuration: configuration.tested,
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

extension ClientScene {
    /// Checks that no exchange goes on.
    ///
    /// Over HTTP/1.1, the connection of an exchange that ended early is already closed. Over HTTP/2, the connection
    /// stays open, and this method waits until its last stream is reset.
    package func expectNoExchange(sourceLocation: SourceLocation = #_sourceLocation) async {
        guard self.isOverHTTP2 else {
            #expect(self.connector.openCount == 0, sourceLocation: sourceLocation)
            return
        }
        await #expect(throws: Never.self, sourceLocation: sourceLocation) {
            try await self.connector.waitForOpenStreams(0)
        }
    }

    /// Waits until no exchange goes on.
    ///
    /// Over HTTP/1.1, the connection of an exchange that ends early is closed. Over HTTP/2, only its stream is reset.
    package func waitForNoExchange() async throws {
        if self.isOverHTTP2 { return try await self.connector.waitForOpenStreams(0) }
        try await self.connector.waitForOpen(0)
    }
}

extension ConnectionPlan {
    /// A connection that one call fills, also in the run over HTTP/2.
    package static var oneStream: ConnectionPlan { .accept(http2: [.settings(maximumConcurrentStreams: 1)]) }
}

extension ReceivedRequest {
    /// The values of all `Host` fields of the request.
    package var hosts: [String] { self.fields.filter { $0.name.canonicalName == "host" }.map(\.value) }
}

/// The URL that most tests request.
package let testURL = URL(string: "http://test/") ?? URL(fileURLWithPath: "/")

/// A response that sends only a part of its body, and then nothing more.
package let halfResponse = ScriptedResponse.raw("HTTP/1.1 200 OK\r\nContent-Length: 9\r\n\r\nhalf", ending: .stall)
