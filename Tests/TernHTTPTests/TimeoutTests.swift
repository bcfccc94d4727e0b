// SPDX-License-Identifier: Apache-2.0
import ClientTestSupport
import HTTPTypes
import NIOCore
import TernConnections
import TernErrors
import TernFoundation
import TernHTTP
import TernRequests
import TernTesting
import TernTransport
import TestSupport
import Testing

@Suite("Limits of time", .hangLimit)
struct TimeoutTests {
    /// Makes a call, waits until the timer of the limit is set, lets the limit pass, and returns the error.
    private func failure(_ scene: Scene, _ timeouts: Timeouts, after limit: Duration) async throws -> Ending? {
        let calling = Task { await scene.failure(timeouts: timeouts) }
        try await scene.clock.waitForScheduled(in: limit)
        scene.clock.advance(by: limit - .nanoseconds(1))
        #expect(scene.clock.scheduledDelays.contains(.nanoseconds(1)), "nothing has ended yet")
        scene.clock.advance(by: .nanoseconds(1))
        return await calling.value?.ending
    }

    private static func only(
        connect: Duration? = nil,
        connection: Duration? = nil,
        firstByte: Duration? = nil,
        idle: Duration? = nil,
        call: Duration? = nil
    ) -> Timeouts {
        Timeouts(connect: connect, connection: connection, firstByte: firstByte, idle: idle, call: call)
    }

    @Test func `connecting`() async throws {
        let scene = Scene(plan: .hang) { _ in .response() }
        let ending = try await self.failure(scene, Self.only(connect: .seconds(3)), after: .seconds(3))
        #expect(ending == .timedOut(.connect, after: .seconds(3), in: .connect))
        scene.expectNoLeak(idle: 0)
    }

    @Test func `waiting for a connection`() async throws {
        var configuration = HTTPTransportConfiguration()
        configuration.pool.maximumConnectionsPerHost = 1
        let scene = Scene(ScriptedServer { _ in .chunked(["held", "on"]) }, configuration)
        let holding = try await scene.reply()
        let ending = try await self.failure(scene, Self.only(connection: .seconds(4)), after: .seconds(4))
        #expect(ending == .timedOut(.connection, after: .seconds(4), in: .wait))
        #expect(scene.transport.connectionCounts.waiting == 0)
        _ = try await holding.body.text()
        scene.expectNoLeak(idle: 1)
    }

    @Test func `the first byte`() async throws {
        let scene = Scene { _ in .stall }
        let ending = try await self.failure(scene, Self.only(firstByte: .seconds(5)), after: .seconds(5))
        #expect(ending == .timedOut(.firstByte, after: .seconds(5), in: .head))
        scene.expectNoLeak(idle: 0)
    }

    /// Until then, the server may wait for the rest of the body, so the limit for silence does not apply either.
    @Test func `the limit for the first byte begins when the upload has ended`() async throws {
        let scene = Scene([.receive, .send(.stall)])
        let (stream, continuation) = AsyncStream<[UInt8]>.makeStream()
        var request = Request(.post, "http://test/").body(stream: stream)
        request.options.expectsContinue = false
        let calling = Task { [request] in
            await scene.failure(of: request, timeouts: Self.only(firstByte: .seconds(5), idle: .seconds(9)))
        }
        try await scene.connector.waitForAttempts(1)
        continuation.yield(Array("slow".utf8))
        scene.clock.advance(by: .seconds(100))
        continuation.finish()
        try await eventually("the server has the whole request") { scene.server.requests.map(\.text) == ["slow"] }
        try await scene.clock.waitForScheduled(in: .seconds(5))
        scene.clock.advance(by: .seconds(5))
        #expect(await calling.value?.ending == .timedOut(.firstByte, after: .seconds(5), in: .head))
        scene.expectNoLeak(idle: 0)
    }

    @Test func `the limit for the first byte does not begin again with an interim response`() async throws {
        let (steps, mayGoOn) = AsyncStream<Void>.makeStream()
        let connector = ScriptedServer { _ in .stall }
        let scene = Scene(connector, HTTPTransportConfiguration()) { connection in
            _ = try await connection.readRequest()
            for await _ in steps { try await connection.write("HTTP/1.1 102 Processing\r\n\r\n") }
        }
        let observer = RecordingObserver()
        let calling = Task { await scene.failure(timeouts: Self.only(firstByte: .seconds(5)), observer: observer) }
        try await scene.clock.waitForScheduled(in: .seconds(5))
        for count in 1...4 {
            scene.clock.advance(by: .seconds(1))
            mayGoOn.yield()
            try await eventually("response \(count) is told") { observer.informational.count == count }
        }
        scene.clock.advance(by: .seconds(1))
        #expect(await calling.value?.ending == .timedOut(.firstByte, after: .seconds(5), in: .head))
        scene.expectNoLeak(idle: 0)
    }

