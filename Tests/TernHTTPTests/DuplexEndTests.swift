// SPDX-License-Identifier: Apache-2.0
import ClientTestSupport
import TernConnections
import TernErrors
import TernFoundation
import TernHTTP
import TernRequests
import TernTesting
import TernTransport
import TestSupport
import Testing

@Suite("Both directions at once: cancellation, loss and limits of time", .hangLimit)
struct DuplexEndTests {
    // MARK: Cancellation

    @Test func `cancelling the call before its answer ends the writing`() async throws {
        let scene = DuplexScene { connection in
            _ = try await connection.readHead()
            await connection.waitForEnd()
        }
        let calling = Task { try await scene.reply() }
        try await scene.writer.write("one".utf8)
        calling.cancel()
        let error = await #expect(throws: ClientError.self) { try await calling.value }
        #expect(error?.fault == .cancelled)
        #expect(await scene.failureOfWritingOn() == .uploadFailed(.notNeeded))
        try await scene.connector.waitForServers()
    }

    @Test func `cancelling the reading ends both directions`() async throws {
        let scene = DuplexScene { try await $0.echo() }
        let reply = try await scene.reply()
        let hasRead = Flag()
        let reading = Task {
            var reader = reply.body.makeReader()
            while try await reader.next() != nil { hasRead.raise() }
        }
        try await scene.writer.write("one".utf8)
        await hasRead.wait()
        reading.cancel()
        let error = await #expect(throws: ClientError.self) { try await reading.value }
        #expect(error?.fault == .cancelled)
        #expect(await scene.failureOfWritingOn() == .uploadFailed(.notNeeded))
        try await scene.connector.waitForServers()
    }

    @Test func `releasing the response ends both directions`() async throws {
        let scene = DuplexScene { try await $0.echo() }
        var reply: HTTPReply? = try await scene.reply()
        #expect(reply?.response.statusCode == 200)
        reply = nil
        #expect(await scene.failureOfWritingOn() == .uploadFailed(.notNeeded))
        try await scene.connector.waitForServers()
    }

    @Test func `a task that is cancelled while it writes sends nothing, and the body goes on`() async throws {
        let scene = DuplexScene { try await $0.echo() }
        // No call reads the piece yet.
        let writing = Task { await scene.failureOfWriting("never") }
        writing.cancel()
        #expect(await writing.value?.fault == .cancelled)
        async let text = scene.reply().body.text()
        try await scene.writer.write("one".utf8)
        scene.writer.finish()
        #expect(try await text == "one")
    }

    // MARK: Loss

    @Test func `a reset in the middle ends both directions`() async throws {
        let plan = ConnectionPlan.accept(toServer: [.reset(afterBodyByteCount: 20_000)])
        let scene = DuplexScene(plan: plan) { try await $0.echo() }
        let reply = try await scene.reply()
        async let fault = scene.failureOfWritingOn()
        let error = await #expect(throws: ClientError.self) { try await reply.body.text() }
        guard case .truncated? = error else {
            Issue.record("\(String(describing: error))")
            return
        }
        #expect(await fault == .uploadFailed(.notNeeded))
        #expect(scene.connector.openCount == 0)
    }

    @Test func `a server that closes in the middle ends both directions`() async throws {
        let scene = DuplexScene { connection in
            guard try await connection.readHead() != nil else { return }
            try await connection.write(ServerConnection.chunkedHead)
            for _ in 0..<10 { _ = try await connection.readChunk() }
        }
        let reply = try await scene.reply()
        async let fault = scene.failureOfWritingOn()
        let error = await #expect(throws: ClientError.self) { try await reply.body.text() }
        #expect(error?.fault == .truncated(received: 0, expected: nil))
        #expect(await fault == .uploadFailed(.notNeeded))
    }

    @Test func `a body is sent once`() async throws {
        let scene = DuplexScene { try await $0.echo() }
        async let text = scene.reply().body.text()
        try await scene.writer.write("one".utf8)
        let second = await #expect(throws: ClientError.self) { try await scene.reply().body.text() }
        #expect(second?.fault == .uploadFailed(.streamFailed(type: "BodyEnded")))
        scene.writer.finish()
        #expect(try await text == "one")
    }

