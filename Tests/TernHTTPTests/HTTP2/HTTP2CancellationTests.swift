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

@Suite("HTTP/2: calls that end early", .hangLimit)
struct HTTP2CancellationTests {
    private let resets = Journal<Int>()
    private let received = Journal<String>()

    /// A server that never answers `/stall`, never ends `/half`, and answers all others with their path.
    private func scene() -> Scene {
        Scene.http2Answering(resets: self.resets) { [received = self.received] peer, request in
            received.note(request.path)
            switch request.path {
            case "/stall": break
            case "/half": try await peer.begin(request, "half", fields: [("content-length", "9")])
            default: try await peer.respond(to: request, request.path)
            }
        }
    }

    /// Checks that one stream was reset, and that the same connection serves another call.
    private func expectUsable(_ scene: Scene, sourceLocation: SourceLocation = #_sourceLocation) async throws {
        #expect(await self.resets.wait(for: 1) == [HTTP2Code.cancel], sourceLocation: sourceLocation)
        let answer = try await scene.get("/next")
        #expect(answer == Answer(text: "/next", isReused: true), sourceLocation: sourceLocation)
        #expect(scene.connector.attemptCount == 1, sourceLocation: sourceLocation)
        scene.expectNoLeak(idle: 1, sourceLocation: sourceLocation)
    }

    // MARK: Cancellation

    @Test func `cancelling a call that waits for its head`() async throws {
        let scene = self.scene()
        let calling = Task { await scene.error(of: "/stall") }
        _ = await self.received.wait(for: 1)
        calling.cancel()
        #expect(await calling.value?.ending == Ending(.cancelled, in: .head))
        try await self.expectUsable(scene)
    }

    @Test func `cancelling a call that reads its body`() async throws {
        let scene = self.scene()
        let body = try await scene.head(of: "/half").body
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
        try await self.expectUsable(scene)
    }

    @Test func `releasing a reply whose body was not read`() async throws {
        let scene = self.scene()
        _ = try await scene.head(of: "/half")
        try await self.expectUsable(scene)
    }

    @Test func `discarding a body`() async throws {
        let scene = self.scene()
        var reply = try await scene.head(of: "/half")
        reply.discardBody()
        try await self.expectUsable(scene)
    }

    @Test func `a body that has arrived as a whole may be discarded without a reset`() async throws {
        let hasEnded = Flag()
        let scene = Scene.http2Answering(resets: self.resets) { peer, request in
            try await peer.begin(request, "half")
            try await peer.end(request)
            try await peer.roundTrip()
            hasEnded.raise()
        }
        var reply = try await scene.reply()
        await hasEnded.wait()
        reply.discardBody()
        scene.expectNoLeak(idle: 1)
        #expect(try await scene.answer().isReused)
        #expect(self.resets.all.isEmpty)
    }

