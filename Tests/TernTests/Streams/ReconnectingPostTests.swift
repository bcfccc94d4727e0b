// SPDX-License-Identifier: Apache-2.0
import ClientTestSupport
import HTTPTypes
import Synchronization
import Tern
import TernErrors
import TernFoundation
import TernRequests
import TernTesting
import TestSupport
import Testing

@Suite("A ReconnectingEventStream of a POST", .hangLimit)
struct ReconnectingPostTests {
    private static let post = Request(.post, testURL).body(json: ["question": "why"])

    /// The ways in which a server may end its part, after it has received the request.
    static let ends: [(response: ScriptedResponse, name: String)] = [
        (.close, "no response"), (.reset, "a reset"), (.raw("HTTP/1.1 2", ending: .close), "a cut head"),
        (.raw(ScriptedResponse.openHead, ending: .close), "no body"),
        (.openEvents("id: 1\ndata: a\n\n", ending: .close), "a cut after an event"),
        (.openEvents("id: 1\ndata: a\n\nid: 2\nda", ending: .close), "a cut in an event"),
        (.events("id: 1\ndata: a\n\n"), "an end"), (.events("id: 1\ndata: a\n\nda"), "an end in an event"),
        (.events("retry: 0\n\n"), "an end without events"), (.response(.serviceUnavailable), "503"),
        (.response(.tooManyRequests), "429"), (.response(.notFound), "404"), (.response(.noContent), "204"),
        (.response(fields: [.contentType: "text/html"], body: "<h1>"), "a page"),
    ]

    @Test(arguments: ends.indices, [HTTPRequest.Method.post, .put, .delete])
    func `a request that the server has received is never sent again`(
        index: Int,
        method: HTTPRequest.Method
    ) async throws {
        let (response, name) = Self.ends[index]
        let scene = StreamScene(.untimed) { _ in response }
        let request = Request(method, testURL).body(json: ["question": "why"])
        let events = scene.client.reconnectingEvents(for: request, policy: .immediate)
        let (lines, error) = await lines(events)
        #expect(scene.requests.map(\.method) == [method], "\(name)")
        #expect(lines.last?.hasSuffix(", final") == true, "\(name): \(lines)")
        #expect((error == nil) == (name == "an end" || name == "an end without events" || name == "204"), "\(name)")
    }

    @Test(.http1Only("counts the bytes of the connection"), arguments: [0, 1, 20, 90, 120, 150])
    func `a POST is sent once, wherever the connection breaks`(byteCount: Int) async throws {
        let scene = StreamScene(plan: .accept(toClient: [.cut(afterByteCount: byteCount)]), .untimed) { _ in
            .events((1...20).map { "id: \($0)\ndata: a\n\n" }.joined())
        }
        let events = scene.client.reconnectingEvents(for: Self.post, until: .data("[DONE]"), policy: .immediate)
        let (_, error) = await lines(events)
        #expect(error != nil)
        #expect(scene.requests.count == 1)
    }

    @Test func `a POST that could not be sent is sent again`() async throws {
        let scene = StreamScene(.untimed) { _ in .events("data: a\n\ndata: [DONE]\n\n") }
        scene.connector.plan(.refuse(.notConnected(.refused)), .refuse(.notConnected(.noNetwork)))
        let events = scene.client.reconnectingEvents(for: Self.post, until: .data("[DONE]"), policy: .immediate)
        let (lines, error) = await lines(events)
        #expect(lines[2...] == ["connected 200", "event :a", "disconnected 3 ended, final"])
        #expect(error == nil)
        #expect(scene.requests.map(\.text) == [#"{"question":"why"}"#])
        #expect(scene.connector.attemptCount == 3)
    }

