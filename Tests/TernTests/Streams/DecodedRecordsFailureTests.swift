// SPDX-License-Identifier: Apache-2.0
import ClientTestSupport
import HTTPTypes
import Tern
import TernErrors
import TernFoundation
import TernTesting
import TestSupport
import Testing

@Suite("DecodedRecords that fail", .hangLimit)
struct DecodedRecordsFailureTests {
    /// Returns the values of a response that stays open, and the error that ends them.
    private static func read(
        _ text: String,
        type: String = "application/x-ndjson",
        limit: Int = 1 << 20,
        keeping byteCount: Int = 64 << 10
    ) async throws -> (values: [Int], error: ClientError?) {
        var configuration = Client.Configuration()
        configuration.maximumErrorBodyByteCount = byteCount
        let scene = StreamScene(configuration) { connection, _ in
            try await connection.begin(type)
            try await connection.chunk(text)
            await connection.waitForEnd()
            return false
        }
        let values = try await scene.client.values(from: testURL, as: Int.self, maximumByteCount: limit)
        var iterator = values.makeAsyncIterator()
        var numbers: [Int] = []
        do throws(ClientError) {
            while let value = try await iterator.next() { numbers.append(value) }
            Issue.record("the stream has not failed")
            return (numbers, nil)
        } catch {
            for _ in 0..<2 { #expect(try await iterator.next() == nil, "the sequence is over") }
            // The connection is free, although the sequence lives.
            try await scene.waitForNoExchange()
            withExtendedLifetime(values) {}
            return (numbers, error)
        }
    }

    private static func decodingFailure(_ error: ClientError?) throws -> DecodingFailure {
        guard case .decodingFailed(let failure, let context)? = error else { throw try #require(error) }
        #expect(context.phase == .decode && context.response?.status == .ok)
        return failure
    }

    @Test func `a record that cannot be decoded is named`() async throws {
        let (values, error) = try await Self.read("1\n\n22\r\n \"x\"\n4\n")
        #expect(values == [1, 22])
        let failure = try Self.decodingFailure(error)
        // White space is not part of a record.
        #expect(failure.position == StreamPosition(index: 2, byteOffset: 8))
        #expect(failure.reason == .typeMismatch)
        #expect(failure.body == Data("\"x\"".utf8))
        #expect(failure.isBodyComplete)
    }

    @Test func `a record of a sequence that cannot be decoded is named`() async throws {
        let (values, error) = try await Self.read("\u{1E}1\n\u{1E}oops\n\u{1E}3\n", type: "application/json-seq")
        #expect(values == [1])
        let failure = try Self.decodingFailure(error)
        #expect(failure.position == StreamPosition(index: 1, byteOffset: 4))
        #expect(failure.reason == .corrupted)
    }

    @Test func `a record of a sequence that has lost its end is truncated, though others follow`() async throws {
        let text = "\u{1E}1\n\u{1E}[2\n\u{1E}3\n"
        let (values, error) = try await Self.read(text, type: "application/json-seq")
        #expect(values == [1])
        #expect(error?.fault == .truncated(received: Int64(text.utf8.count), expected: nil))
    }

    @Test(arguments: [0, 4, 11, 12])
    func `the error keeps as much as the limit allows`(byteCount: Int) async throws {
        let (_, error) = try await Self.read("\"012345678\"\n", keeping: byteCount)
        let failure = try Self.decodingFailure(error)
        #expect(failure.body == Data("\"012345678\"".utf8.prefix(byteCount)))
        #expect(failure.isBodyComplete == (byteCount >= 11))
    }

    @Test(arguments: ["123456", "123456\n7\n"])
    func `a record over the limit fails with its position, even before its end`(text: String) async throws {
        let (values, error) = try await Self.read("12345\n1\n\(text)", limit: 5)
        #expect(values == [12345, 1])
        #expect(error?.fault == .valueTooLong(StreamPosition(index: 2, byteOffset: 8)))
        guard case .valueTooLong(limit: 5, _, let context)? = error else { throw try #require(error) }
        #expect(context.phase == .body && context.response?.status == .ok)
    }

    @Test func `a record of a sequence over the limit fails with its position`() async throws {
        let (values, error) = try await Self.read("\u{1E}1\n\u{1E}123456", type: "application/json-seq", limit: 5)
        #expect(values == [1])
        #expect(error?.fault == .valueTooLong(StreamPosition(index: 1, byteOffset: 4)))
    }

    @Test func `bytes outside of a sequence's records break the rules`() async throws {
        let (values, error) = try await Self.read("1\n\u{1E}2\n", type: "application/json-seq")
        #expect(values.isEmpty)
        #expect(error?.fault == .protocolViolation("RFC 7464 §2.1"))
    }

    @Test func `a limit of zero lets nothing through, and does no harm`() async throws {
        let (values, error) = try await Self.read("\n\n1\n", limit: 0)
        #expect(values.isEmpty)
        #expect(error?.fault == .valueTooLong(StreamPosition(index: 0, byteOffset: 2)))
    }

    // MARK: Cuts

    private static let lines = (1...6).map { "{\"id\":\($0)}\n" }.joined()
    private static let sequence = (1...6).map { "\u{1E}{\"id\":\($0)}\n" }.joined()

    private struct Change: Codable, Equatable { var id: Int }

    /// Creates a server that sends the beginning of a text, as long as the request's path says.
    private static func scene(_ text: String, type: String, cutsConnection: Bool) -> StreamScene {
        StreamScene { connection, request in
            let part = text.utf8.prefix(Int(request.target.dropFirst()) ?? 0)
            let length = cutsConnection ? text.utf8.count : part.count
            try await connection.write(
                "HTTP/1.1 200 OK\r\nContent-Type: \(type)\r\nContent-Length: \(length)\r\n\r\n"
            )
            try await connection.write(Array(part))
            return length == part.count
        }
    }

    @Test(arguments: [("application/x-ndjson", lines), ("application/json-seq", sequence)])
    func `a cut connection is noticed after each byte`(type: String, text: String) async throws {
        let scene = Self.scene(text, type: type, cutsConnection: true)
        let ends = text.utf8.enumerated().filter { $0.element == UInt8(ascii: "\n") }.map(\.offset)
        for count in 0..<text.utf8.count {
            let request = Request(.post, "http://test/\(count)").body(json: 1)
            let values = try await scene.client.values(for: request, as: Change.self)
            let (changes, error) = await collected(values)
            #expect(
                changes.map(\.id) == Array((1...6).prefix(ends.filter { $0 < count }.count)),
                "after \(count) bytes"
            )
            #expect(error?.isTruncated == true, "after \(count) bytes: \(String(describing: error))")
        }
        #expect(scene.requests.count == text.utf8.count)
    }

    @Test(arguments: [("application/x-ndjson", lines), ("application/json-seq", sequence)])
    func `a response that ends in a record fails after each byte`(type: String, text: String) async throws {
        let scene = Self.scene(text, type: type, cutsConnection: false)
        let isSequence = type == "application/json-seq"
        let length = text.utf8.count / 6
        for count in 0...text.utf8.count {
            let request = Request(.post, "http://test/\(count)").body(json: 1)
            let values = try await scene.client.values(for: request, as: Change.self)
            let (changes, error) = await collected(values)
            // An object is complete with its brace, before the line feed (RFC 7464 §2.4).
            let (whole, rest) = count.quotientAndRemainder(dividingBy: length)
            let hasLast = rest == length - 1
            #expect(changes.map(\.id) == Array((1...6).prefix(whole + (hasLast ? 1 : 0))), "after \(count) bytes")
            if rest == 0 || hasLast {
                #expect(error == nil, "after \(count) bytes")
            } else if isSequence {
                #expect(error?.isTruncated == true, "after \(count) bytes: \(String(describing: error))")
            } else {
                #expect(error?.fault == .decodingFailed(.corrupted), "after \(count) bytes")
            }
        }
        #expect(scene.connector.attemptCount == 1)
    }

    @Test(arguments: ["1", "tru", "nul", "-", "12"])
    func `a number or a word at the end of a sequence may have lost digits`(rest: String) async throws {
        let scene = StreamScene { _ in
            .response(fields: [.contentType: "application/json-seq"], body: "\u{1E}7\n\u{1E}\(rest)")
        }
        let (values, error) = await collected(try await scene.client.values(from: testURL, as: Int.self))
        #expect(values == [7])
        #expect(error?.isTruncated == true)
    }
}
