// SPDX-License-Identifier: Apache-2.0
import HTTPTypes
import NIOCore
package import TernErrors
package import TernHTTP
package import TernRequests
package import TernTesting
package import TernTransport
package import Testing

/// A transport with connections in memory, and functions for tests that use it.
package struct TransportScene: Sendable {
    package let clock: ManualClock
    package let server: ScriptedServer
    package let connector: MemoryConnector
    package let transport: HTTPTransport

    package init(
        _ server: ScriptedServer,
        plan: ConnectionPlan = .accept(),
        capacity: Int = 64 << 10,
        _ configuration: HTTPTransportConfiguration = HTTPTransportConfiguration()
    ) {
        self.clock = ManualClock()
        self.server = server
        self.connector = MemoryConnector(server, plan: plan, clock: self.clock, capacity: capacity)
        self.transport = HTTPTransport(configuration, connector: self.connector, clock: self.clock)
    }

    /// Creates a scene whose connections a closure serves; the closure may use the scripted server.
    package init(
        _ server: ScriptedServer,
        plan: ConnectionPlan = .accept(),
        _ configuration: HTTPTransportConfiguration,
        connection: @escaping MemoryConnector.Server
    ) {
        self.clock = ManualClock()
        self.server = server
        self.connector = MemoryConnector(plan: plan, clock: self.clock, connection: connection)
        self.transport = HTTPTransport(configuration, connector: self.connector, clock: self.clock)
    }

    /// Creates a scene whose server performs a list of steps for each connection.
    package init(plan: ConnectionPlan = .accept(), _ steps: [ScriptedServer.Step]...) {
        switch steps.count {
        case 0: self.init(ScriptedServer(steps: []), plan: plan)
        case 1: self.init(ScriptedServer(steps: steps[0]), plan: plan)
        case 2: self.init(ScriptedServer(steps: steps[0], steps[1]), plan: plan)
        default: self.init(ScriptedServer(steps: steps[0], steps[1], steps[2]), plan: plan)
        }
    }

    /// Creates a scene whose server gets its answers from a closure.
    package init(plan: ConnectionPlan = .accept(), answer: @escaping ScriptedServer.Answer) {
        self.init(ScriptedServer(answer), plan: plan)
    }

    // MARK: Calls

    package func call(
        _ request: Request,
        timeouts: Timeouts = .none,
        observer: (any TransferObserver)? = nil
    ) throws -> HTTPCall {
        HTTPCall(request, to: try request.destination(), timeouts: timeouts, clock: self.clock, observer: observer)
    }

    /// Sends a request, and returns the reply as soon as its head has arrived.
    package func reply(
        to request: Request = Request(.get, "http://test/"),
        timeouts: Timeouts = .none,
        observer: (any TransferObserver)? = nil
    ) async throws -> HTTPReply {
        try await self.transport.respond(to: self.call(request, timeouts: timeouts, observer: observer))
    }

    /// Sends a request and reads the whole response.
    package func answer(
        to request: Request = Request(.get, "http://test/"),
        timeouts: Timeouts = .none,
        observer: (any TransferObserver)? = nil
    ) async throws -> Answer {
        let reply = try await self.reply(to: request, timeouts: timeouts, observer: observer)
        return Answer(
            status: reply.response.statusCode,
            text: try await reply.body.text(),
            isReused: reply.response.isConnectionReused
        )
    }

    /// Returns the error of a request that fails.
    package func failure(
        of request: Request = Request(.get, "http://test/"),
        timeouts: Timeouts = .none,
        observer: (any TransferObserver)? = nil
    ) async -> ClientError? {
        do {
            _ = try await self.answer(to: request, timeouts: timeouts, observer: observer)
            return nil
        } catch {
            return error as? ClientError
        }
    }

    // MARK: Expectations

    /// Checks that no connection is in use, no call waits, and this number of idle connections is open.
    package func expectNoLeak(idle: Int, sourceLocation: SourceLocation = #_sourceLocation) {
        self.expectNoLeak(idle: idle...idle, sourceLocation: sourceLocation)
    }

    /// Checks that no connection is in use, no call waits, and the number of idle connections is in a range.
    package func expectNoLeak(idle: ClosedRange<Int>, sourceLocation: SourceLocation = #_sourceLocation) {
        let counts = self.transport.connectionCounts
        #expect(counts.lent == 0, "lent", sourceLocation: sourceLocation)
        #expect(counts.waiting == 0, "waiting", sourceLocation: sourceLocation)
        #expect(idle.contains(counts.idle), "idle", sourceLocation: sourceLocation)
        #expect(self.connector.openCount == counts.idle, "open", sourceLocation: sourceLocation)
    }
}

/// The outcome of a request.
package struct Answer: Equatable, Sendable {
    package var status: Int
    package var text: String
    package var isReused: Bool

    package init(status: Int = 200, text: String, isReused: Bool = false) {
        (self.status, self.text, self.isReused) = (status, text, isReused)
    }
}

extension ResponseBody {
    /// Returns all bytes, as text.
    package func text(atLeast byteCount: Int = 1) async throws(ClientError) -> String {
        var reader = self.makeReader()
        var text = ""
        while let bytes = try await reader.next(atLeast: byteCount) { text += String(buffer: bytes) }
        return text
    }
}
