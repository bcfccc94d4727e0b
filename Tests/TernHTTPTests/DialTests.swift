// SPDX-License-Identifier: Apache-2.0
import ClientTestSupport
import Dispatch
import HTTPTypes
import Synchronization
import TernConnections
import TernErrors
import TernHTTP
import TernRequests
import TernTesting
import TernTransport
import TestSupport
import Testing

/// Tests dials, the pool's attempts to open a connection, while calls come, wait and leave.
///
/// A dial belongs to the pool, and not to the call that caused it.
@Suite("Dials", .hangLimit)
struct DialTests {
    /// A transport whose dials succeed when the test says so, and whose server answers with the target.
    private struct Scene {
        let clock = ManualClock()
        let server: ScriptedServer
        let connector: HeldConnector
        let transport: HTTPTransport

        init(perHost: Int = 64, _ answer: @escaping ScriptedServer.Answer = { .response(body: $0.target) }) {
            self.server = ScriptedServer(answer)
            self.connector = HeldConnector(MemoryConnector(self.server, clock: self.clock))
            let pool = PoolConfiguration(maximumConnectionsPerHost: perHost)
            let configuration = HTTPTransportConfiguration(pool: pool)
            self.transport = HTTPTransport(configuration, connector: self.connector, clock: self.clock)
        }

        func reply(
            _ path: String = "/",
            decider: (any TLSDecider)? = nil,
            _ timeouts: Timeouts = .none
        ) async throws -> HTTPReply {
            let request = Request(.get, "http://test\(path)")
            let destination = try request.destination()
            let call = HTTPCall(request, to: destination, timeouts: timeouts, clock: self.clock, decider: decider)
            return try await self.transport.respond(to: call)
        }

        func text(_ path: String = "/", _ timeouts: Timeouts = .none) async throws -> String {
            try await self.reply(path, timeouts).body.text()
        }

        /// Waits until a number of calls wait for a connection.
        func waitForWaiting(_ count: Int) async throws {
            try await eventually("\(count) calls wait") { self.transport.connectionCounts.waiting == count }
        }

        func expectNoLeak(idle: Int, sourceLocation: SourceLocation = #_sourceLocation) {
            let counts = self.transport.connectionCounts
            #expect(counts == (idle: idle, lent: 0, waiting: 0), sourceLocation: sourceLocation)
            #expect(self.connector.base.openCount == idle, sourceLocation: sourceLocation)
        }
    }

    @Test func `each call dials, and the first to wait has the first that is open`() async throws {
        let scene = Scene()
        let first = Task { try await scene.text("/first") }
        await scene.connector.waitForDials(1)
        let second = Task { try await scene.text("/second") }
        await scene.connector.waitForDials(2)
        scene.connector.open(2)
        #expect(try await first.value == "/first")
        // The first call returns its connection to the pool before the other dial succeeds.
        #expect(try await second.value == "/second")
        scene.connector.open(1)
        try await eventually("both are idle") { scene.transport.connectionCounts.idle == 2 }
        #expect(scene.server.requests.map(\.connection) == [1, 1])
        scene.expectNoLeak(idle: 2)
    }