    @Test func `sending a body beside its head, where the server takes nothing`() async throws {
        let scene = Scene(ScriptedServer { _ in .stall }, plan: .accept(toServer: [.stall()]), capacity: 1024)
        let request = Request(.post, "http://test/").body(data: Data(count: 60_000))
        let calling = Task { await scene.failure(of: request, timeouts: Self.only(idle: .seconds(7))) }
        try await scene.clock.waitForScheduled(in: .seconds(7))
        scene.clock.advance(by: .seconds(7))
        #expect(await calling.value?.ending == .timedOut(.idle, after: .seconds(7), in: .send))
        scene.expectNoLeak(idle: 0)
    }

    @Test func `the limit for the first byte is over when the head is here`() async throws {
        let scene = Scene([.receive, .send(.raw("HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\n")), .send(.stall)])
        var request = Request(.post, "http://test/").body(data: Data(count: 100_000))
        request.options.expectsContinue = false
        let body = try await scene.reply(to: request, timeouts: Self.only(firstByte: .seconds(5), idle: .seconds(50)))
            .body
        let reading = Task { try await body.text() }
        let result = await scene.clock.advance(until: reading)
        let failure = #expect(throws: ClientError.self) { try result.get() }
        #expect(failure?.ending == .timedOut(.idle, after: .seconds(50), in: .body))
    }

    @Test @MainActor func `a body that comes slowly is not silent`() async throws {
        let pieces = Observed(0)
        let scene = Scene(ScriptedServer(steps: []), HTTPTransportConfiguration()) { connection in
            _ = try await connection.readRequest()
            try await connection.write("HTTP/1.1 200 OK\r\nContent-Length: 10\r\n\r\n")
            for number in 1...10 {
                await pieces.wait { $0 >= number }
                try await connection.write("x")
            }
            await connection.waitForEnd()
        }
        let body = try await scene.reply(timeouts: Self.only(idle: .seconds(9))).body
        let begun = Flag()
        let reading = Task { @MainActor in
            var reader = body.makeReader()
            var count = 0
            begun.raise()
            while let bytes = try await reader.next() {
                count += bytes.readableBytes
                begun.raise()
            }
            return count
        }
        for number in 1...10 {
            // Both tasks run on one actor, so the reader is waiting when this task continues.
            await begun.wait(for: number)
            scene.clock.advance(by: .seconds(8))
            pieces.update { $0 = number }
        }
        #expect(try await reading.value == 10)
        #expect(scene.clock.now == ClockInstant(nanoseconds: 80_000_000_000))
        scene.expectNoLeak(idle: 1)
    }

    @Test func `the whole call, in each of its steps`() async throws {
        let limit = Self.only(call: .seconds(6))
        let connecting = Scene(plan: .hang) { _ in .response() }
        let first = try await self.failure(connecting, limit, after: .seconds(6))
        #expect(first == .timedOut(.call, after: .seconds(6), in: .connect))

        let waiting = Scene { _ in .stall }
        let second = try await self.failure(waiting, limit, after: .seconds(6))
        #expect(second == .timedOut(.call, after: .seconds(6), in: .head))
        waiting.expectNoLeak(idle: 0)

        let reading = Scene { _ in .raw("HTTP/1.1 200 OK\r\nContent-Length: 9\r\n\r\nhalf", ending: .stall) }
        let body = try await reading.reply(timeouts: limit).body
        let result = await reading.clock.advance(until: Task { try await body.text() })
        let third = #expect(throws: ClientError.self) { try result.get() }
        #expect(third?.ending == .timedOut(.call, after: .seconds(6), in: .body))
        reading.expectNoLeak(idle: 0)
    }

    @Test func `the nearest limit is the one that is reported`() async throws {
        let scene = Scene { _ in .stall }
        let timeouts = Self.only(firstByte: .seconds(9), idle: .seconds(1), call: .seconds(2))
        #expect(
            try await self.failure(scene, timeouts, after: .seconds(2))
                == .timedOut(.call, after: .seconds(2), in: .head)
        )
    }

    @Test func `a response in time is not disturbed by the timers it set`() async throws {
        let scene = Scene { _ in .response(body: "in time") }
        for _ in 0..<3 {
            #expect(try await scene.answer(timeouts: Timeouts(call: .seconds(90))).text == "in time")
            scene.clock.advance(by: .seconds(31))
        }
        #expect(scene.connector.attemptCount == 1)
        scene.expectNoLeak(idle: 1)
    }
}
