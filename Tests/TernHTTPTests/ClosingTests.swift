// SPDX-License-Identifier: Apache-2.0
import ClientTestSupport
import HTTPTypes
import TernConnections
import TernErrors
import TernHTTP
import TernRequests
import TernTesting
import TernTransport
import TestSupport
import Testing

/// Tests that a connection occupies its place in the pool until its descriptor is closed.
@Suite("Places of connections that are being closed", .hangLimit)
struct ClosingTests {
    private let clock = ManualClock()

    private func transport(_ connector: SteeredConnector, maximumIdleConnections: Int = 256) -> HTTPTransport {
        let pool = PoolConfiguration(maximumConnectionsPerHost: 1, maximumIdleConnections: maximumIdleConnections)
        let configuration = HTTPTransportConfiguration(pool: pool, versions: .http1)
        return HTTPTransport(configuration, connector: connector, clock: self.clock)
    }

    private func begin(
        _ transport: HTTPTransport,
        _ url: String = "http://test/",
        _ timeouts: Timeouts = .none
    ) throws -> Task<String, any Error> {
        let request = Request(.get, url)
        let call = HTTPCall(request, to: try request.destination(), timeouts: timeouts, clock: self.clock)
        return Task { try await transport.respond(to: call).body.text() }
    }

    /// Expects that the next call waits until the connection of the previous call is closed.
    private func expectPlaceIsTaken(
        _ transport: HTTPTransport,
        _ connector: SteeredConnector,
        sourceLocation: SourceLocation = #_sourceLocation
    ) async throws {
        let attempts = connector.base.attemptCount
        let next = try self.begin(transport)
        try await eventually("the next call waits") { transport.connectionCounts.waiting == 1 }
        #expect(connector.base.attemptCount == attempts, sourceLocation: sourceLocation)
        connector.closings.finish()
        #expect(try await next.value == "fine", sourceLocation: sourceLocation)
        #expect(transport.connectionCounts == (idle: 1, lent: 0, waiting: 0), sourceLocation: sourceLocation)
    }

    @Test func `after a call that was cancelled`() async throws {
        let server = ScriptedServer(steps: [.receive, .send(.stall)], [.respond(.response(body: "fine")), .receive])
        let connector = SteeredConnector(MemoryConnector(server, clock: self.clock))
        let transport = self.transport(connector)
        connector.closings.hold()
        let call = try self.begin(transport)
        try await server.waitForRequests(1)
        call.cancel()
        await #expect(throws: ClientError.self) { try await call.value }
        try await eventually("a connection is being closed") { connector.closings.count == 1 }
        try await self.expectPlaceIsTaken(transport, connector)
    }

    @Test func `after a body that was dropped`() async throws {
        let server = ScriptedServer(
            steps: [.respond(.response(fields: [.contentLength: "10"], body: "four", ending: .stall))],
            [.respond(.response(body: "fine")), .receive]
        )
        let connector = SteeredConnector(MemoryConnector(server, clock: self.clock))
        let transport = self.transport(connector)
        connector.closings.hold()
        let request = Request(.get, "http://test/")
        let call = HTTPCall(request, to: try request.destination(), timeouts: .none, clock: self.clock)
        do { _ = try await transport.respond(to: call) }
        try await eventually("a connection is being closed") { connector.closings.count == 1 }
        try await self.expectPlaceIsTaken(transport, connector)
    }

    @Test func `after a connection that TLS made useless`() async throws {
        let server = ScriptedServer { _ in .response(body: "fine") }
        let connector = SteeredConnector(MemoryConnector(server, clock: self.clock), applicationProtocol: "h2")
        let transport = self.transport(connector)
        connector.closings.hold()
        let call = try self.begin(transport, "https://test/")
        try await eventually("a connection is being closed") { connector.closings.count == 1 }
        #expect(transport.connectionCounts == (idle: 0, lent: 1, waiting: 0))
        connector.closings.finish()
        await #expect(throws: ClientError.self) { try await call.value }
        #expect(transport.connectionCounts == (idle: 0, lent: 0, waiting: 0))
    }

    @Test func `after a connection that was idle too long`() async throws {
        let server = ScriptedServer { _ in .response(body: "fine") }
        let connector = SteeredConnector(MemoryConnector(server, clock: self.clock))
        let transport = self.transport(connector)
        #expect(try await self.begin(transport).value == "fine")
        #expect(transport.connectionCounts == (idle: 1, lent: 0, waiting: 0))
        connector.closings.hold()
        self.clock.advance(by: .seconds(60))
        try #require(transport.connectionCounts == (idle: 0, lent: 1, waiting: 0))
        try await self.expectPlaceIsTaken(transport, connector)
    }

    @Test func `after an idle connection that made room for one to another host`() async throws {
        let server = ScriptedServer { _ in .response(body: "fine") }
        let connector = SteeredConnector(MemoryConnector(server, clock: self.clock))
        let transport = self.transport(connector, maximumIdleConnections: 1)
        connector.closings.hold()
        #expect(try await self.begin(transport).value == "fine")
        #expect(try await self.begin(transport, "http://other/").value == "fine")
        try #require(transport.connectionCounts == (idle: 1, lent: 1, waiting: 0))
        try await self.expectPlaceIsTaken(transport, connector)
    }

    @Test func `after an idle connection that the server ended`() async throws {
        let server = ScriptedServer(
            steps: [.respond(.response(body: "fine", ending: .finish))],
            [.respond(.response(body: "fine")), .receive]
        )
        let connector = SteeredConnector(MemoryConnector(server, clock: self.clock))
        let transport = self.transport(connector)
        connector.closings.hold()
        #expect(try await self.begin(transport).value == "fine")
        try await eventually("the pool knows of the end") { transport.connectionCounts.idle == 0 }
        try #require(transport.connectionCounts == (idle: 0, lent: 1, waiting: 0))
        try await self.expectPlaceIsTaken(transport, connector)
    }
}
