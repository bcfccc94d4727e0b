// SPDX-License-Identifier: Apache-2.0
import ClientTestSupport
import HTTPTypes
import TernErrors
@testable import TernHTTP
import TernRequests
import TernTesting
import TernTransport
import TestSupport
import Testing

/// Tests that no connection, task, stream, observer or timer outlives its call.
@Suite("What is left after a call", .hangLimit)
struct LeakTests {
    /// Makes calls over a transport, releases the transport, and waits until all its connections are closed.
    private func run(
        _ server: @escaping MemoryConnector.Server,
        _ body: (HTTPTransport, ManualClock) async throws -> Void
    ) async throws {
        let clock = ManualClock()
        let connector = DeadOnWriteConnector(MemoryConnector(clock: clock, connection: server))
        do {
            let transport = HTTPTransport(HTTPTransportConfiguration(), connector: connector, clock: clock)
            try await body(transport, clock)
        }
        try await eventually("no connection is left") { connector.livingCount == 0 }
        #expect(connector.base.openCount == 0)
        try await connector.base.waitForServers()
        #expect(clock.scheduledCount == 0)
    }

    private func respond(
        _ transport: HTTPTransport,
        _ clock: ManualClock,
        _ request: Request = Request(.get, "http://test/"),
        _ observer: (any TransferObserver)? = nil
    ) async throws -> HTTPReply {
        var request = request
        request.options.expectsContinue = false
        let timeouts = Timeouts(call: .seconds(90))
        let destination = try request.destination()
        return try await transport.respond(
            to: HTTPCall(request, to: destination, timeouts: timeouts, clock: clock, observer: observer)
        )
    }

    private static func answer(_ response: ScriptedResponse) -> MemoryConnector.Server {
        { await ScriptedServer { _ in response }.serve($0) }
    }

    @Test func `after a response that was read`() async throws {
        try await self.run(Self.answer(.chunked(["one", "two"]))) { transport, clock in
            let text = try await self.respond(transport, clock).body.text()
            #expect(text == "onetwo")
        }
    }

    @Test func `after a response that was not read`() async throws {
        let half = ScriptedResponse.raw("HTTP/1.1 200 OK\r\nContent-Length: 9\r\n\r\nhalf", ending: .stall)
        try await self.run(Self.answer(half)) { transport, clock in
            _ = try await self.respond(transport, clock)
        }
    }

    @Test func `after a response that was cut`() async throws {
        let half = ScriptedResponse.raw("HTTP/1.1 200 OK\r\nContent-Length: 9\r\n\r\nhalf", ending: .reset)
        try await self.run(Self.answer(half)) { transport, clock in
            _ = try? await self.respond(transport, clock).body.text()
        }
    }

    @Test func `after a call that was cancelled`() async throws {
        try await self.run(Self.answer(.stall)) { transport, clock in
            let calling = Task { try await self.respond(transport, clock) }
            try await clock.waitForScheduled(in: .seconds(60))
            calling.cancel()
            _ = await calling.result
        }
    }

    @Test func `after a call that timed out`() async throws {
        try await self.run(Self.answer(.stall)) { transport, clock in
            let calling = Task { try await self.respond(transport, clock) }
            try await clock.waitForScheduled(in: .seconds(60))
            clock.advance(by: .seconds(60))
            _ = await calling.result
        }
    }

    @Test func `after an upload whose stream never ends and whose call is cancelled`() async throws {
        let ended = Flag()
        let stream = AsyncStream<[UInt8]> { continuation in
            continuation.onTermination = { _ in ended.raise() }
            continuation.yield([1])
        }
        let sending = Flag()
        let server: MemoryConnector.Server = { connection in
            _ = try await connection.readHead()
            _ = try await connection.readBytes(1)
            sending.raise()
            await connection.waitForEnd()
        }
        try await self.run(server) { transport, clock in
            let request = Request(.post, "http://test/").body(stream: stream)
            let calling = Task { try await self.respond(transport, clock, request) }
            await sending.wait()
            calling.cancel()
            _ = await calling.result
        }
        await ended.wait()
    }

    @Test func `after an upload that was refused early`() async throws {
        let ended = Flag()
        let server: MemoryConnector.Server = { connection in
            _ = try await connection.readHead()
            try await connection.send(.response(.contentTooLarge, body: "no"))
        }
        try await self.run(server) { transport, clock in
            // Only the call holds the stream, so that the stream ends even if the call did not begin to read it.
            let stream = AsyncStream<[UInt8]> { continuation in continuation.onTermination = { _ in ended.raise() } }
            let request = Request(.post, "http://test/").body(stream: stream)
            let text = try await self.respond(transport, clock, request).body.text()
            #expect(text == "no")
        }
        await ended.wait()
    }

    @Test func `an observer is let go with the response`() async throws {
        weak var released: RecordingObserver?
        try await self.run(Self.answer(.chunked(["one", "two"]))) { transport, clock in
            let observer = RecordingObserver()
            released = observer
            _ = try await self.respond(transport, clock, Request(.get, "http://test/"), observer).body.text()
        }
        // The task that dialed may end a moment after its connection.
        try await eventually("the observer is released") { released == nil }
    }

    @Test func `a slot that is released unsettled gives its place back`() async throws {
        let clock = ManualClock()
        let connector = MemoryConnector(clock: clock) { await $0.waitForEnd() }
        let pool = ConnectionPool(
            HTTPTransportConfiguration(),
            dialer: Dialer(connector: connector, configuration: HTTPTransportConfiguration()),
            clock: clock
        )
        let request = Request(.get, "http://test/")
        let destination = try request.destination()
        let call = HTTPCall(request, to: destination, timeouts: .none, clock: clock)
        weak var released: Slot?
        do {
            let slot = try await pool.slot(
                ConnectionTarget(origin: destination.origin),
                for: call,
                isFresh: false,
                goesFirst: false
            )
            released = slot
            #expect(pool.counts.lent == 1)
        }
        #expect(released == nil)
        #expect(pool.counts.lent == 0)
        #expect(connector.openCount == 0)
    }

    @Test func `a slot is settled once`() async throws {
        let clock = ManualClock()
        let connector = MemoryConnector(clock: clock) { await $0.waitForEnd() }
        let pool = ConnectionPool(
            HTTPTransportConfiguration(),
            dialer: Dialer(connector: connector, configuration: HTTPTransportConfiguration()),
            clock: clock
        )
        let request = Request(.get, "http://test/")
        let destination = try request.destination()
        let call = HTTPCall(request, to: destination, timeouts: .none, clock: clock)
        do {
            let slot = try await pool.slot(
                ConnectionTarget(origin: destination.origin),
                for: call,
                isFresh: false,
                goesFirst: false
            )
            slot.giveBack()
            slot.giveBack()
            slot.discard()
        }
        #expect(pool.counts == (idle: 1, lent: 0, waiting: 0))
        #expect(connector.openCount == 1)
    }
}
