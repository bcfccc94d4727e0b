// SPDX-License-Identifier: Apache-2.0
import ClientTestSupport
import HTTPTypes
import Tern
import TernErrors
import TernFoundation
import TernTesting
import TestSupport
import Testing

@Suite("Bodies of JSON lines", .hangLimit)
struct JSONLinesTests {
    private struct Item: Codable, Equatable, Sendable {
        var name: String
        var list = [1, 2]
    }

    private struct Broken: Error {}

    /// A sequence that returns its values, and then throws.
    private struct Failing: AsyncSequence, Sendable {
        let count: Int

        func makeAsyncIterator() -> Iterator { Iterator(rest: self.count) }

        struct Iterator: AsyncIteratorProtocol {
            var rest: Int

            mutating func next() async throws -> Int? {
                guard self.rest > 0 else { throw Broken() }
                self.rest -= 1
                return self.rest
            }
        }
    }

    private static func stream<Value: Sendable>(_ values: [Value]) -> AsyncStream<Value> {
        AsyncStream { continuation in
            for value in values { continuation.yield(value) }
            continuation.finish()
        }
    }

    /// Returns a POST that sends its body at once, without asking the server first.
    private static let post = Request(.post, testURL).with { $0.options.expectsContinue = false }

    private static func sent<Values: AsyncSequence & Sendable>(
        _ values: Values,
        encoder: JSONEncoder = JSONEncoder()
    ) async throws -> ReceivedRequest where Values.Element: Encodable {
        let scene = StreamScene { _ in .response() }
        _ = try await scene.client.send(Self.post.body(jsonLines: values, encoder: encoder))
        return try #require(scene.requests.first)
    }

    @Test func `each value is a line`() async throws {
        let encoder = JSONEncoder()
        encoder.outputFormatting = .sortedKeys
        let request = try await Self.sent(Self.stream([Item(name: "a\nb"), Item(name: "ü")]), encoder: encoder)
        #expect(request.text == "{\"list\":[1,2],\"name\":\"a\\nb\"}\n{\"list\":[1,2],\"name\":\"ü\"}\n")
        #expect(request.fields[.contentType] == "application/x-ndjson")
        #expect(request.fields[.contentLength] == nil)
    }

    @Test func `no values are an empty body`() async throws {
        #expect(try await Self.sent(Self.stream([Int]())).text.isEmpty)
        #expect(try await Self.sent(Self.stream([7])).text == "7\n")
    }

    @Test func `an encoder that writes over several lines still writes one line a value`() async throws {
        let encoder = JSONEncoder()
        encoder.outputFormatting = .prettyPrinted
        let items = (0..<3).map { Item(name: "name \($0)\r\n\u{2028}", list: Array(0..<50)) }
        let lines = try await Self.sent(Self.stream(items), encoder: encoder).body.split(
            separator: UInt8(ascii: "\n"),
            omittingEmptySubsequences: false
        )
        #expect(lines.count == 4 && lines.last?.isEmpty == true)
        let decoded = try lines.dropLast().map { try JSONDecoder().decode(Item.self, from: Data($0)) }
        #expect(decoded == items)
    }

    @Test func `a sequence that throws fails the call, and the server does not take it for whole`() async throws {
        let scene = StreamScene { _ in .response() }
        let fault = await fault { () async throws(ClientError) in
            try await scene.client.send(Self.post.body(jsonLines: Failing(count: 3)))
        }
        #expect(fault == .uploadFailed(.streamFailed(type: "Broken")))
        try await scene.waitForNoExchange()
        #expect(scene.requests.isEmpty)
    }

