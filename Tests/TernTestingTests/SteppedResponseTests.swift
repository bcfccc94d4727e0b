// SPDX-License-Identifier: Apache-2.0
import ClientTestSupport
import HTTPTypes
import Tern
import TernFoundation
import TernTesting
import TestSupport
import Testing

/// A client and a scripted server, with one clock.
private struct Scene: Sendable {
    static let versions = [HTTPVersion.http11, .http2]

    let clock = ManualClock()
    let server: ScriptedServer
    let connector: MemoryConnector
    let client: Client

    init(_ version: HTTPVersion, answer: @escaping ScriptedServer.Answer) {
        self.server = ScriptedServer(answer)
        self.connector = MemoryConnector(self.server, version: version, clock: self.clock)
        var configuration = Client.Configuration()
        configuration.httpVersion = version == .http2 ? .http2PriorKnowledge : .automatic
        self.client = Client(configuration: configuration, connector: self.connector, clock: self.clock)
    }

    /// Advances the clock by a pause that the server makes.
    func advance(by duration: Duration) async throws {
        try await self.clock.waitForScheduled(in: duration)
        self.clock.advance(by: duration)
    }

    /// Reads events to the end.
    func data(of iterator: inout EventStream.Iterator) async throws(ClientError) -> [String] {
        var data: [String] = []
        while let event = try await iterator.next() { data.append(event.data) }
        return data
    }
}

@Suite("Responses made of steps", .hangLimit)
struct SteppedResponseTests {
    @Test(arguments: Scene.versions)
    func `events arrive in order, and a pause ends when the clock is advanced`(version: HTTPVersion) async throws {
        let scene = Scene(version) { _ in
            .events([
                .event("one"), .comment("keep-alive"), .pause(.seconds(1)), .event("two", event: "delta", id: "7"),
                .pause(.seconds(2)), .text("data: thr"), .pause(.seconds(3)), .text("ee\n\n"),
            ])
        }
        let stream = try await scene.client.events(from: testURL)
        #expect(stream.response["Content-Type"] == "text/event-stream")
        var events = stream.makeAsyncIterator()
        #expect(try await events.next() == ServerSentEvent(data: "one"))
        try await scene.advance(by: .seconds(1))
        #expect(try await events.next() == ServerSentEvent(event: "delta", data: "two", id: "7"))
        try await scene.advance(by: .seconds(2))
        try await scene.advance(by: .seconds(3))
        #expect(try await events.next() == ServerSentEvent(data: "three", id: "7"))
        #expect(try await events.next() == nil)
    }

    @Test(arguments: Scene.versions, [RecordStreamFormat.lines, .textSequence])
    func `records arrive in both formats`(version: HTTPVersion, format: RecordStreamFormat) async throws {
        let scene = Scene(version) { _ in
            .records([.record([1]), .pause(.seconds(15)), .record([2, 3])], format: format)
        }
        let stream = try await scene.client.values(from: testURL, as: [Int].self)
        let type = format == .lines ? "application/x-ndjson" : "application/json-seq"
        #expect(stream.response["Content-Type"] == type)
        var values = stream.makeAsyncIterator()
        #expect(try await values.next() == [1])
        try await scene.advance(by: .seconds(15))
        #expect(try await values.next() == [2, 3])
        #expect(try await values.next() == nil)
    }

    @Test(arguments: Scene.versions)
    func `a body of any kind can be made of steps`(version: HTTPVersion) async throws {
        let scene = Scene(version) { request in
            request.target == "/whole"
                ? .stream([.text("a"), .bytes([98, 99])], fields: [.contentLength: "3"])
                : .stream([.text("one\ntw"), .pause(.seconds(15)), .text("o\n")], status: .accepted)
        }
        let (bytes, response) = try await scene.client.bytes(from: testURL)
        #expect((response.statusCode, response["Content-Type"]) == (202, nil))
        var lines = bytes.lines.makeAsyncIterator()
        #expect(try await lines.next() == "one")
        try await scene.advance(by: .seconds(15))
        #expect(try await lines.next() == "two")
        #expect(try await lines.next() == nil)
        let (whole, _) = try await scene.client.data(for: Request(.get, "http://test/whole"))
        #expect(whole == Data("abc".utf8))
    }

    @Test(arguments: Scene.versions)
    func `after a complete body, the connection serves the next request`(version: HTTPVersion) async throws {
        let scene = Scene(version) { _ in .events([.event("one")]) }
        for _ in 1...2 {
            var events = try await scene.client.events(from: testURL).makeAsyncIterator()
            #expect(try await scene.data(of: &events) == ["one"])
        }
        #expect(scene.server.requests.map(\.connection) == [1, 1])
    }

    // MARK: Early ends

    @Test(arguments: Scene.versions)
    func `after a cut or a reset, the body is truncated`(version: HTTPVersion) async throws {
        for (path, end) in [("cut", ScriptedResponse.BodyStep.cut), ("reset", .reset)] {
            let scene = Scene(version) { _ in .events([.event("one"), .pause(.seconds(15)), end, .event("two")]) }
            var events = try await scene.client.events(from: testURL).makeAsyncIterator()
            #expect(try await events.next()?.data == "one")
            try await scene.advance(by: .seconds(15))
            let error = await #expect(throws: ClientError.self, "\(path)") { try await events.next() }
            guard case .truncated? = error else {
                Issue.record("\(path): \(String(describing: error))")
                continue
            }
        }
    }

