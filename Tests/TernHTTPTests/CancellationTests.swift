// SPDX-License-Identifier: Apache-2.0
import ClientTestSupport
import HTTPTypes
import TernConnections
import TernErrors
import TernFoundation
import TernHTTP
import TernRequests
import TernTesting
import TernTransport
import TestSupport
import Testing

@Suite("Cancellation", .hangLimit)
struct CancellationTests {
    @Test func `before anything is done`() async {
        let scene = Scene { _ in .response() }
        let calling = Task {
            withUnsafeCurrentTask { $0?.cancel() }
            return await scene.failure()
        }
        #expect(await calling.value?.ending == Ending(.cancelled, in: .prepare))
        #expect(scene.connector.attemptCount == 0)
        scene.expectNoLeak(idle: 0)
    }

    @Test func `while waiting for a connection`() async throws {
        var configuration = HTTPTransportConfiguration()
        configuration.pool.maximumConnectionsPerHost = 1
        let scene = Scene(ScriptedServer { _ in .chunked(["held", "on"]) }, configuration)
        let holding = try await scene.reply()
        let calling = Task { await scene.failure() }
        try await eventually("the call waits") { scene.transport.connectionCounts.waiting == 1 }
        calling.cancel()
        #expect(await calling.value?.ending == Ending(.cancelled, in: .wait))
        _ = try await holding.body.text()
        scene.expectNoLeak(idle: 1)
    }

    @Test func `while connecting`() async throws {
        let scene = Scene(plan: .hang) { _ in .response() }
        let calling = Task { await scene.failure() }
        try await scene.connector.waitForAttempts(1)
        calling.cancel()
        #expect(await calling.value?.ending == Ending(.cancelled, in: .connect))
        scene.expectNoLeak(idle: 0)
    }

    @Test func `while waiting for the head`() async throws {
        let scene = Scene { _ in .stall }
        let calling = Task { await scene.failure() }
        try await scene.server.waitForRequests(1)
        calling.cancel()
        #expect(await calling.value?.ending == Ending(.cancelled, in: .head))
        scene.expectNoLeak(idle: 0)
        try await scene.connector.waitForServers()
    }

    @Test func `while reading the body`() async throws {
        let scene = Scene { _ in .raw("HTTP/1.1 200 OK\r\nContent-Length: 9\r\n\r\nhalf", ending: .stall) }
        let body = try await scene.reply().body
        let begun = Flag()
        let reading = Task {
            var reader = body.makeReader()
            _ = try await reader.next()
            begun.raise()
            return try await reader.next()
        }
        await begun.wait()
        reading.cancel()
        let failure = await #expect(throws: ClientError.self) { try await reading.value }
        #expect(failure?.ending == Ending(.cancelled, in: .body))
        scene.expectNoLeak(idle: 0)
        #expect(try await body.text() == "")  // after an error, the body is at its end
    }

    @Test func `while the upload waits for room`() async throws {
        let scene = Scene(plan: .accept(toServer: [.stall()])) { _ in .response() }
        var request = Request(.post, "http://test/").body(data: Data(count: 300 << 10))
        request.options.expectsContinue = false
        let calling = Task { [request] in await scene.failure(of: request) }
        try await scene.connector.waitForOpen(1)
        calling.cancel()
        #expect(await calling.value?.isCancellation == true)
        scene.expectNoLeak(idle: 0)
    }

    @Test func `while the upload waits for its stream, which is ended`() async throws {
        let scene = Scene([.receive])
        let (asked, ended) = (Flag(), Flag())
        let never = Suspension<[UInt8]?>()
        let stream = AsyncStream<[UInt8]>(
            unfolding: {
                asked.raise()
                return await never.wait(onCancel: nil)
            },
            onCancel: { ended.raise() }
        )
        var request = Request(.post, "http://test/").body(stream: stream)
        request.options.expectsContinue = false
        let calling = Task { [request] in await scene.failure(of: request) }
        await asked.wait()
        calling.cancel()
        #expect(await calling.value?.isCancellation == true)
        await ended.wait()
        scene.expectNoLeak(idle: 0)
    }

    @Test func `at any moment leaves nothing behind`() async {
        for delay in 0..<60 {
            let scene = Scene { _ in .chunked(["one", "two", "three"]) }
            let calling = Task { try? await scene.answer() }
            for _ in 0..<delay { await Task.yield() }
            calling.cancel()
            _ = await calling.value
            scene.expectNoLeak(idle: 0...1)
        }
    }

    @Test func `of one waiting call lets the one behind it have its turn`() async throws {
        var configuration = HTTPTransportConfiguration()
        configuration.pool.maximumConnectionsPerHost = 1
        let scene = Scene(ScriptedServer { .chunked(["at", $0.target]) }, configuration)
        let holding = try await scene.reply()
        let first = Task { await scene.failure(of: Request(.get, "http://test/first")) }
        try await eventually("the call waits") { scene.transport.connectionCounts.waiting == 1 }
        let second = Task { try await scene.answer(to: Request(.get, "http://test/second")) }
        try await eventually("the second waits, too") { scene.transport.connectionCounts.waiting == 2 }
        first.cancel()
        #expect(await first.value?.isCancellation == true)
        _ = try await holding.body.text()
        #expect(try await second.value == Answer(text: "at/second", isReused: true))
        scene.expectNoLeak(idle: 1)
    }
}
