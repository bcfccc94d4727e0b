// SPDX-License-Identifier: Apache-2.0
import ClientTestSupport
import HTTPTypes
import Tern
import TernErrors
import TernFoundation
import TernTesting
import TestSupport
import Testing

@Suite("DecodedEvents", .hangLimit)
struct DecodedEventsTests {
    private struct Delta: Codable, Equatable { var text: String }

    /// Returns the decoding failure of a stream, after the values that came before it.
    private static func failure(
        _ text: String,
        options: EventStreamOptions = EventStreamOptions(),
        keeping byteCount: Int = 64 << 10
    ) async throws -> (values: [Delta], failure: DecodingFailure, context: ClientError.Context) {
        var configuration = Client.Configuration()
        configuration.maximumErrorBodyByteCount = byteCount
        let scene = StreamScene(configuration) { _ in .openEvents(text) }
        let deltas = try await scene.client.events(from: testURL, as: Delta.self, options: options)
        let (values, error) = await collected(deltas)
        guard case .decodingFailed(let failure, let context)? = error else { throw try #require(error) }
        // The stream has failed, so its connection is free, although the sequence lives.
        try await scene.waitForNoExchange()
        withExtendedLifetime(deltas) {}
        return (values, failure, context)
    }

    @Test func `the data of each event is decoded, up to the final event`() async throws {
        let text =
            #"data: {"text":"a"}"# + "\n\n: keep\n\n" + #"data: {"text":"#
            + "\ndata: \"b\"}\n\ndata: [DONE]\n\ndata: 7\n\n"
        let scene = StreamScene { _ in .events(text) }
        let request = Request(.post, testURL).body(json: ["question": "why"])
        let deltas = try await scene.client.events(for: request, as: Delta.self, until: .data("[DONE]"))
        #expect(deltas.response.statusCode == 200)
        let (values, error) = await collected(deltas)
        #expect(values == [Delta(text: "a"), Delta(text: "b")])
        #expect(error == nil)
        #expect(scene.requests.first?.fields[.accept] == "text/event-stream")
    }

    @Test func `after the final event, a second loop is told that nothing is left`() async throws {
        let scene = StreamScene { _ in .openEvents("data: 1\n\ndata: [DONE]\n\n") }
        let numbers = try await scene.client.events(from: testURL, as: Int.self, until: .data("[DONE]"))
        #expect(await collected(numbers).values == [1])
        let error = await collected(numbers).error
        #expect(error?.fault == .bodyMisused(.discarded))
    }

    @Test func `comments are left out, even if they are on`() async throws {
        let scene = StreamScene { _ in .events(": a\n\ndata: 1\n\n: b\ndata: 2\n: c\n\n: d\n") }
        let options = EventStreamOptions(includesComments: true)
        let numbers = try await scene.client.events(from: testURL, as: Int.self, options: options)
        let (values, error) = await collected(numbers)
        #expect(values == [1, 2])
        #expect(error == nil)
    }

    @Test func `an event that cannot be decoded ends the stream, and is named`() async throws {
        let text =
            #"data: {"text":"a"}"# + "\n\n: keep\n\nevent: delta\n" + #"data: {"text":7}"#
            + "\n\n" + #"data: {"text":"c"}"# + "\n\n"
        for isWithComments in [false, true] {
            let options = EventStreamOptions(includesComments: isWithComments)
            let (values, failure, context) = try await Self.failure(text, options: options)
            #expect(values == [Delta(text: "a")])
            #expect(failure.position == StreamPosition(index: 1, byteOffset: 20, event: "delta"))
            #expect(failure.reason == .typeMismatch)
            #expect(failure.path == "text")
            #expect(failure.type == "Delta")
            #expect(failure.body == Data(#"{"text":7}"#.utf8))
            #expect(failure.isBodyComplete)
            #expect(context.phase == .decode && context.response?.status == .ok)
        }
    }

    @Test func `the first event may be the one that fails`() async throws {
        let (values, failure, _) = try await Self.failure("data: oops\n\n")
        #expect(values.isEmpty)
        #expect(failure.position == StreamPosition(index: 0, byteOffset: 0, event: "message"))
        #expect(failure.reason == .corrupted)
    }

    @Test(arguments: [0, 4, 10, 11])
    func `the error keeps as much as the limit allows`(byteCount: Int) async throws {
        let (_, failure, _) = try await Self.failure("data: 0123456789\n\n", keeping: byteCount)
        #expect(failure.body == Data("0123456789".utf8.prefix(byteCount)))
        #expect(failure.isBodyComplete == (byteCount >= 10))
    }

    @Test func `data that is empty is not skipped`() async throws {
        let (_, failure, _) = try await Self.failure("data:\n\n")
        #expect(failure.position == StreamPosition(index: 0, byteOffset: 0, event: "message"))
        #expect(failure.body.isEmpty && failure.isBodyComplete)
    }

    @Test func `after a failure the sequence stays at its end`() async throws {
        let scene = StreamScene { _ in .events("data: x\n\ndata: 1\n\n") }
        let numbers = try await scene.client.events(from: testURL, as: Int.self)
        var iterator = numbers.makeAsyncIterator()
        await #expect(throws: ClientError.self) { try await iterator.next() }
        for _ in 0..<2 { #expect(try await iterator.next() == nil) }
    }

    @Test func `a final event that is delivered is decoded, too`() async throws {
        let scene = StreamScene { _ in .events("data: 1\n\nevent: stop\ndata: 2\n\ndata: 3\n\n") }
        let numbers = try await scene.client.events(from: testURL, as: Int.self, until: .event("stop"))
        #expect(await collected(numbers).values == [1, 2])
        let scene2 = StreamScene { _ in .openEvents("data: 1\n\ndata: [DONE]\n\n") }
        let rule = FinalEvent.data("[DONE]", isDelivered: true)
        let (values, error) = await collected(try await scene2.client.events(from: testURL, as: Int.self, until: rule))
        #expect(values == [1])
        guard case .decodingFailed(let failure, _)? = error else { throw try #require(error) }
        #expect(failure.position?.index == 1)
    }

    @Test func `a stream that ends early is truncated`() async throws {
        for text in ["data: 1\n\ndata: 2", "data: 1\n\n"] {
            let scene = StreamScene { _ in .events(text) }
            let numbers = try await scene.client.events(from: testURL, as: Int.self, until: .data("[DONE]"))
            let (values, error) = await collected(numbers)
            #expect(values == [1])
            #expect(error?.isTruncated == true)
        }
    }

    @Test func `decoders are exchangeable, for a client and for a call`() async throws {
        struct Counting: BodyDecoder {
            let bonus: Int
            var accept: String? { nil }
            func decode<Value: Decodable>(_: Value.Type, from body: Data, of response: Response) throws -> Value {
                let text = "\(body.count + self.bonus + response.statusCode)"
                return try JSONDecoder().decode(Value.self, from: Data(text.utf8))
            }
        }
        var configuration = Client.Configuration()
        configuration.decoder = Counting(bonus: 0)
        let scene = StreamScene(configuration) { _ in .events("data: abc\n\ndata:\n\n") }
        let first = try await scene.client.events(from: testURL, as: Int.self)
        #expect(await collected(first).values == [203, 200])
        let second = try await scene.client.events(from: testURL, as: Int.self, by: Counting(bonus: 1000))
        #expect(await collected(second).values == [1203, 1200])
    }

    @Test func `a refused response is the same as for events`() async throws {
        let scene = StreamScene { _ in .response(.notFound, body: "no") }
        let fault = await fault { () async throws(ClientError) in
            try await scene.client.events(from: testURL, as: Int.self)
        }
        #expect(fault == .validationFailed(.status(404)))
    }

    @Test func `leaving the loop frees the connection`() async throws {
        let scene = StreamScene { _ in .openEvents("data: 1\n\ndata: 2\n\n") }
        for try await number in try await scene.client.events(from: testURL, as: Int.self) where number == 1 { break }
        try await scene.waitForNoExchange()
    }
}
