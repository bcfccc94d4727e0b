// SPDX-License-Identifier: Apache-2.0
import ClientTestSupport
import HTTPTypes
import Tern
import TernErrors
import TernFoundation
import TernRequests
import TernTesting
import TestSupport
import Testing

@Suite("DecodedRecords", .hangLimit)
struct DecodedRecordsTests {
    private struct Change: Codable, Equatable { var id: Int }

    /// Reads the values of a response.
    private static func read(
        _ text: String,
        type: String? = "application/x-ndjson",
        format: RecordStreamFormat = .automatic,
        drip: Int? = nil
    ) async throws -> (ids: [Int], error: ClientError?) {
        let plan = ConnectionPlan.accept(toClient: drip.map { [.drip(bytesPerPiece: $0)] } ?? [])
        let fields: HTTPFields = type.map { [.contentType: $0] } ?? [:]
        let scene = StreamScene(plan: plan) { _ in .response(fields: fields, body: text) }
        let changes = try await scene.client.values(from: testURL, as: Change.self, format: format)
        let (values, error) = await collected(changes)
        #expect(changes.response.statusCode == 200)
        return (values.map(\.id), error)
    }

    // MARK: Formats

    static let lines: [(text: String, ids: [Int])] = [
        ("{\"id\":1}\n{\"id\":2}\n", [1, 2]), ("{\"id\":1}\n{\"id\":2}", [1, 2]),
        ("{\"id\":1}\r\n{\"id\":2}\r\n", [1, 2]), ("\n\n{\"id\":1}\n\n \t\n{\"id\":2}\n\r\n", [1, 2]),
        ("", []), ("\n\n", []), (" { \"id\" : 1 } ", [1]), ("{\"id\":1}\n\n", [1]),
    ]

    @Test(arguments: lines.indices, [nil, 1, 3])
    func `reads a value a line`(index: Int, drip: Int?) async throws {
        let (text, ids) = Self.lines[index]
        let (received, error) = try await Self.read(text, drip: drip)
        #expect(received == ids)
        #expect(error == nil)
    }

    static let sequences: [(text: String, ids: [Int])] = [
        ("\u{1E}{\"id\":1}\n\u{1E}{\"id\":2}\n", [1, 2]), ("\u{1E}{\n\"id\":\n1}\n\u{1E}{\"id\":2}\n", [1, 2]),
        ("\u{1E}\u{1E}{\"id\":1}\n\u{1E}\u{1E}{\"id\":2}\n", [1, 2]), ("", []),
        ("\u{1E}{\"id\":1}\n\n\u{1E}{\"id\":2}\n", [1, 2]),
    ]

    @Test(arguments: sequences.indices, [nil, 1, 3])
    func `reads a JSON text sequence`(index: Int, drip: Int?) async throws {
        let (text, ids) = Self.sequences[index]
        let (received, error) = try await Self.read(text, type: "application/json-seq", drip: drip)
        #expect(received == ids)
        #expect(error == nil)
    }

    @Test(arguments: [
        "application/json-seq", "Application/JSON-Seq ; x=y", "application/geo+json-seq",
        "application/json-seq, application/json-seq", "text/plain, application/json-seq",
    ])
    func `the media type chooses the sequence`(type: String) async throws {
        #expect(try await Self.read("\u{1E}{\"id\":1}\n", type: type).ids == [1])
    }

    @Test(arguments: ["application/x-ndjson", "application/jsonl", "application/json", "text/plain", nil])
    func `every other media type means lines`(type: String?) async throws {
        #expect(try await Self.read("{\"id\":1}\n{\"id\":2}", type: type).ids == [1, 2])
    }

    @Test func `the caller may choose, whatever the media type`() async throws {
        #expect(try await Self.read("{\"id\":1}\n", type: "application/json-seq", format: .lines).ids == [1])
        #expect(try await Self.read("\u{1E}{\"id\":1}\n", type: "text/plain", format: .textSequence).ids == [1])
        let (ids, error) = try await Self.read("{\"id\":1}\n", format: .textSequence)
        #expect(ids.isEmpty)
        #expect(error?.fault == .protocolViolation("RFC 7464 §2.1"))
        #expect(error?.isRetryable == false)
    }

