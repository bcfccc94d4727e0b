// SPDX-License-Identifier: Apache-2.0
import ClientTestSupport
import HTTPTypes
import Tern
import TernErrors
import TernFoundation
import TernTesting
import TestSupport
import Testing

@Suite("EventStream", .hangLimit)
struct EventStreamTests {
    private static func event(_ data: String, _ event: String = "message", id: String = "") -> ServerSentEvent {
        ServerSentEvent(event: event, data: data, id: id)
    }

    static let texts: [(text: String, events: [ServerSentEvent])] = [
        ("data: one\n\ndata: two\n\n", [Self.event("one"), Self.event("two")]),
        ("data: one\r\n\r\ndata: two\r\n\r\n", [Self.event("one"), Self.event("two")]),
        ("data: one\r\rdata: two\r\r", [Self.event("one"), Self.event("two")]),
        ("data: a\ndata: b\ndata\n\n", [Self.event("a\nb\n")]),
        ("event: add\nid: 7\ndata: x\n\ndata: y\n\n", [Self.event("x", "add", id: "7"), Self.event("y", id: "7")]),
        ("id: 7\n\ndata: x\n\nid\ndata: y\n\n", [Self.event("x", id: "7"), Self.event("y")]),
        (": keep\n\ndata: x\n:\n\n:more\n\n", [Self.event("x")]),
        ("\u{FEFF}data:zwölf жук 🪰\n\n", [Self.event("zwölf жук 🪰")]),
        ("data\n\ndata:\n\nevent: x\n\ndata: y\n\n", [Self.event(""), Self.event(""), Self.event("y")]),
        ("unknown: 1\nretry: x\nDATA: 2\n\ndata:  3\n\n", [Self.event(" 3")]),
        ("", []), ("\n\n\n", []), (": only\n", []),
    ]

    @Test(arguments: texts.indices, [nil, 1, 2, 3, 7])
    func `returns events, wherever the pieces are cut`(index: Int, drip: Int?) async throws {
        let (text, events) = Self.texts[index]
        let plan = ConnectionPlan.accept(toClient: drip.map { [.drip(bytesPerPiece: $0)] } ?? [])
        let scene = StreamScene(plan: plan) { _ in .events(text) }
        let stream = try await scene.client.events(from: testURL)
        let (received, error) = await collected(stream)
        #expect(received == events)
        #expect(error == nil)
        #expect(scene.connector.openCount == 1)
    }

    @Test(arguments: texts.indices)
    func `bytes can be read as events, too`(index: Int) async throws {
        let (text, events) = Self.texts[index]
        let scene = StreamScene { _ in .response(fields: [.contentType: "text/plain"], body: text) }
        let (bytes, _) = try await scene.client.bytes(from: testURL)
        #expect(await collected(bytes.events()).values == events)
    }

    @Test func `returns with the head, and an event as soon as it is complete`() async throws {
        let next = Flag()
        let scene = StreamScene { connection, _ in
            try await connection.begin("text/event-stream; charset=utf-8")
            for text in ["data: 1\n\nda", "ta: 2", "\n", "\n"] {
                try await connection.chunk(text)
                if text.hasSuffix("da") { await next.wait() }
            }
            await connection.waitForEnd()
            return false
        }
        let stream = try await scene.client.events(from: testURL)
        #expect(stream.response.statusCode == 200)
        #expect(stream.response["Content-Type"] == "text/event-stream; charset=utf-8")
        var events = stream.makeAsyncIterator()
        #expect(try await events.next()?.data == "1")
        next.raise()
        #expect(try await events.next()?.data == "2")
    }

    @Test func `comments come on request, between the events`() async throws {
        let scene = StreamScene { _ in .events(": a\ndata: 1\n: b\n\n:\n\ndata: 2\n\n:  c\n") }
        let options = EventStreamOptions(includesComments: true)
        let stream = try await scene.client.events(from: testURL, options: options)
        let (events, error) = await collected(stream)
        #expect(error == nil)
        #expect(events.compactMap(\.comment) == ["a", "b", "", " c"])
        #expect(events.filter { $0.comment == nil }.data == ["1", "2"])
        #expect(events.allSatisfy { $0.comment == nil || $0.event.isEmpty && $0.data.isEmpty })
    }