    @Test(arguments: Scene.versions)
    func `after a stall, the client's time limit ends the call`(version: HTTPVersion) async throws {
        let scene = Scene(version) { _ in .events([.event("one"), .stall]) }
        // The limit ends the call before HTTP/2 asks whether the server is there.
        let request = Request(url: testURL).timeouts(.patient(idle: .seconds(20)))
        let stream = try await scene.client.events(for: request)
        let reading = Task {
            var events = stream.makeAsyncIterator()
            return try await scene.data(of: &events)
        }
        guard case .failure(let error) = await scene.clock.advance(until: reading) else {
            Issue.record("the stream ended in order")
            return
        }
        #expect((error as? ClientError)?.isTimeout == true)
    }

    @Test(arguments: Scene.versions)
    func `a client that leaves during a pause ends the server`(version: HTTPVersion) async throws {
        let connector: MemoryConnector
        do {
            let scene = Scene(version) { _ in .events([.event("one"), .pause(.seconds(15)), .event("two")]) }
            connector = scene.connector
            for try await event in try await scene.client.events(from: testURL) {
                #expect(event.data == "one")
                try await scene.clock.waitForScheduled(in: .seconds(15))
                break
            }
        }
        // Nothing advances the clock.
        try await connector.waitForOpen(0)
        try await connector.waitForServers()
    }

    // MARK: Reconnecting

    @Test(arguments: Scene.versions)
    func `a retry field makes the client wait before it connects again`(version: HTTPVersion) async throws {
        let scene = Scene(version) { _ in .events([.retry(.seconds(30)), .event("one", id: "7")]) }
        var end: EventDisconnection?
        for try await element in scene.client.reconnectingEvents(from: testURL) {
            guard case .disconnected(let disconnection, _) = element else { continue }
            end = disconnection
            break
        }
        let disconnection = try #require(end)
        #expect(disconnection.error == nil)
        let delay = try #require(disconnection.retryDelay)
        #expect(delay >= .seconds(30))
        #expect(disconnection.lastEventID == "7")
    }

    // MARK: Special cases

    @Test(arguments: Scene.versions)
    func `a mistake in a step is told to the call`(version: HTTPVersion) async {
        let scene = Scene(version) { _ in .events([.event("one"), .event("two", event: "a\nb")]) }
        let error = await failure { () async throws(ClientError) in try await scene.client.events(from: testURL) }
        #expect(error?.fault == .interceptorFailed)
        #expect(error?.description.contains(#"an event type that contains a line break, "a\nb""#) == true)
    }

    @Test(arguments: Scene.versions)
    func `responses without content send no steps`(version: HTTPVersion) async throws {
        let scene = Scene(version) { _ in .events([.event("one"), .stall], status: .noContent) }
        var events = try await scene.client.events(from: testURL).makeAsyncIterator()
        #expect(try await scene.data(of: &events) == [])
        let head = Scene(version) { _ in .events([.event("one"), .stall]) }
        let (data, _) = try await head.client.data(for: Request(.head, "http://test/"))
        #expect(data.isEmpty)
    }
}

@Suite("ScriptedTransport with steps", .hangLimit)
struct SteppedTransportTests {
    @Test func `events arrive, and the client's clock measures pauses`() async throws {
        let clock = ManualClock()
        let transport = ScriptedTransport(
            .events([.event("one"), .pause(.seconds(15)), .event("two", id: "7"), .cut]),
            .records([.record(["a"]), .record(["b"])], format: .textSequence),
            .stream([.text("a"), .text("b")], status: .accepted)
        )
        let client = Client(transport: transport, clock: clock)
        var events = try await client.events(from: testURL).makeAsyncIterator()
        #expect(try await events.next()?.data == "one")
        async let advanced: Void = {
            try await clock.waitForScheduled(in: .seconds(15))
            clock.advance(by: .seconds(15))
        }()
        #expect(try await events.next() == ServerSentEvent(data: "two", id: "7"))
        try await advanced
        let error = await #expect(throws: ClientError.self) { try await events.next() }
        guard case .truncated(received: let count, expected: nil, let context)? = error else {
            Issue.record("\(String(describing: error))")
            return
        }
        #expect((count, context.response?.status) == (28, .ok))
        var values: [[String]] = []
        for try await value in try await client.values(from: testURL, as: [String].self) { values.append(value) }
        #expect(values == [["a"], ["b"]])
        let (data, response) = try await client.data(from: testURL)
        #expect((data, response.statusCode) == (Data("ab".utf8), 202))
    }

    @Test(arguments: [ScriptedResponse.BodyStep.stall, .pause(.seconds(15))])
    func `cancelling ends a stall and a pause`(step: ScriptedResponse.BodyStep) async throws {
        let client = Client(transport: ScriptedTransport(.events([.event("one"), step])), clock: ManualClock())
        let isReading = Flag()
        let reading = Task {
            for try await _ in try await client.events(from: testURL) { isReading.raise() }
        }
        await isReading.wait()
        reading.cancel()
        let error = await #expect(throws: ClientError.self) { try await reading.value }
        #expect(error?.isCancellation == true)
    }

    @Test func `a stall ends, and says so`() async throws {
        let client = Client(transport: ScriptedTransport(.events([.stall])))
        let stream = try await client.events(from: testURL)
        let error = await WaitLimit.$current.withValue(.zero) {
            await failure { () async throws(ClientError) in
                var events = stream.makeAsyncIterator()
                return try await events.next()
            }
        }
        #expect(error?.description.contains("the rest of a body, which the script never sends") == true)
    }

    @Test func `a mistake in a step is told to the call`() async {
        let client = Client(transport: ScriptedTransport(.records([.record(Double.nan)])))
        let error = await failure { () async throws(ClientError) in
            try await client.values(from: testURL, as: Double.self)
        }
        #expect(error?.fault == .interceptorFailed)
        #expect(error?.description.contains("The script cannot encode a Double") == true)
    }
}