    @Test func `a POST that was answered with a redirect is not sent again`() async throws {
        let scene = StreamScene(.untimed) { request in
            request.target == "/" ? .response(.seeOther, fields: [.location: "http://away/answer"]) : .response()
        }
        scene.connector.plan(.accept(), .refuse(.notConnected(.refused)))
        let events = scene.client.reconnectingEvents(for: Self.post, policy: .immediate(3))
        let (lines, error) = await lines(events)
        #expect(lines.count == 1, "\(lines)")
        guard case .connectionFailed(.refused, _)? = error else { throw try #require(error) }
        #expect(scene.requests.map(\.target) == ["/"])
    }

    static let lost = ScriptedTransport.Step { _ async throws(ClientError) in
        throw .connectionLost(.closed, ClientError.Context(phase: .head))
    }

    @Test(arguments: [ScriptedTransport.Step.response(.serviceUnavailable), lost])
    func `a request that may have arrived is not sent again because its last retry was not sent`(
        _ end: ScriptedTransport.Step
    ) async {
        let unsent = ScriptedTransport.Step { _ async throws(ClientError) in
            throw .connectionFailed(.refused, ClientError.Context(phase: .connect, delivery: .notSent))
        }
        let put = Request(.put, testURL).body(json: ["question": "why"])
        for request in [put, Self.post.idempotent(key: "7")] {
            for (first, second, count) in [(end, unsent, 3), (unsent, end, 3), (unsent, unsent, 4)] {
                let transport = ScriptedTransport(first, second, unsent, .response(.noContent))
                var configuration = Client.Configuration.untimed
                configuration.retry = RetryPolicy(maximumAttemptCount: 3, backoff: Backoff(initialDelay: .zero))
                let client = Client(configuration: configuration, transport: transport)
                _ = await lines(client.reconnectingEvents(for: request, policy: .immediate))
                #expect(transport.calls.count == count)
            }
        }
    }

    // MARK: Resumption

    /// A server that answers the POST with a part, and each GET with the rest.
    private static func resumed(_ rest: [ScriptedResponse]) -> StreamScene {
        let count = Atomic(0)
        return StreamScene(.untimed) { request in
            guard request.method == .get else {
                return .openEvents("id: 1\ndata: a\n\nid: 2\ndata: b\n\nid: 3\nda", ending: .close)
            }
            return rest[min(count.wrappingAdd(1, ordering: .relaxed).oldValue, rest.count - 1)]
        }
    }

    @Test func `a GET continues a POST, without its body`() async throws {
        let scene = Self.resumed([
            .openEvents("id: 3\ndata: c\n\n", ending: .close), .close, .response(.serviceUnavailable),
            .events("id: 4\ndata: d\n\ndata: [DONE]\n\n"),
        ])
        let request = Self.post.header(.contentEncoding, "identity").header(.contentLanguage, "en")
            .header(.authorization, "Bearer 7").idempotent(key: "7")
        let policy = EventReconnectionPolicy.immediate(resumption: .get)
        let events = scene.client.reconnectingEvents(for: request, until: .data("[DONE]"), policy: policy)
        let (lines, error) = await lines(events)
        #expect(lines.filter { $0.hasPrefix("event") } == ["event 1:a", "event 2:b", "event 3:c", "event 4:d"])
        #expect(error == nil)
        let requests = scene.requests
        #expect(requests.map(\.method) == [.post, .get, .get, .get, .get])
        #expect(requests.map(\.lastEventID) == [nil, "2", "3", "3", "3"])
        #expect(requests.map(\.text) == [#"{"question":"why"}"#, "", "", "", ""])
        for get in requests.dropFirst() {
            #expect(get.target == "/")
            #expect(get.fields[.authorization] == "Bearer 7")
            #expect(get.fields[.accept] == "text/event-stream")
            for name in [HTTPField.Name.contentType, .contentLength, .contentEncoding, .contentLanguage] {
                #expect(get.fields[name] == nil, "\(name)")
            }
        }
    }

    @Test func `without an ID a POST is not continued`() async throws {
        let scene = StreamScene(.untimed) { _ in .openEvents("data: a\n\n", ending: .close) }
        let policy = EventReconnectionPolicy.immediate(resumption: .get)
        let (lines, error) = await lines(scene.client.reconnectingEvents(for: Self.post, policy: policy))
        #expect(lines == ["connected 200", "event :a", "disconnected 1 truncated, final"])
        #expect(error?.isTruncated == true)
        #expect(scene.requests.count == 1)
    }

    @Test func `an ID that the server has set without an event is enough`() async throws {
        let count = Atomic(0)
        let scene = StreamScene(.untimed) { _ in
            count.wrappingAdd(1, ordering: .relaxed).oldValue == 0 ? .events("id: p\n\n") : .response(.noContent)
        }
        let policy = EventReconnectionPolicy.immediate(resumption: .get)
        let (_, error) = await lines(scene.client.reconnectingEvents(for: Self.post, policy: policy))
        #expect(error == nil)
        #expect(scene.requests.map(\.method) == [.post, .get])
        #expect(scene.requests.last?.lastEventID == "p")
    }

    @Test func `a server that does not know the GET ends the sequence`() async throws {
        let scene = Self.resumed([.response(.methodNotAllowed)])
        let policy = EventReconnectionPolicy.immediate(resumption: .get)
        let (lines, error) = await lines(scene.client.reconnectingEvents(for: Self.post, policy: policy))
        #expect(lines.last?.hasSuffix(", final") == true)
        #expect(error?.status == .methodNotAllowed)
        #expect(scene.requests.map(\.method) == [.post, .get])
    }
}