    @Test func `the request asks for events that no cache keeps`() async throws {
        let scene = StreamScene { _ in .events("data: 1\n\n") }
        _ = try await scene.client.events(from: testURL)
        let own = Request(url: testURL).header(.accept, "application/json, text/event-stream")
            .header(.cacheControl, "no-transform")
        _ = try await scene.client.events(for: own)
        let fields = scene.requests.map(\.fields)
        #expect(fields.map { $0[.accept] } == ["text/event-stream", "application/json, text/event-stream"])
        #expect(fields.map { $0[.cacheControl] } == ["no-cache", "no-transform"])
        #expect(scene.requests.allSatisfy { $0.lastEventID == nil && $0.method == .get })
    }

    @Test func `the client's default fields do not replace those of a stream`() async throws {
        var configuration = Client.Configuration()
        configuration.defaultFields = [.accept: "application/json", .cacheControl: "max-age=60"]
        let scene = StreamScene(configuration) { _ in .events("data: 1\n\n") }
        _ = try await scene.client.events(from: testURL)
        #expect(scene.requests.first?.fields[.accept] == "text/event-stream")
        #expect(scene.requests.first?.fields[.cacheControl] == "no-cache")
    }

    @Test func `the cache keeps nothing, and its responses are not asked about`() async throws {
        var configuration = Client.Configuration()
        configuration.cache = MemoryCacheStore()
        let scene = StreamScene(configuration) { _ in
            .response(
                fields: [.contentType: "text/event-stream", .cacheControl: "max-age=60", .eTag: "\"a\""],
                body: "data: 1\n\n"
            )
        }
        for _ in 0..<2 {
            let stream = try await scene.client.events(from: testURL)
            #expect(await collected(stream).values.data == ["1"])
        }
        #expect(scene.requests.count == 2)
        for _ in 0..<2 { _ = try await scene.client.data(from: testURL) }
        #expect(scene.requests.count == 3)
        let stream = try await scene.client.events(from: testURL)
        #expect(await collected(stream).values.data == ["1"])
        #expect(scene.requests.count == 4 && scene.requests.allSatisfy { $0.fields[.ifNoneMatch] == nil })
    }

    @Test func `a request may have any method and body`() async throws {
        let scene = StreamScene { .events("data: \($0.method.rawValue) \($0.text)\n\n") }
        let request = Request(.post, testURL).body(data: Data("question".utf8))
        let stream = try await scene.client.events(for: request)
        #expect(await collected(stream).values.data == ["POST question"])
    }

    @Test func `events may be compressed, and come as soon as the server has flushed them`() async throws {
        let parts = Self.compressedParts
        let next = Flag()
        let scene = StreamScene { connection, _ in
            try await connection.write(
                "HTTP/1.1 200 OK\r\nContent-Type: text/event-stream\r\nContent-Encoding: gzip\r\n"
                    + "Transfer-Encoding: chunked\r\n\r\n"
            )
            for part in parts {
                let size = Array("\(String(part.count, radix: 16))\r\n".utf8)
                try await connection.write(size + part + Array("\r\n".utf8))
                await next.wait()
            }
            try await connection.end()
            return true
        }
        let stream = try await scene.client.events(from: testURL)
        var events = stream.makeAsyncIterator()
        #expect(try await events.next()?.data == "1")
        next.raise()
        #expect(try await events.next()?.data == "2")
        #expect(try await events.next() == nil)
    }

    @Test func `compressed events that are cut are truncated`() async throws {
        let bytes = Self.compressedParts[0]
        let scene = StreamScene { _ in
            .response(fields: [.contentType: "text/event-stream", .contentEncoding: "gzip"], bytes: bytes)
        }
        let stream = try await scene.client.events(from: testURL)
        let (events, error) = await collected(stream)
        #expect(events.data == ["1"])
        #expect(error != nil)
    }

    /// A gzip stream in two parts, which zlib flushed (`Z_SYNC_FLUSH`): one event in each part.
    private static let compressedParts: [[UInt8]] = [
        [
            0x1F, 0x8B, 0x08, 0x00, 0x00, 0x00, 0x00, 0x00, 0x02, 0x03, 0x4A, 0x49, 0x2C, 0x49, 0xB4, 0x52,
            0x30, 0xE4, 0xE2, 0x02, 0x00, 0x00, 0x00, 0xFF, 0xFF,
        ],
        [
            0x4B, 0x01, 0x33, 0x8C, 0xB8, 0xB8, 0x00, 0x06, 0x2D, 0x00, 0x8F, 0x12, 0x00, 0x00, 0x00,
        ],
    ]
}
