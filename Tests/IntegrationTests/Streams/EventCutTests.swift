// SPDX-License-Identifier: Apache-2.0
import ClientTestSupport
import Foundation
import Tern
import TestSupport
import Testing

/// Streams whose server dies between any two bytes; the raw server sends back the beginning of the request's body.
@Suite("Event streams: cut off", .hangLimit)
struct EventCutTests {
    /// The parts of the stream, each of which is whole, and the event that each part completes.
    private static let parts: [(text: String, event: ServerSentEvent?)] = [
        ("\u{FEFF}", nil),
        (": a comment\n", nil),
        ("data: one\n\n", ServerSentEvent(data: "one")),
        ("id: 7\r\nevent: x\r\ndata: zwei ä😀\r\ndata\r\n\r\n", ServerSentEvent(event: "x", data: "zwei ä😀\n", id: "7")),
        ("retry: 10\r", nil),
        ("data:three\r\r", ServerSentEvent(data: "three", id: "7")),
        ("event: no data\n\n", nil),
        ("data\n\n", ServerSentEvent(id: "7")),
    ]

    private static let stream = Data(Self.parts.map(\.text).joined().utf8)

    /// The events, and the number of bytes after which each is complete: the LF of a last CRLF adds nothing.
    private static let events: [(event: ServerSentEvent, end: Int)] = {
        var (events, end): ([(ServerSentEvent, Int)], Int) = ([], 0)
        for (text, event) in Self.parts {
            end += text.utf8.count
            if let event { events.append((event, text.hasSuffix("\r\n") ? end - 1 : end)) }
        }
        return events
    }()

    /// The framing of a response.
    enum Framing: String, CaseIterable, Sendable {
        case chunked
        /// The response ends with its connection.
        case close
    }

    /// Returns the events of a response, and the error after them.
    private static func read(
        _ request: Request,
        until finalEvent: FinalEvent? = nil,
        by client: Client
    ) async -> ([ServerSentEvent], Fault?) {
        var events: [ServerSentEvent] = []
        let fault = await fault { () async throws(ClientError) in
            for try await event in try await client.events(for: request, until: finalEvent) { events.append(event) }
        }
        return (events, fault)
    }

    private static func request(_ server: RawServer, _ framing: Framing, cutAt byteCount: Int) -> Request {
        Request(.post, server.url("/events/cut"))
            .query("at", byteCount)
            .query("framing", framing.rawValue)
            .body(data: Self.stream)
    }

    /// Does something for each place of the cut, eight at a time.
    private func forEachCut(_ body: @escaping @Sendable (_ byteCount: Int) async -> Void) async {
        await withTaskGroup(of: Void.self) { group in
            for task in 0..<8 {
                group.addTask {
                    for byteCount in stride(from: task, through: Self.stream.count, by: 8) { await body(byteCount) }
                }
            }
        }
    }

    @Test(arguments: Framing.allCases)
    func `every event before the cut arrives, and then an error`(_ framing: Framing) async throws {
        let server = try await RawServer()
        let client = Client(configuration: .patient)
        await self.forEachCut { byteCount in
            let request = Self.request(server, framing, cutAt: byteCount)
            let (events, fault) = await Self.read(request, by: client)
            let expected = Self.events.filter { $0.end <= byteCount }.map(\.event)
            #expect(events == expected, "cut at \(byteCount)")
            // A response that ends with its connection is complete if it ends after an event.
            let isWhole = framing == .close && Self.isBoundary(byteCount)
            let truncated = Fault.truncated(received: Int64(byteCount), expected: nil)
            #expect(fault == (isWhole ? nil : truncated), "cut at \(byteCount)")
        }
        try await server.isLeft()
    }

    /// Whether the stream consists of whole parts up to this place.
    private static func isBoundary(_ byteCount: Int) -> Bool {
        var ends = [0]
        for part in Self.parts { ends.append((ends.last ?? 0) + part.text.utf8.count) }
        return ends.contains(byteCount) || Self.events.contains { $0.end == byteCount }
    }

    @Test(arguments: Framing.allCases)
    func `without its final event, every stream is cut off`(_ framing: Framing) async throws {
        let server = try await RawServer()
        let client = Client(configuration: .patient)
        await self.forEachCut { byteCount in
            let request = Self.request(server, framing, cutAt: byteCount)
            let (_, fault) = await Self.read(request, until: .data("[DONE]"), by: client)
            #expect(fault == .truncated(received: Int64(byteCount), expected: nil), "cut at \(byteCount)")
        }
    }

    @Test(arguments: Framing.allCases)
    func `a reset is an error, after what had arrived`(_ framing: Framing) async throws {
        let server = try await RawServer()
        let client = Client(configuration: .patient)
        let byteCount = Self.events[1].end + 5
        let request = Self.request(server, framing, cutAt: byteCount).query("gate", "\(server.port)")
        var events = try await client.events(for: request).makeAsyncIterator()
        #expect(try await events.next() == Self.events[0].event)
        #expect(try await events.next() == Self.events[1].event)
        try await server.open(gate: "\(server.port)")
        let fault = await fault { () async throws(ClientError) in try await events.next() }
        #expect(fault == .truncated(received: Int64(byteCount), expected: nil))
        #expect(try await events.next() == nil)
    }

    @Test(arguments: [false, true])
    func `a stream that nginx cuts off is cut off`(_ isHTTP2: Bool) async throws {
        let server = try await EventServer.shared
        let client = server.makeClient()
        for (index, each) in Self.events.enumerated() {
            let request = server.rawRequest("/events/cut", isHTTP2: isHTTP2)
                .query("at", each.end + 1)
                .query("framing", Framing.chunked.rawValue)
                .body(data: Self.stream + Data("data: cut".utf8))
            let (events, fault) = await Self.read(request, by: client)
            #expect(events == Self.events[...index].map(\.event))
            #expect(fault == .truncated(received: Int64(each.end + 1), expected: nil))
        }
    }
}