    @Test func `what comes for a stream that was reset is dropped`() async throws {
        let mayGoOn = Suspension<Void>()
        let scene = Scene.http2 { peer in
            try await peer.handshake()
            guard let request = try await peer.nextRequest() else { return }
            try await peer.begin(request, "half")
            await mayGoOn.wait(onCancel: ())
            try await peer.send(.data(request.stream, [UInt8](repeating: 1, count: 100_000)))
            try await peer.send(.headers(request.stream, [("x-late", "yes")], endsStream: true))
            try await peer.serve { request in try await peer.respond(to: request, "next") }
        }
        var reply = try await scene.reply()
        reply.discardBody()
        mayGoOn.resume(with: ())
        for _ in 0..<3 { #expect(try await scene.answer() == Answer(text: "next", isReused: true)) }
        #expect(scene.connector.attemptCount == 1)
        scene.expectNoLeak(idle: 1)
    }

    @Test func `many calls are cancelled beside one that goes on`() async throws {
        let scene = self.scene()
        let kept = try await scene.head(of: "/half")
        let calls = (0..<50).map { _ in Task { await scene.error(of: "/stall") } }
        _ = await self.received.wait(for: 51)
        for call in calls { call.cancel() }
        for call in calls { #expect(await call.value?.isCancellation == true) }
        #expect(await self.resets.wait(for: 50).count == 50)
        #expect(try await scene.get("/next").text == "/next")
        withExtendedLifetime(kept) {}
        #expect(scene.connector.attemptCount == 1)
    }

    @Test func `cancelling at any moment leaves nothing behind`() async throws {
        let scene = self.scene()
        _ = try await scene.get("/first")
        for delay in 0..<100 {
            let calling = Task { _ = try? await scene.get("/\(delay)") }
            for _ in 0..<delay { await Task.yield() }
            calling.cancel()
            await calling.value
        }
        try await eventually("no slot is lent") { scene.transport.connectionCounts.lent == 0 }
        #expect(try await scene.get("/last") == Answer(text: "/last", isReused: true))
        #expect(scene.connector.attemptCount == 1)
        scene.expectNoLeak(idle: 1)
    }

    // MARK: Uploads

    @Test(arguments: [0, 1])
    func `cancelling an upload that waits for a window`(openStream: Int) async throws {
        let (resets, isFull) = (self.resets, Flag())
        let scene = Scene.http2 { peer in
            try await peer.handshake()
            guard let first = try await peer.nextRequest() else { return }
            // One window has room: the other one holds the upload up.
            try await peer.send(.windowUpdate(openStream, 1 << 20))
            var byteCount = 0
            while byteCount < 65_535, let frame = try await peer.wait(for: { $0.isPart(of: first.stream) }) {
                if case .data(_, let bytes, _) = frame { byteCount += bytes.count }
            }
            isFull.raise()
            let end = try await peer.wait(for: { $0.isPart(of: first.stream) })
            if case .reset(_, let code)? = end { resets.note(code) }
            try await peer.send(.windowUpdate(0, 65_535))
            try await peer.serve { request in
                let content = try await peer.content(of: request)
                try await peer.respond(to: request, "\(content.bytes.count)")
            }
        }
        let request = Request(.post, "http://test/").body(data: Data(count: 300_000))
        let calling = Task { await scene.failure(of: request) }
        await isFull.wait()
        calling.cancel()
        #expect(await calling.value?.isCancellation == true)
        #expect(await resets.wait(for: 1) == [HTTP2Code.cancel])
        #expect(try await scene.answer(to: request) == Answer(text: "300000", isReused: true))
        #expect(scene.connector.attemptCount == 1)
        scene.expectNoLeak(idle: 1)
    }

    @Test func `cancelling one of many uploads that wait lets the others go on`() async throws {
        let (isFull, mayGoOn) = (Flag(), Suspension<Void>())
        let scene = Scene.http2 { peer in
            try await peer.handshake()
            var requests: [HTTP2Headers] = []
            while requests.count < 5, case .headers(let headers)? = try await peer.wait(for: { $0.isRequest }) {
                requests.append(headers)
            }
            isFull.raise()
            await mayGoOn.wait(onCancel: ())
            try await peer.send(.windowUpdate(0, 2_000_000))
            for request in requests {
                let content = try await peer.content(of: request)
                try await peer.respond(to: request, "\(content.bytes.count)")
            }
            await peer.connection.waitForEnd()
        }
        let request = Request(.post, "http://test/").body(data: Data(count: 300_000))
        let calls = (0..<5).map { _ in Task { try await scene.answer(to: request).text } }
        await isFull.wait()
        calls[0].cancel()
        calls[3].cancel()
        for index in [0, 3] { await #expect(throws: ClientError.self) { try await calls[index].value } }
        mayGoOn.resume(with: ())
        for index in [1, 2, 4] { #expect(try await calls[index].value == "300000") }
    }

    // MARK: Limits of time

    /// Calls, waits until a limit is armed, and lets it pass.
    private func ending(
        _ scene: Scene,
        _ path: String,
        _ timeouts: Timeouts,
        after limit: Duration
    ) async throws -> Ending? {
        let calling = Task { await scene.error(of: path, timeouts: timeouts) }
        _ = await self.received.wait(for: 1)
        try await scene.clock.waitForScheduled(in: limit)
        scene.clock.advance(by: limit)
        return await calling.value?.ending
    }

    @Test func `the limit for the first byte`() async throws {
        let scene = self.scene()
        let ending = try await self.ending(scene, "/stall", .only(firstByte: .seconds(5)), after: .seconds(5))
        #expect(ending == .timedOut(.firstByte, after: .seconds(5), in: .head))
        try await self.expectUsable(scene)
    }

    @Test func `the limit for a silent body`() async throws {
        let scene = self.scene()
        let ending = try await self.ending(scene, "/half", .only(idle: .seconds(7)), after: .seconds(7))
        #expect(ending == .timedOut(.idle, after: .seconds(7), in: .body))
        try await self.expectUsable(scene)
    }

    @Test(arguments: ["/stall", "/half"])
    func `the limit for the whole call`(path: String) async throws {
        let scene = self.scene()
        let ending = try await self.ending(scene, path, .only(call: .seconds(6)), after: .seconds(6))
        #expect(ending?.fault == .timedOut(.call))
        #expect(ending?.limit == .seconds(6))
        try await self.expectUsable(scene)
    }

    @Test func `the limit for an upload that waits for the window`() async throws {
        let configuration = HTTPTransportConfiguration.priorKnowledge.with { configuration in
            configuration.http2.keepAlive = nil
            configuration.pool.idleTimeout = .seconds(1_000_000)
        }
        let scene = Scene.http2Answering(configuration, resets: self.resets) { peer, request in
            if request.endsStream { try await peer.respond(to: request, request.path) }
        }
        let request = Request(.post, "http://test/").body(data: Data(count: 300_000))
        let calling = Task { try await scene.answer(to: request, timeouts: .only(idle: .seconds(8))) }
        let result = await scene.clock.advance(until: calling)
        let failure = #expect(throws: ClientError.self) { try result.get() }
        #expect(failure?.ending == .timedOut(.idle, after: .seconds(8), in: .send))
        try await self.expectUsable(scene)
    }
}
