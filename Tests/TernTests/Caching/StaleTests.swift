// SPDX-License-Identifier: Apache-2.0
import ClientTestSupport
import Tern
import TernCaching
import TernFoundation
import TernTesting
import TestSupport
import Testing

@Suite("Caching: stale responses and equal requests", .hangLimit)
struct StaleTests {
    /// A time limit for which only calls that wait for another call or for a connection schedule a timer.
    private static let waitLimit = Duration.seconds(77)

    @Sendable private static func isSeenWaiting(_ configuration: inout Client.Configuration) {
        configuration.timeouts.connection = Self.waitLimit
    }

    private func waitForWaiting(_ count: Int, _ scene: CacheScene) async throws {
        try await eventually("\(count) calls wait") {
            scene.scene.clock.scheduledDelays.count { $0 == Self.waitLimit } == count
        }
    }

    @Test func `stale-while-revalidate answers at once, and the next answer is new`() async throws {
        let scene = CacheScene { number, _ in
            .response(fields: [.cacheControl: "max-age=60, stale-while-revalidate=30"], body: "\(number)")
        }
        #expect(try await scene.get() == "200 1 network")
        let before = try await scene.store.entries(for: CacheKey(testURL))
        scene.advance(61)
        #expect(try await scene.get() == "200 1 stale 61")
        try await scene.scene.server.waitForRequests(2)
        // Not with `get()`, which could begin another validation at the moment at which this one ends.
        try await eventually("what the validation brought is stored") {
            try await scene.store.entries(for: CacheKey(testURL)) != before
        }
        #expect(try await scene.get() == "200 2 cached 0")
        #expect(scene.requests.count == 2)
    }

    @Test func `a client that is released ends what goes on in the background`() async throws {
        let clock = ManualClock()
        let server = ScriptedServer { request in
            request.fields[.ifNoneMatch] != nil
                ? .raw("", ending: .stall)
                : .response(
                    fields: [.cacheControl: "max-age=60, stale-while-revalidate=30", .eTag: "\"a\""],
                    body: "x"
                )
        }
        let connector = MemoryConnector.tested(server, clock: clock)
        do {
            var configuration = Client.Configuration()
            configuration.cache = MemoryCacheStore()
            let client = Client(configuration: configuration.tested, connector: connector, clock: clock)
            _ = try await client.data(from: testURL)
            clock.advance(by: .seconds(61))
            #expect(try await client.data(from: testURL).1.cacheStatus == .stale(age: .seconds(61)))
            try await server.waitForRequests(2)
        }
        try await connector.waitForOpen(0)
        #expect(server.requests.count == 2)
    }

    @Test(arguments: [500, 502, 503, 504])
    func `stale-if-error answers in place of an error`(status: Int) async throws {
        let scene = CacheScene { number, _ in
            number == 1
                ? .response(fields: [.cacheControl: "max-age=60, stale-if-error=100", .eTag: "\"a\""], body: "good")
                : .response(HTTPResponse.Status(code: status), body: "bad")
        }
        #expect(try await scene.get() == "200 good network")
        scene.advance(100)
        #expect(try await scene.get() == "200 good stale 100")
        scene.advance(61)
        #expect(try await scene.get() == "\(status) bad network")
    }

    @Test func `stale-if-error answers when the connection is lost`() async throws {
        let scene = CacheScene { number, _ in
            number == 1
                ? .response(fields: [.cacheControl: "max-age=60, stale-if-error=100"], body: "good")
                : .raw("", ending: .reset)
        }
        #expect(try await scene.get() == "200 good network")
        scene.advance(100)
        #expect(try await scene.get() == "200 good stale 100")
        scene.advance(61)
        #expect(await scene.client.failure(Request(url: testURL))?.isConnectivity == true)
    }

    @Test func `equal requests are one, if they want to be`() async throws {
        // The body does not fit in the buffers, so the first call cannot store it before a caller reads it.
        let body = String(repeating: "1", count: 1 << 20)
        let scene = CacheScene(Self.isSeenWaiting) { _, _ in
            .response(fields: [.cacheControl: "max-age=60"], body: body)
        }
        let request = Request(url: testURL).cache(.useProtocol, collapses: true)
        let first = try await scene.client.reply(for: request)
        let begun = Flag()
        let others = (0..<5).map { _ in
            Task {
                begun.raise()
                return try await scene.get(request)
            }
        }
        try await eventually("5 calls have begun") { begun.count == 5 }
        var reader = first.body.makeReader()
        while try await reader.next() != nil {}
        for other in others { expectEqual(try await other.value, "200 \(body) cached 0") }
        #expect(scene.requests.count == 1)
    }

    @Test func `if the first fails, the others go on their own`() async throws {
        let scene = CacheScene(Self.isSeenWaiting) { number, _ in
            number == 1
                ? .raw("HTTP/1.1 200 OK\r\nCache-Control: max-age=9\r\nContent-Length: 5\r\n\r\nx", ending: .stall)
                : .response(body: "\(number)")
        }
        let request = Request(url: testURL).cache(.useProtocol, collapses: true)
        let client = scene.client
        let first = Task { await client.failure(request) }
        try await scene.scene.server.waitForRequests(1)
        let others = (0..<3).map { _ in Task { try await scene.get(request) } }
        try await self.waitForWaiting(3, scene)
        first.cancel()
        #expect(await first.value?.isCancellation == true)
        var texts: Set<String> = []
        for other in others { texts.insert(try await other.value) }
        #expect(texts == ["200 2 network", "200 3 network", "200 4 network"])
    }

    @Test func `if the answer cannot be stored, the others go on their own`() async throws {
        let scene = CacheScene { number, _ in .response(fields: [.cacheControl: "no-store"], body: "\(number)") }
        let request = Request(url: testURL).cache(.useProtocol, collapses: true)
        var texts: Set<String> = []
        let tasks = (0..<4).map { _ in Task { try await scene.get(request) } }
        for task in tasks { texts.insert(try await task.value) }
        #expect(texts == Set((1...4).map { "200 \($0) network" }))
    }

    @Test func `who waits for another can be cancelled, and its time can end`() async throws {
        let scene = CacheScene { _, _ in .raw("", ending: .stall) }
        let client = scene.client
        let request = Request(url: testURL).cache(.useProtocol, collapses: true)
        let first = Task { await client.failure(request) }
        try await scene.scene.server.waitForRequests(1)
        let second = Task { await client.failure(request) }
        let third = Task { await client.failure(request.timeout(.seconds(7))) }
        try await scene.scene.clock.waitForScheduled(in: .seconds(7))
        second.cancel()
        #expect(await second.value?.isCancellation == true)
        scene.advance(7)
        #expect(await third.value?.isTimeout == true)
        first.cancel()
        #expect(await first.value?.isCancellation == true)
        #expect(scene.requests.count == 1)
    }
}
