// SPDX-License-Identifier: Apache-2.0
import ClientTestSupport
import HTTPTypes
import Synchronization
import Tern
import TernErrors
import TernRequests
import TernTesting
import TestSupport
import Testing

@Suite("ReconnectingEventStream", .hangLimit)
struct ReconnectingEventStreamTests {
    /// Creates a server that gives each request the next response, and the last one to all later requests.
    private static func scene(_ responses: ScriptedResponse..., plan: ConnectionPlan = .accept()) -> StreamScene {
        let count = Atomic(0)
        return StreamScene(plan: plan, .untimed) { _ in
            responses[min(count.wrappingAdd(1, ordering: .relaxed).oldValue, responses.count - 1)]
        }
    }

    private static let gone = ScriptedResponse.response(.noContent)

    // MARK: The ID of the last event

    @Test func `each request names the last event, and the first one names none`() async throws {
        let scene = Self.scene(
            .events("id: 1\ndata: a\n\nid: 2\ndata: b\n\n"),
            .openEvents("data: c\n\n", ending: .close),
            .events("id\ndata: d\n\n"),
            .events("id: 5\n\n"),
            Self.gone
        )
        let (lines, error) = await lines(scene.client.reconnectingEvents(from: testURL, policy: .immediate))
        #expect(
            lines == [
                "connected 200", "event 1:a", "event 2:b", "disconnected 1 ended", "connected 200", "event 2:c",
                "disconnected 2 truncated", "connected 200", "event :d", "disconnected 3 ended", "connected 200",
                "disconnected 4 ended", "connected 204", "disconnected 5 ended, final",
            ]
        )
        #expect(error == nil)
        #expect(scene.requests.map(\.lastEventID) == [nil, "2", "2", nil, "5"])
        #expect(scene.requests.allSatisfy { $0.method == .get && $0.fields[.accept] == "text/event-stream" })
    }

    @Test func `an ID from an earlier run is sent first, and is the ID of events without one`() async throws {
        let scene = Self.scene(.events("data: a\n\n"), .events("id: 42\ndata: b\n\n"), Self.gone)
        let events = scene.client.reconnectingEvents(from: testURL, lastEventID: "41", policy: .immediate)
        let (lines, _) = await lines(events)
        #expect(lines.filter { $0.hasPrefix("event") } == ["event 41:a", "event 42:b"])
        #expect(scene.requests.map(\.lastEventID) == ["41", "41", "42"])
    }

    @Test func `an event that did not end does not count`() async throws {
        let scene = Self.scene(
            .events("id: 1\ndata: a\n\nid: 2\ndata: b\n"),
            .openEvents("id: 3\ndata: c\n", ending: .close),
            .openEvents("id: 4\n", ending: .close),
            Self.gone
        )
        let (lines, _) = await lines(scene.client.reconnectingEvents(from: testURL, policy: .immediate))
        #expect(lines.filter { $0.hasPrefix("event") } == ["event 1:a"])
        #expect(scene.requests.map(\.lastEventID) == [nil, "1", "1", "1"])
    }

    @Test(arguments: ["ü✓", "a b", "7;x=\"y\", z", "\u{1}\u{7F}", "\t", String(repeating: "9", count: 4096)])
    func `any ID may be sent, and no ID breaks the request`(id: String) async throws {
        let scene = Self.scene(.events("id: \(id)\ndata: a\n\n"), Self.gone)
        let (lines, error) = await lines(scene.client.reconnectingEvents(from: testURL, policy: .immediate))
        #expect(lines.last == "disconnected 2 ended, final")
        #expect(error == nil)
        #expect(scene.requests.count == 2)
        if id.unicodeScalars.allSatisfy({ $0 >= " " && $0 != "\u{7F}" }) {
            let field = HTTPField.Name("Last-Event-ID").flatMap { scene.requests[1].fields[fields: $0].first }
            #expect(field?.withUnsafeBytesOfValue { Array($0) } == Array(id.utf8))
        }
    }

    @Test func `an ID that a server would refuse in a request is ignored`() async throws {
        let long = String(repeating: "9", count: 1 << 20)
        let scene = Self.scene(.events("id: 7\ndata: a\n\n"), .events("id: \(long)\ndata: b\n\n"), Self.gone)
        let (lines, error) = await lines(scene.client.reconnectingEvents(from: testURL, policy: .immediate))
        #expect(lines.filter { $0.hasPrefix("event") } == ["event 7:a", "event 7:b"])
        #expect(error == nil)
        #expect(scene.requests.map(\.lastEventID) == [nil, "7", "7"])
    }

    // MARK: Pauses

    @Test(arguments: [HTTPResponse.Status.tooManyRequests, .serviceUnavailable])
    func `Retry-After is obeyed, for a minute at most`(_ status: HTTPResponse.Status) async throws {
        for (text, seconds) in [("7", 7), ("3600", 60)] {
            let scene = Self.scene(.response(status, fields: [.retryAfter: text]))
            for try await element in scene.client.reconnectingEvents(from: testURL, policy: .immediate) {
                guard case .disconnected(let disconnection, 1) = element else {
                    Issue.record("\(element.line)")
                    break
                }
                #expect(disconnection.retryDelay == .seconds(seconds))
                break
            }
        }
    }

    @Test func `a response that lasts five seconds starts the count again`() async throws {
        let isOver = Flag()
        let scene = StreamScene(.untimed) { connection, _ in
            try await connection.write(Array("\(ScriptedResponse.openHead)9\r\ndata: a\n\n\r\n".utf8))
            await isOver.wait()
            return false
        }
        scene.connector.plan(.refuse(.notConnected(.refused)), .refuse(.notConnected(.refused)))
        var iterator = scene.client.reconnectingEvents(from: testURL, policy: .immediate).makeAsyncIterator()
        for expected in ["disconnected 1 ", "disconnected 2 ", "connected 200", "event :a"] {
            #expect(try await iterator.next()?.line.hasPrefix(expected) == true)
        }
        scene.clock.advance(by: .seconds(5))
        isOver.raise()
        #expect(try await iterator.next()?.line.hasPrefix("disconnected 1 ") == true)
    }

    @Test func `a server may give an ID without data, close, and be asked again when it said`() async throws {
        let scene = Self.scene(
            .events("id: p1\nretry: 500\ndata:\n\n"),
            .events("id: p2\ndata:\n\n"),
            .events("id: p3\ndata: x\n\n"),
            Self.gone
        )
        let journal = Journal<String>()
        let events = scene.client.reconnectingEvents(from: testURL)
        let following = Task { await journal.follow(events) }
        for count in 1...3 {
            _ = await journal.wait(for: count * 3)
            try await scene.clock.waitForScheduled(within: .milliseconds(625))
            scene.clock.advance(by: .milliseconds(499))
            #expect(scene.requests.count == count)
            scene.clock.advance(by: .milliseconds(126))
            await scene.waitForRequests(count + 1)
        }
        #expect(await following.value == nil)
        #expect(scene.requests.map(\.lastEventID) == [nil, "p1", "p2", "p3"])
        #expect(journal.all.filter { $0.hasPrefix("event") } == ["event p1:", "event p2:", "event p3:x"])
    }

    @Test func `the time that a server asks for holds for later failures, too`() async throws {
        let scene = Self.scene(.openEvents("retry: 7000\n\ndata: a\n\n", ending: .close), .close, Self.gone)
        let journal = Journal<String>()
        let events = scene.client.reconnectingEvents(from: testURL)
        let following = Task { await journal.follow(events) }
        _ = await journal.wait(for: 3)
        try await scene.clock.waitForScheduled(within: .milliseconds(8750))
        scene.clock.advance(by: .milliseconds(8750))
        _ = await journal.wait(for: 4)
        try await scene.clock.waitForScheduled(within: .milliseconds(15_750))
        scene.clock.advance(by: .milliseconds(6999))
        #expect(scene.requests.count == 2)
        scene.clock.advance(by: .milliseconds(8751))
        #expect(await following.value == nil)
        #expect(journal.all[3...] == ["disconnected 2 lost", "connected 204", "disconnected 3 ended, final"])
    }

    @Test func `the element of a disconnection tells the pause, the ID and the error`() async throws {
        let scene = Self.scene(.events("retry: 2000\nid: 9\ndata: a\n\nda"))
        for try await element in scene.client.reconnectingEvents(from: testURL) {
            guard case .disconnected(let disconnection, let attempt) = element else { continue }
            #expect(attempt == 1)
            #expect(disconnection.lastEventID == "9")
            #expect(disconnection.error?.isTruncated == true)
            let delay = try #require(disconnection.retryDelay)
            #expect(Duration.seconds(2) <= delay && delay <= .milliseconds(2500))
            break
        }
    }

    // MARK: Ends

    @Test(arguments: [nil, FinalEvent.data("[DONE]")])
    func `204 ends the sequence normally`(finalEvent: FinalEvent?) async throws {
        let scene = Self.scene(.openEvents("id: 1\ndata: a\n\n", ending: .close), Self.gone, .events("data: b\n\n"))
        let events = scene.client.reconnectingEvents(from: testURL, until: finalEvent, policy: .immediate)
        let (lines, error) = await lines(events)
        #expect(lines.suffix(2) == ["connected 204", "disconnected 2 ended, final"])
        #expect(error == nil)
        #expect(scene.requests.count == 2)
    }

    @Test func `the final event ends the sequence normally`() async throws {
        let scene = Self.scene(.events("id: 1\ndata: a\n\n"), .events("data: [DONE]\n\ndata: b\n\n"))
        let events = scene.client.reconnectingEvents(from: testURL, until: .data("[DONE]"), policy: .immediate)
        let (lines, error) = await lines(events)
        #expect(
            lines == [
                "connected 200", "event 1:a", "disconnected 1 truncated", "connected 200",
                "disconnected 2 ended, final",
            ]
        )
        #expect(error == nil)
        #expect(scene.requests.count == 2)
    }

    @Test func `a final event without its blank line, once delivered, ends the sequence normally, too`() async throws {
        let scene = Self.scene(.events("event: stop\ndata: a\n"))
        let events = scene.client.reconnectingEvents(from: testURL, until: .event("stop"), policy: .immediate(1))
        let (lines, error) = await lines(events)
        #expect(lines == ["connected 200", "event :a", "disconnected 1 ended, final"])
        #expect(error == nil)
        #expect(scene.requests.count == 1)
    }

    static let finals: [(response: ScriptedResponse, kind: String)] = [
        (.response(.notFound, body: "no"), "404"), (.response(.unauthorized), "401"),
        (.response(fields: [.contentType: "text/html"], body: "no"), "text/html"),
        (.events("data: 0123456789\n\n"), "too long"), (.response(.ok), "missing"),
    ]

    @Test(arguments: finals.indices)
    func `a failure that is final is thrown at once`(index: Int) async throws {
        let (response, kind) = Self.finals[index]
        let scene = Self.scene(response)
        let options = EventStreamOptions(maximumEventByteCount: 10)
        let events = scene.client.reconnectingEvents(from: testURL, policy: .immediate, options: options)
        let (lines, error) = await lines(events)
        let last = try #require(lines.last)
        #expect(last.hasPrefix("disconnected 1 ") && last.contains(kind) && last.hasSuffix(", final"), "\(last)")
        #expect(error != nil)
        #expect(scene.requests.count == 1)
    }

    @Test func `a body that can be read only once ends the sequence`() async throws {
        let scene = Self.scene(.events("id: 1\ndata: a\n\n"))
        let body = AsyncStream<Int> { continuation in
            continuation.yield(1)
            continuation.finish()
        }
        let request = Request(url: testURL).body(jsonLines: body).with { $0.options.expectsContinue = false }
        let (lines, error) = await lines(scene.client.reconnectingEvents(for: request, policy: .immediate))
        #expect(lines == ["connected 200", "event 1:a", "disconnected 1 ended, final"])
        #expect(error == nil)
        #expect(scene.requests.count == 1)
    }

    @Test func `failures that pass are counted, and the last error is thrown`() async throws {
        let busy = ScriptedResponse.response(.serviceUnavailable)
        let scene = Self.scene(busy, .events("data: a\n\n"), busy)
        let events = scene.client.reconnectingEvents(from: testURL, policy: .immediate(2))
        let (lines, error) = await lines(events)
        #expect(
            lines == [
                "disconnected 1 the status is 503", "connected 200", "event :a", "disconnected 2 ended",
                "disconnected 3 the status is 503, final",
            ]
        )
        #expect(error?.status == .serviceUnavailable)
        #expect(scene.requests.count == 3)
    }

    @Test func `a server that cannot be reached is asked again`() async throws {
        let scene = Self.scene(.events("data: a\n\n"), Self.gone)
        scene.connector.plan(.refuse(.notConnected(.refused)), .refuse(.notConnected(.unreachable)))
        let (lines, error) = await lines(scene.client.reconnectingEvents(from: testURL, policy: .immediate))
        #expect(lines.count == 7)
        #expect(lines[2...3] == ["connected 200", "event :a"])
        #expect(error == nil)
    }

    @Test func `an end without an error that the policy makes final ends the sequence normally`() async throws {
        let scene = Self.scene(.events("data: a\n\n"))
        let policy = EventReconnectionPolicy { $0.error == nil }
        let (lines, error) = await lines(scene.client.reconnectingEvents(from: testURL, policy: policy))
        #expect(lines == ["connected 200", "event :a", "disconnected 1 ended, final"])
        #expect(error == nil)
    }
}
