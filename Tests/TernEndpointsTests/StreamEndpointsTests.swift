// SPDX-License-Identifier: Apache-2.0
import Tern
import TernTesting
import TestSupport
import Testing

/// Tests the methods that return streams, which the plug-in generates from `streams.http`.
@Suite("Streams from a file", .hangLimit)
struct StreamEndpointsTests {
    /// Returns a whole response with events.
    private static func events(_ text: String) -> ScriptedResponse {
        .response(fields: [.contentType: "text/event-stream"], body: text)
    }

    /// Returns an event whose data is a photo.
    private static func photo(_ id: Int) -> String { "data: {\"id\": \(id), \"title\": \"Biscuit\"}\n\n" }

    @Test func `an event arrives before the server sends the next one`() async throws {
        let (steps, next) = AsyncStream.makeStream(of: Void.self)
        let connector = MemoryConnector(connection: { connection in
            do {
                guard try await connection.readRequest() != nil else { return }
                let fields = "Content-Type: text/event-stream\r\nConnection: close"
                try await connection.write("HTTP/1.1 200 OK\r\n\(fields)\r\n\r\n")
                var id = 0
                for await _ in steps {
                    id += 1
                    try await connection.write(Self.photo(id))
                }
                try await connection.write("data: [DONE]\n\n")
                connection.close()
            } catch {
                Issue.record(error)
            }
        })
        let streams = Streams(client: Client(connector: connector))
        var photos = try await streams.answer(question: "who?").makeAsyncIterator()
        for id in 1...2 {
            next.yield()
            #expect(try await photos.next() == Photo(id: id, title: "Biscuit"))
        }
        next.finish()
        #expect(try await photos.next() == nil)
    }

    @Test func `a method sends its body, and decodes each event`() async throws {
        let text = "\(Self.photo(1)): keep\n\n\(Self.photo(2))data: [DONE]\n\ndata: x\n\n"
        let server = Recorder { _ in Self.events(text) }
        var ids: [Int] = []
        let photos = try await Streams(client: server.client).answer(question: "a\"b")
        for try await photo in photos { ids.append(photo.id) }
        #expect(ids == [1, 2])
        #expect(server.last?.method == .post && server.last?.target == "/v1/answers")
        #expect(server.last?.text == #"{"question": "a\"b", "stream": true}"#)
        #expect(server.last?.fields[.accept] == "text/event-stream")
    }

    @Test func `a stream without its last event is truncated`() async throws {
        let server = Recorder { _ in Self.events(Self.photo(1)) }
        var photos = try await Streams(client: server.client).answer(question: "").makeAsyncIterator()
        #expect(try await photos.next()?.id == 1)
        let error = try await #require(throws: ClientError.self) { try await photos.next() }
        guard case .truncated = error else { throw error }
    }

    @Test func `an event that is no value is told with its place`() async throws {
        let server = Recorder { _ in Self.events("\(Self.photo(1))event: odd\ndata: {}\n\n") }
        var photos = try await Streams(client: server.client).answer(question: "").makeAsyncIterator()
        #expect(try await photos.next()?.id == 1)
        let error = try await #require(throws: ClientError.self) { try await photos.next() }
        guard case .decodingFailed(let failure, _) = error else { throw error }
        #expect(failure.position?.index == 1 && failure.position?.event == "odd")
    }

    @Test(arguments: ["message_stop", "error"])
    func `an event may end the stream by its type, and is delivered`(type: String) async throws {
        let text = "event: delta\nid: 3\ndata: a\n\n: hello\n\nevent: \(type)\ndata: b\n\ndata: c\n\n"
        let streams = Streams(client: Recorder { _ in Self.events(text) }.client)
        var received: [ServerSentEvent] = []
        for try await event in try await streams.messages() { received.append(event) }
        let first = ServerSentEvent(event: "delta", data: "a", id: "3")
        #expect(received == [first, ServerSentEvent(event: type, data: "b", id: "3")])
        received = []
        let options = EventStreamOptions(includesComments: true)
        for try await event in try await streams.messages(options: options) { received.append(event) }
        #expect(received.count == 3 && received[1].comment == "hello")
    }

    @Test func `a response of another type is refused`() async throws {
        let server = Recorder(answer: "{}", type: "application/json")
        let streams = Streams(client: server.client)
        let error = try await #require(throws: ClientError.self) { try await streams.messages() }
        guard case .validationFailed = error else { throw error }
        let refusal = Recorder { _ in .response(.unauthorized) }
        await #expect(throws: ClientError.self) { try await Streams(client: refusal.client).changes() }
    }

    @Test func `a method may connect again, and continues after the last event`() async throws {
        let server = Recorder { request in
            let id = request.fields.first { $0.name.canonicalName == "last-event-id" }?.value
            switch id {
            case nil: return Self.events("id: 1\ndata: a\n\n")
            case "1": return Self.events("id: 2\ndata: b\n\ndata: {\"closed\": \"\\yes\"}\n\n")
            default: return .response(.noContent)
            }
        }
        let streams = Streams(client: server.client)
        let policy = EventReconnectionPolicy(initialDelay: .zero)
        var log: [String] = []
        for try await element in streams.watchToTheEnd(policy: policy) {
            switch element {
            case .connected(let response): log.append("\(response.statusCode)")
            case .event(let event): log.append(event.data)
            case .disconnected(let disconnection, _): log.append("after \(disconnection.lastEventID)")
            }
        }
        #expect(log.prefix(6) == ["200", "a", "after 1", "200", "b", "after 2"] && server.count == 2)
        log = []
        for try await element in streams.watch(album: 7, lastEventID: "9", policy: policy) {
            if case .connected(let response) = element { log.append("\(response.statusCode)") }
        }
        #expect(log == ["204"] && server.last?.target == "/v1/albums/7/events")
    }

    static let records: [(type: String, text: String)] = [
        ("application/x-ndjson", "[{\"id\": 1, \"title\": \"a\"}]\n\n[]\r\n[{\"id\": 2, \"title\": \"b\"}]"),
        (
            "application/json-seq",
            "\u{1E}[{\"id\": 1,\n\"title\": \"a\"}]\n\u{1E}[]\n\u{1E}[{\"id\": 2, \"title\": \"b\"}]\n"
        ),
    ]

    @Test(arguments: records)
    func `a method decodes records, whatever separates them`(type: String, text: String) async throws {
        let server = Recorder(answer: text, type: type)
        var received: [[Photo]] = []
        for try await photos in try await Streams(client: server.client).changes(since: 3) { received.append(photos) }
        #expect(received == [[Photo(id: 1, title: "a")], [], [Photo(id: 2, title: "b")]])
        #expect(server.last?.target == "/v1/changes?since=3")
        #expect(server.last?.fields[.accept]?.contains("application/x-ndjson") == true)
    }

    @Test func `a field of the file replaces the one of the client`() async throws {
        let server = Recorder(answer: "\u{1E}null\n\u{1E}0\n", type: "application/json-seq")
        var count = 0
        for try await date in try await Streams(client: server.client).dates(text: "x") {
            count += 1
            #expect((date == nil) == (count == 1))
        }
        #expect(count == 2 && server.last?.fields[values: .accept] == ["application/json-seq"])
    }
}