    // MARK: Silence

    private static let idle = Timeouts(connect: nil, connection: nil, firstByte: nil, idle: .seconds(60), call: nil)

    /// A server that answers at once, and sends the number of received bytes at the end.
    private static let counting: MemoryConnector.Server = { connection in
        guard try await connection.readHead() != nil else { return }
        try await connection.write(ServerConnection.chunkedHead)
        var count = 0
        while case let text = try await connection.readChunk(), !text.isEmpty { count += text.utf8.count }
        try await connection.writeChunk("\(count)")
        try await connection.writeChunk("")
    }

    @Test func `a slow writer does not end the reading while it writes`() async throws {
        let scene = DuplexScene(Self.counting)
        let reply = try await scene.reply(timeouts: Self.idle)
        let reading = Task { try await reply.body.text() }
        try await scene.clock.waitForScheduled(in: .seconds(60))
        for _ in 0..<5 {
            // The writer accepts the second piece after the client has sent the first one.
            for piece in ["a", "b"] { try await scene.writer.write(piece.utf8) }
            scene.clock.advance(by: .seconds(40))
        }
        scene.writer.finish()
        #expect(try await reading.value == "10")
    }

    @Test func `silence in both directions ends the call`() async throws {
        let scene = DuplexScene(Self.counting)
        let reply = try await scene.reply(timeouts: Self.idle)
        let start = scene.clock.now
        let reading = Task { try await reply.body.text() }
        try await scene.clock.waitForScheduled(in: .seconds(60))
        scene.clock.advance(by: .seconds(40))
        for piece in ["a", "b"] { try await scene.writer.write(piece.utf8) }
        let result = await scene.clock.advance(until: reading)
        let error = #expect(throws: ClientError.self) { try result.get() }
        #expect(error?.ending == .timedOut(.idle, after: .seconds(60), in: .body))
        // The limit counts from the last write.
        #expect(start.duration(to: scene.clock.now) >= .seconds(100))
        #expect(await scene.failureOfWritingOn() == .uploadFailed(.notNeeded))
    }

    @Test func `a reader that takes its time does not end the writing`() async throws {
        let scene = DuplexScene(capacity: 4 << 10) { try await $0.echo() }
        let reply = try await scene.reply(timeouts: Self.idle)
        let count = 256
        let writing = Task {
            for _ in 0..<count { try await scene.writer.write([UInt8](repeating: 1, count: 1 << 10)) }
            scene.writer.finish()
        }
        for _ in 0..<5 {
            // If the timer for the idle limit is set, the connection is full.
            try await scene.clock.waitForScheduled(within: .seconds(60))
            scene.clock.advance(by: .seconds(61))
        }
        #expect(try await reply.body.text().utf8.count == count << 10)
        try await writing.value
    }

    @Test func `a server that answers slowly does not end the writing while it answers`() async throws {
        let steps = AsyncStream<Void>.makeStream()
        let scene = DuplexScene(capacity: 4 << 10) { connection in
            guard try await connection.readHead() != nil else { return }
            try await connection.write(ServerConnection.chunkedHead)
            for await _ in steps.stream { try await connection.writeChunk("step") }
            while true { if try await connection.readChunk().isEmpty { break } }
            try await connection.writeChunk("")
        }
        let reply = try await scene.reply(timeouts: Self.idle)
        let writing = Task {
            try await scene.writer.write([UInt8](repeating: 1, count: 256 << 10))
            scene.writer.finish()
        }
        var reader = reply.body.makeReader()
        for _ in 0..<5 {
            steps.continuation.yield()
            #expect(try await reader.text() == "step")
            try await scene.clock.waitForScheduled(within: .seconds(60))
            scene.clock.advance(by: .seconds(40))
        }
        steps.continuation.finish()
        #expect(try await reader.text() == nil)
        try await writing.value
    }
}