    @Test func `sixty-four first calls are served by one connection where the others are slow`() async throws {
        let scene = Scene()
        let calls = (0..<64).map { number in Task { try await scene.text("/\(number)") } }
        await scene.connector.waitForDials(64)
        scene.connector.open(17)
        for (number, call) in calls.enumerated() { #expect(try await call.value == "/\(number)") }
        #expect(scene.connector.base.attemptCount == 1)
        for number in 1...64 where number != 17 { scene.connector.open(number) }
        try await eventually("nothing is lent") { scene.transport.connectionCounts.lent == 0 }
        scene.expectNoLeak(idle: 64)
        #expect(scene.connector.dialCount == 64)
    }

    @Test func `calls beyond the limit share the dials that there are`() async throws {
        let scene = Scene(perHost: 2)
        let calls = (0..<10).map { number in Task { try await scene.text("/\(number)") } }
        await scene.connector.waitForDials(2)
        try await scene.waitForWaiting(8)
        scene.connector.open(1)
        scene.connector.open(2)
        for (number, call) in calls.enumerated() { #expect(try await call.value == "/\(number)") }
        #expect(scene.connector.dialCount == 2)
    }

    @Test func `a dial whose call was cancelled serves another that waits`() async throws {
        let scene = Scene(perHost: 1)
        let first = Task { try await scene.text("/first") }
        await scene.connector.waitForDials(1)
        let second = Task { try await scene.text("/second") }
        try await scene.waitForWaiting(1)
        first.cancel()
        await #expect(throws: ClientError.self) { try await first.value }
        scene.connector.open(1)
        #expect(try await second.value == "/second")
        #expect(scene.connector.dialCount == 1)
        scene.expectNoLeak(idle: 1)
    }

    @Test func `a dial ends with its call when no other waits`() async throws {
        let scene = Scene()
        let call = Task { try await scene.text() }
        await scene.connector.waitForDials(1)
        call.cancel()
        let error = await #expect(throws: ClientError.self) { try await call.value }
        #expect(error?.ending == Ending(.cancelled, in: .connect))
        #expect(error?.context.delivery == .notSent)
        #expect(scene.connector.endedCount == 1)
        scene.expectNoLeak(idle: 0)
    }

    @Test func `a dial that fails fails its own call alone`() async throws {
        let scene = Scene(perHost: 1)
        let first = Task { try await scene.text("/first") }
        await scene.connector.waitForDials(1)
        let second = Task { try await scene.text("/second") }
        try await scene.waitForWaiting(1)
        scene.connector.fail(1)
        let error = await #expect(throws: ClientError.self) { try await first.value }
        #expect(error?.context.delivery == .notSent)
        await scene.connector.waitForDials(2)
        scene.connector.open(2)
        #expect(try await second.value == "/second")
    }

    @Test func `a call that inherited a dial has its own when that fails`() async throws {
        let scene = Scene(perHost: 1)
        let first = Task { try await scene.text("/first") }
        await scene.connector.waitForDials(1)
        let second = Task { try await scene.text("/second") }
        try await scene.waitForWaiting(1)
        first.cancel()
        _ = await first.result
        scene.connector.fail(1)
        await scene.connector.waitForDials(2)
        scene.connector.open(2)
        #expect(try await second.value == "/second")
    }

    @Test func `a call that waits for the dial of another goes by its own limits`() async throws {
        let scene = Scene(perHost: 1)
        let first = Task { try await scene.text("/first") }
        await scene.connector.waitForDials(1)
        let second = Task { try await scene.text("/second", Timeouts(connection: .seconds(5), idle: nil)) }
        try await scene.waitForWaiting(1)
        try await scene.clock.waitForScheduled(in: .seconds(5))
        scene.clock.advance(by: .seconds(5))
        let error = await #expect(throws: ClientError.self) { try await second.value }
        guard case .timedOut(.connection, _, _)? = error else {
            Issue.record("\(String(describing: error))")
            return
        }
        scene.connector.open(1)
        #expect(try await first.value == "/first")
    }

    @Test func `a limit of one connection serves calls one after the other`() async throws {
        let scene = Scene(perHost: 1)
        let calls = (0..<20).map { number in Task { try await scene.text("/\(number)") } }
        await scene.connector.waitForDials(1)
        scene.connector.open(1)
        for (number, call) in calls.enumerated() { #expect(try await call.value == "/\(number)") }
        #expect(scene.connector.dialCount == 1)
        scene.expectNoLeak(idle: 1)
    }

    @Test func `shutting down ends dials and the calls that wait for them`() async throws {
        let scene = Scene(perHost: 1)
        let first = Task { try await scene.text("/first") }
        await scene.connector.waitForDials(1)
        let second = Task { try await scene.text("/second") }
        try await scene.waitForWaiting(1)
        scene.transport.shutDown()
        for call in [first, second] {
            let error = await #expect(throws: ClientError.self) { try await call.value }
            guard case .connectionLost(.shutDown, _)? = error else {
                Issue.record("\(String(describing: error))")
                continue
            }
        }
        scene.expectNoLeak(idle: 0)
    }

    @Test func `calls that are cancelled at any moment leave no dial, no place and no connection`() async throws {
        var generator = SeededGenerator(seed: 7)
        for _ in 0..<40 {
            let scene = Scene(perHost: Int(generator.next() % 3) + 1)
            let calls = (0..<8).map { number in Task { try? await scene.text("/\(number)") } }
            await scene.connector.waitForDials(1)
            for call in calls where generator.next() % 2 == 0 {
                for _ in 0..<generator.next() % 8 { await Task.yield() }
                call.cancel()
            }
            let opening = Task {
                var next = 1
                while !Task.isCancelled {
                    while next <= scene.connector.dialCount {
                        scene.connector.open(next)
                        next += 1
                    }
                    await Task.yield()
                }
            }
            for call in calls { _ = await call.value }
            try await eventually("nothing is lent") { scene.transport.connectionCounts.lent == 0 }
            opening.cancel()
            await opening.value
            scene.expectNoLeak(idle: scene.transport.connectionCounts.idle)
        }
    }

    @Test(arguments: [true, false])
    func `a call that runs on the connector's executor dials there`(isOnExecutor: Bool) async throws {
        let connector = NearConnector(MemoryConnector(ScriptedServer { _ in .response(body: "near") }))
        let transport = HTTPTransport(HTTPTransportConfiguration(), connector: connector)
        let request = Request(.get, "http://test/")
        let call = HTTPCall(request, to: try request.destination(), timeouts: .none, clock: SystemClock())
        let text = try await withTaskExecutorPreference(isOnExecutor ? connector.executor : nil) {
            try await transport.respond(to: call).body.text()
        }
        #expect(text == "near")
        #expect(connector.wasNear.withLock { $0 } == [isOnExecutor])
    }
}

/// A connector with an executor, which records whether the pool calls it on this executor.
private final class NearConnector: Connector {
    private final class QueueExecutor: TaskExecutor {
        private let queue = DispatchQueue(label: "tern.test")

        func enqueue(_ job: consuming ExecutorJob) {
            let job = UnownedJob(job)
            self.queue.async { job.runSynchronously(on: self.asUnownedTaskExecutor()) }
        }
    }

    let executor: (any TaskExecutor)? = QueueExecutor()
    let wasNear = Mutex<[Bool]>([])
    private let base: MemoryConnector

    init(_ base: MemoryConnector) { self.base = base }

    func connect(
        to endpoint: ConnectionEndpoint,
        deadline: CallDeadline?
    ) async throws(ConnectionError) -> any Connection {
        let current = withUnsafeCurrentTask { $0?.unownedTaskExecutor }
        self.wasNear.withLock { $0.append(current == self.executor?.asUnownedTaskExecutor()) }
        return try await self.base.connect(to: endpoint, deadline: deadline)
    }
}
