// SPDX-License-Identifier: Apache-2.0
import ClientTestSupport
import HTTPTypes
import Tern
import TernErrors
import TernFoundation
import TernTesting
import TestSupport
import Testing

@Suite("Responses that are not a stream of events", .hangLimit)
struct EventStreamValidationTests {
    private static let events = "data: 1\n\n"

    /// Returns the failure of a call that the client refuses.
    private static func refusal(
        _ response: ScriptedResponse,
        _ request: Request = Request(url: testURL),
        _ configuration: Client.Configuration = Client.Configuration()
    ) async throws -> (failure: ValidationFailure, context: ClientError.Context) {
        let scene = StreamScene(configuration) { _ in response }
        let error = await failure { () async throws(ClientError) in try await scene.client.events(for: request) }
        guard case .validationFailed(let failure, let context)? = error else { throw try #require(error) }
        #expect(scene.requests.count == 1)
        return (failure, context)
    }

    @Test(arguments: [
        "text/event-stream, text/event-stream", "text/html, Text/Event-Stream; charset=utf-8",
        "text/event-stream;charset=utf-8, */*",
    ])
    func `the last valid media type counts`(type: String) async throws {
        let scene = StreamScene { _ in .response(fields: [.contentType: type], body: Self.events) }
        let stream = try await scene.client.events(from: testURL)
        #expect(await collected(stream).values.map(\.data) == ["1"])
    }

    @Test func `an error page is refused by its status, and its body is kept`() async throws {
        let page = ScriptedResponse.response(.notFound, fields: [.contentType: "text/html"], body: "<h1>404</h1>")
        let (failure, context) = try await Self.refusal(page)
        #expect(failure.rule == .status(404))
        #expect(failure.body == Data("<h1>404</h1>".utf8))
        #expect(failure.isBodyComplete)
        #expect(context.response?.status == .notFound)
    }

    @Test func `events with the status of an error are refused`() async throws {
        let response = ScriptedResponse.response(
            .serviceUnavailable,
            fields: [.contentType: "text/event-stream"],
            body: Self.events
        )
        let (failure, _) = try await Self.refusal(response)
        #expect(failure.rule == .status(503))
        #expect(failure.body == Data(Self.events.utf8))
    }

    static let types: [(type: String?, rule: String?)] = [
        ("text/html", "text/html"), ("application/json; charset=utf-8", "application/json"),
        ("text/event-streams", "text/event-streams"), ("text/plain", "text/plain"), (nil, nil), ("events", nil),
    ]

    @Test(arguments: types.indices)
    func `another media type is refused, and the body is kept`(index: Int) async throws {
        let (type, rule) = Self.types[index]
        let fields: HTTPFields = type.map { [.contentType: $0] } ?? [:]
        let (failure, _) = try await Self.refusal(.response(fields: fields, body: #"{"error":"busy"}"#))
        #expect(failure.rule == .contentType(rule))
        #expect(failure.body == Data(#"{"error":"busy"}"#.utf8))
        #expect(failure.isBodyComplete)
    }

    @Test(arguments: [HTTPResponse.Status.ok, .resetContent])
    func `an empty response without a media type is refused`(status: HTTPResponse.Status) async throws {
        let (failure, _) = try await Self.refusal(.response(status))
        #expect(failure.rule == .contentType(nil))
        #expect(failure.body.isEmpty)
    }

    @Test(arguments: ["text/event-stream", "Text/Event-Stream", "text/event-stream;charset=utf-8"])
    func `the media type is compared as media types are`(type: String) async throws {
        let scene = StreamScene { _ in .response(fields: [.contentType: type], body: Self.events) }
        let stream = try await scene.client.events(from: testURL)
        #expect(await collected(stream).values.data == ["1"])
    }

    @Test(arguments: [nil, FinalEvent.data("[DONE]")])
    func `204 has no events, and ends normally`(finalEvent: FinalEvent?) async throws {
        let scene = StreamScene { _ in .response(.noContent) }
        let stream = try await scene.client.events(from: testURL, until: finalEvent)
        #expect(stream.response.statusCode == 204)
        let (events, error) = await collected(stream)
        #expect(events.isEmpty)
        #expect(error == nil)
    }

    @Test func `a request's rules decide about the status, but not about the type`() async throws {
        let request = Request(url: testURL).validate(.status([404]))
        let scene = StreamScene { _ in
            .response(.notFound, fields: [.contentType: "text/event-stream"], body: Self.events)
        }
        let stream = try await scene.client.events(for: request)
        #expect(await collected(stream).values.data == ["1"])
        #expect(try await Self.refusal(.events(Self.events), request).failure.rule == .status(200))
        let page = ScriptedResponse.response(.notFound, fields: [.contentType: "text/html"], body: "no")
        #expect(try await Self.refusal(page, request).failure.rule == .contentType("text/html"))
    }

    @Test func `a client's rules decide about the status, but not about the type`() async throws {
        var configuration = Client.Configuration()
        configuration.validation = []
        let scene = StreamScene(configuration) { _ in
            .response(.badGateway, fields: [.contentType: "text/event-stream"], body: Self.events)
        }
        let stream = try await scene.client.events(from: testURL)
        #expect(await collected(stream).values.data == ["1"])
        let page = ScriptedResponse.response(.badGateway, fields: [.contentType: "text/html"], body: "no")
        let (failure, _) = try await Self.refusal(page, Request(url: testURL), configuration)
        #expect(failure.rule == .contentType("text/html"))
    }

    @Test func `a custom rule is asked`() async throws {
        let request = Request(url: testURL).validate(.custom("named") { $0["X-Name"] == "tern" })
        #expect(try await Self.refusal(.events(Self.events), request).failure.rule == .custom("named"))
    }

    @Test func `a refused response that does not end frees its connection`() async throws {
        let scene = StreamScene { _ in
            .raw("HTTP/1.1 200 OK\r\nContent-Type: text/html\r\nContent-Length: 200000\r\n\r\n<h1>", ending: .stall)
        }
        let request = Request(url: testURL).timeout(.seconds(7))
        let call = Task {
            await failure { () async throws(ClientError) in try await scene.client.events(for: request) }
        }
        try await scene.clock.waitForScheduled(in: .seconds(7))
        scene.clock.advance(by: .seconds(7))
        #expect(await call.value != nil)
        try await scene.waitForNoExchange()
    }
}