    @Test func `a value that cannot be encoded fails the call`() async throws {
        let scene = StreamScene { _ in .response() }
        let error = await failure { () async throws(ClientError) in
            try await scene.client.send(Self.post.body(jsonLines: Self.stream([1, Double.infinity])))
        }
        guard case .uploadFailed(.streamFailed, _)? = error else { throw try #require(error) }
        try await scene.waitForNoExchange()
        #expect(scene.requests.isEmpty)
    }

    @Test func `the sequence is read as the server takes it`() async throws {
        let taken = Flag()
        struct Endless: AsyncSequence, AsyncIteratorProtocol, Sendable {
            let taken: Flag
            func makeAsyncIterator() -> Self { self }
            mutating func next() async -> String? {
                self.taken.raise()
                return String(repeating: "x", count: 10_000)
            }
        }
        let connector = MemoryConnector.tested(capacity: 16 << 10) { connection in
            _ = try await connection.readHead()
            try await Task.sleep(for: .seconds(1000))  // ends with the test
        }
        let client = Client(configuration: .patient.tested, connector: connector)
        let request = Self.post.body(jsonLines: Endless(taken: taken))
        let sending = Task { await failure { () async throws(ClientError) in try await client.send(request) } }
        await taken.wait(for: 2)
        for _ in 0..<20 { try await Task.sleep(for: .milliseconds(1)) }
        #expect(taken.count < 100, "fewer bytes than fit into the buffers of both ends, and a window")
        sending.cancel()
        #expect(await sending.value?.isCancellation == true)
    }

    // MARK: Both directions

    /// Reads the JSON texts of a chunked body, one a line, while the client sends them.
    private struct LineReader {
        let connection: ServerConnection
        private var bytes: [UInt8] = []

        init(_ connection: ServerConnection) { self.connection = connection }

        /// Returns the next line; `nil` at the end of the body.
        mutating func next() async throws -> String? {
            while true {
                while let end = self.bytes.firstIndex(of: UInt8(ascii: "\n")) {
                    let line = String(decoding: self.bytes[..<end], as: UTF8.self)
                    self.bytes.removeSubrange(...end)
                    if line == "0\r" { return nil }
                    if line.hasPrefix("{") { return line }  // the other lines are the framing of chunks
                }
                guard let more = try await self.connection.read() else { return nil }
                self.bytes += more
            }
        }
    }

    @Test func `the server answers each line while the upload goes on`() async throws {
        let connector = MemoryConnector.tested { connection in
            guard try await connection.readHead() != nil else { return }
            try await connection.begin("application/x-ndjson")
            var lines = LineReader(connection)
            while let line = try await lines.next() {
                let item = try JSONDecoder().decode(Item.self, from: Data(line.utf8))
                try await connection.chunk("{\"name\":\"re: \(item.name)\",\"list\":[]}\n")
            }
            try await connection.chunk("{\"name\":\"bye\",\"list\":[]}\n")
            try await connection.end()
        }
        let client = Client(configuration: .patient.tested, connector: connector)
        let (questions, asking) = AsyncStream.makeStream(of: Item.self)
        let request = Self.post.body(jsonLines: questions)
        let answers = try await client.values(for: request, as: Item.self)
        var iterator = answers.makeAsyncIterator()
        for number in 0..<20 {
            asking.yield(Item(name: "\(number)"))
            #expect(try await iterator.next()?.name == "re: \(number)")
        }
        asking.finish()
        #expect(try await iterator.next()?.name == "bye")
        #expect(try await iterator.next() == nil)
        #expect(connector.attemptCount == 1)
    }

    @Test func `a sequence that throws in the middle ends the values with that error`() async throws {
        let connector = MemoryConnector.tested { connection in
            guard try await connection.readHead() != nil else { return }
            try await connection.begin("application/x-ndjson")
            try await connection.chunk("1\n")
            await connection.waitForEnd()
        }
        let client = Client(configuration: .patient.tested, connector: connector)
        let (questions, asking) = AsyncThrowingStream.makeStream(of: Int.self, throwing: (any Error).self)
        let answers = try await client.values(for: Self.post.body(jsonLines: questions), as: Int.self)
        var iterator = answers.makeAsyncIterator()
        #expect(try await iterator.next() == 1)
        asking.finish(throwing: Broken())
        let error = await failure { () async throws(ClientError) in try await iterator.next() }
        #expect(error?.fault == .uploadFailed(.streamFailed(type: "Broken")))
        #expect(try await iterator.next() == nil)
    }
}
