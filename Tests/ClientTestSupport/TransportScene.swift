// SPDX-License-Identifier: Apache-2.0
import HTTPTypes
import NIOCore
import TernErrors
import TernHTTP
import TernRequests
import TernTesting
import TernTransport
import Testing

/// A transport over connections in memory, and what a test wants to do with it.
struct Scene: Sendable {
    let clock: ManualClock
    let server: ScriptedServer
    let connector: MemoryConnector
    let transport: HTTPTransport

    init(
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

    /// A server that does what a closure says before it answers, or instead.
    init(
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

    /// A server that goes through steps, one list for each connection.
    init(plan: ConnectionPlan = .accept(), _ steps: [ScriptedServer.Step]...) {
        switch steps.count {
        case 0: self.init(ScriptedServer(steps: []), plan: plan)
        case 1: self.init(ScriptedServer(steps: steps[0]), plan: plan)
        case 2: self.init(ScriptedServer(steps: steps[0], steps[1]), plan: plan)
        default: self.init(ScriptedServer(steps: steps[0], steps[1], steps[2]), plan: plan)
        }
    }

    /// A server that answers by a closure.
    init(plan: ConnectionPlan = .accept(), answer: @escaping ScriptedServer.Answer) {
        self.init(ScriptedServer(answer), plan: plan)
    }

    // MARK: Calls

    func call(
        _ request: Request,
        timeouts: Timeouts = .none,
        observer: (any TransferObserver)? = nil
    ) throws -> Call {
        Call(request, to: try request.destination(), timeouts: timeouts, clock: self.clock, observer: observer)
    }

    /// Sends a request, and gives the reply when its head is here.
    func reply(
        to request: Request = Request(.get, "http://test/"),
        timeouts: Timeouts = .none,
        observer: (any TransferObserver)? = nil
    ) async throws -> Reply {
        try await self.transport.respond(to: self.call(request, timeouts: timeouts, observer: observer))
    }

    /// Sends a request and reads the whole response.
    func answer(
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

    /// The error that a request ends in.
    func failure(
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

    /// Nothing is lent, nobody waits, and only idle connections are open.
    func expectNoLeak(idle: Int, sourceLocation: SourceLocation = #_sourceLocation) {
        let counts = self.transport.connectionCounts
        #expect(counts.lent == 0, "lent", sourceLocation: sourceLocation)
        #expect(counts.waiting == 0, "waiting", sourceLocation: sourceLocation)
        #expect(counts.idle == idle, "idle", sourceLocation: sourceLocation)
        #expect(self.connector.openCount == idle, "open", sourceLocation: sourceLocation)
    }
}

/// What came of a request.
struct Answer: Equatable, Sendable {
    var status = 200
    var text: String
    var isReused = false
}

extension ResponseBody {
    /// All of it, as text.
    func text(atLeast byteCount: Int = 1) async throws(ClientError) -> String {
        var reader = self.makeReader()
        var text = ""
        while let bytes = try await reader.next(atLeast: byteCount) { text += String(buffer: bytes) }
        return text
    }
}

extension ClientError {
    /// The case and what a test wants to know of it, for one comparison.
    var outline: String {
        switch self {
        case .cancelled(let context): "cancelled in \(context.phase)"
        case .invalidRequest(let reason, _): "invalid: \(reason)"
        case .timedOut(let timeout, let limit, let context): "timed out \(timeout) \(limit) in \(context.phase)"
        case .connectionFailed(let reason, let context): "failed: \(reason) in \(context.phase)"
        case .connectionLost(let reason, let context): "lost: \(reason) in \(context.phase)"
        case .truncated(let received, let expected, let context):
            "truncated \(received) of \(expected.map(String.init) ?? "?") in \(context.phase)"
        case .protocolViolation(let section, _, let context): "violation \(section) in \(context.phase)"
        case .uploadFailed(let reason, let context): "upload: \(reason) in \(context.phase)"
        case .bodyMisused(let reason, _): "misused: \(reason)"
        default: "\(self)"
        }
    }
}