    @Test func `the request asks for records, unless it asks for something itself`() async throws {
        let scene = StreamScene { _ in .response(body: "1\n") }
        for format in [RecordStreamFormat.automatic, .lines, .textSequence] {
            _ = try await scene.client.values(from: testURL, as: Int.self, format: format)
        }
        let own = Request(url: testURL).header(.accept, "application/vnd.x")
        _ = try await scene.client.values(for: own, as: Int.self)
        let fields = scene.requests.map { $0.fields[.accept] ?? "" }
        #expect(fields[0].contains("ndjson") && fields[0].contains("json-seq"))
        #expect(fields[1].contains("ndjson") && !fields[1].contains("json-seq"))
        #expect(fields[2] == "application/json-seq")
        #expect(fields[3] == "application/vnd.x")
    }

    @Test func `a status that is no success is refused`() async throws {
        let scene = StreamScene { _ in .response(.badRequest, body: #"{"error":1}"#) }
        let error = await failure { () async throws(ClientError) in
            try await scene.client.values(from: testURL, as: Int.self)
        }
        guard case .validationFailed(let failure, _)? = error else { throw try #require(error) }
        #expect(failure.rule == .status(400))
        #expect(failure.body == Data(#"{"error":1}"#.utf8))
        let lax = Request(url: testURL).validate(.status([400]))
        let (values, _) = await collected(try await scene.client.values(for: lax, as: [String: Int].self))
        #expect(values == [["error": 1]])
    }

    // MARK: Arrival

    @Test func `a value comes as soon as its line is complete`() async throws {
        for (type, text) in [("application/x-ndjson", "1\n2"), ("application/json-seq", "\u{1E}1\n\u{1E}2")] {
            let scene = StreamScene { connection, _ in
                try await connection.begin(type)
                try await connection.chunk(text)
                await connection.waitForEnd()
                return false
            }
            let values = try await scene.client.values(from: testURL, as: Int.self)
            for try await value in values {
                #expect(value == 1)
                break
            }
        }
    }

    @Test func `a second iterator does not begin again`() async throws {
        let scene = StreamScene { _ in .response(body: "1\n2\n3\n") }
        let values = try await scene.client.values(from: testURL, as: Int.self)
        var first = values.makeAsyncIterator()
        #expect(try await first.next() == 1)
        #expect(await collected(values).values.isEmpty)
        #expect(try await first.next() == 2)
    }

    @Test func `after the end, a second loop is told that nothing is left`() async throws {
        let scene = StreamScene { _ in .response(body: "1\n2\n") }
        let values = try await scene.client.values(from: testURL, as: Int.self)
        #expect(await collected(values).values == [1, 2])
        let error = await failure { () async throws(ClientError) in for try await _ in values {} }
        #expect(error?.fault == .bodyMisused(.discarded))
    }

    @Test func `cancellation ends the wait for a value, and leaving the loop frees the connection`() async throws {
        let scene = StreamScene { _ in .raw("HTTP/1.1 200 OK\r\nContent-Length: 99\r\n\r\n1\n2\n", ending: .stall) }
        for try await value in try await scene.client.values(from: testURL, as: Int.self) where value == 1 { break }
        try await scene.waitForNoExchange()
        let begun = Flag()
        let reading = Task { () -> ClientError? in
            await failure { () async throws(ClientError) in
                for try await _ in try await scene.client.values(from: testURL, as: Int.self) { begun.raise() }
            }
        }
        await begun.wait(for: 2)
        reading.cancel()
        #expect(await reading.value?.isCancellation == true)
        try await scene.waitForNoExchange()
    }

    @Test func `a server that is silent for too long is given up`() async throws {
        let scene = StreamScene { _ in .raw("HTTP/1.1 200 OK\r\nContent-Length: 99\r\n\r\n1\n2", ending: .stall) }
        let request = Request(url: testURL).timeouts(.patient(idle: .seconds(20)))
        let values = try await scene.client.values(for: request, as: Int.self)
        let reading = Task<(values: [Int], error: ClientError?), any Error> { await collected(values) }
        // Over HTTP/2, the body may arrive while a read already waits, whose timer then does not show that the next
        // read has begun.
        let (numbers, error) = try await scene.clock.advance(until: reading).get()
        #expect(numbers == [1])
        #expect(error?.fault == .timedOut(.idle))
    }
}
