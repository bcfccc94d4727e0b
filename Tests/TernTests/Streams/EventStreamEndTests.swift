// SPDX-License-Identifier: Apache-2.0
import ClientTestSupport
import HTTPTypes
import Tern
import TernErrors
import TernTesting
import TestSupport
import Testing

@Suite("The ends of an EventStream", .hangLimit)
struct EventStreamEndTests {
    /// Reads the events of a response.
    private static func read(
        _ response: ScriptedResponse,
        until finalEvent: FinalEvent? = nil
    ) async throws -> (data: [String], fault: Fault?) {
        let scene = StreamScene { _ in response }
        let stream = try await scene.client.events(from: testURL, until: finalEvent)
        let (events, error) = await collected(stream)
        return (events.data, error?.fault)
    }

    // MARK: Without a final event

    @Test(arguments: ["", "data: 1\n\n", "data: 1\n\n\n", "data: 1\n\n: bye\n", "data: 1\n\n: bye\n\n"])
    func `a response that ends after a complete event ends normally`(text: String) async throws {
        let (data, fault) = try await Self.read(.events(text))
        #expect(data == (text.isEmpty ? [] : ["1"]))
        #expect(fault == nil)
    }

    @Test(arguments: [
        "d", "data: 2", "data: 2\n", "data: 2\r\n", "data: 2\n: x\n", "event: x", "event: x\n", "id: 7\n",
    ])
    func `a response that ends in an event is truncated`(rest: String) async throws {
        let (data, fault) = try await Self.read(.events("data: 1\n\n\(rest)"))
        #expect(data == ["1"])
        #expect(fault == .truncated(received: Int64(9 + rest.utf8.count), expected: nil))
    }

    @Test(arguments: ["", "data: 2", "data: 2\n"])
    func `a connection that breaks truncates, even between two events`(rest: String) async throws {
        let (data, fault) = try await Self.read(.openEvents("data: 1\n\n\(rest)", ending: .close))
        #expect(data == ["1"])
        #expect(fault == .truncated(received: Int64(9 + rest.utf8.count), expected: nil))
    }

    @Test func `an error comes once, and then the end`() async throws {
        let scene = StreamScene { _ in .events("data: 1\n\ndata: 2") }
        let stream = try await scene.client.events(from: testURL)
        var events = stream.makeAsyncIterator()
        #expect(try await events.next()?.data == "1")
        await #expect(throws: ClientError.self) { try await events.next() }
        #expect(try await events.next() == nil)
        #expect(try await events.next() == nil)
    }

    @Test func `an error names the phase and the response`() async throws {
        let scene = StreamScene { _ in .events("data: 1") }
        let stream = try await scene.client.events(from: testURL)
        let error = try #require(await collected(stream).error)
        #expect(error.context.phase == .body)
        #expect(error.context.response?.status == .ok)
        #expect(error.isRetryable)
    }

    // MARK: With a final event

    /// Each rule, and the text from the data of the events that it delivers.
    static let rules: [(name: String, rule: FinalEvent, data: [String])] = [
        ("data", .data("[DONE]"), ["1", "2"]),
        ("data, delivered", .data("[DONE]", isDelivered: true), ["1", "2", "[DONE]"]),
        ("type", .event("stop"), ["1", "2", "[DONE]"]),
        ("one of two types", .event("error", "stop"), ["1", "2", "[DONE]"]),
        ("type, not delivered", .event("stop", isDelivered: false), ["1", "2"]),
        ("closure", FinalEvent { $0.id == "3" }, ["1", "2", "[DONE]"]),
        ("closure, not delivered", FinalEvent(isDelivered: false) { $0.id == "3" }, ["1", "2"]),
    ]

    private static let text = "data: 1\n\ndata: 2\n\nevent: stop\nid: 3\ndata: [DONE]\n\n"

    @Test(arguments: rules.indices)
    func `the final event ends the stream, and later events are not delivered`(index: Int) async throws {
        let (_, rule, expected) = Self.rules[index]
        for rest in ["", "data: 4\n\n", "da", "data: 4\n\nevent: stop\nid: 3\ndata: [DONE]\n\n"] {
            for response in [ScriptedResponse.events(Self.text + rest), .openEvents(Self.text + rest, ending: .close)] {
                let (data, fault) = try await Self.read(response, until: rule)
                #expect(data == expected)
                #expect(fault == nil)
            }
        }
    }

    @Test(arguments: rules.indices)
    func `every end without the final event is truncated`(index: Int) async throws {
        let text = "data: 1\n\ndata: 2\n\nevent: stop\nid: 3\n"
        for (text, data) in [("", []), ("data: 1\n\n", ["1"]), (text, ["1", "2"])] {
            for response in [ScriptedResponse.events(text), .openEvents(text, ending: .close)] where !text.isEmpty {
                let (received, fault) = try await Self.read(response, until: Self.rules[index].rule)
                #expect(received == data)
                #expect(fault == .truncated(received: Int64(text.utf8.count), expected: nil))
            }
        }
        let (_, fault) = try await Self.read(.events(""), until: Self.rules[index].rule)
        #expect(fault == .truncated(received: 0, expected: nil))
    }

    @Test(arguments: rules.indices, ["\n", "\r\n", "\r", ""])
    func `the final event needs no blank line at the end of the response`(index: Int, lineEnd: String) async throws {
        let (name, rule, expected) = Self.rules[index]
        let text = "data: 1\n\ndata: 2\n\nevent: stop\nid: 3\ndata: [DONE]\(lineEnd)"
        let (data, fault) = try await Self.read(.events(text), until: rule)
        // Without the end of the line, more data could have followed, unless the rule knows the data.
        let isWhole = !lineEnd.isEmpty || !rule.isDelivered || name.hasPrefix("data")
        #expect(data == (isWhole ? expected : ["1", "2"]))
        #expect(fault == (isWhole ? nil : .truncated(received: Int64(text.utf8.count), expected: nil)))
        // A connection that breaks is no end.
        let (_, broken) = try await Self.read(.openEvents(text, ending: .close), until: rule)
        #expect(broken == .truncated(received: Int64(text.utf8.count), expected: nil))
    }

    @Test(arguments: ["data: 4", "data: 4\n", "event: other\ndata: [DONE]\n", "data: [DON", ": [DONE]", "id: 3\n"])
    func `any other event needs its blank line`(rest: String) async throws {
        let rule = FinalEvent.data("[DONE]")
        let other = FinalEvent { $0.event == "message" && $0.data == "[DONE]" }
        let text = "data: 1\n\n\(rest)"
        let rules = rest.hasPrefix("event") ? [other] : [rule, other]
        for rule in rules {
            let (data, fault) = try await Self.read(.events(text), until: rule)
            #expect(data == ["1"])
            #expect(fault == .truncated(received: Int64(text.utf8.count), expected: nil))
        }
    }

    @Test func `after the final event the sequence stays at its end`() async throws {
        let scene = StreamScene { _ in .events("data: end\n\ndata: 2\n\n") }
        let stream = try await scene.client.events(from: testURL, until: .data("end", isDelivered: true))
        var events = stream.makeAsyncIterator()
        #expect(try await events.next()?.data == "end")
        for _ in 0..<3 { #expect(try await events.next() == nil) }
    }

    @Test func `a rule sees every event once and in order, but no comment`() async throws {
        let seen = Journal<String>()
        let rule = FinalEvent { event in
            seen.note(event.data)
            return event.data == "3"
        }
        let scene = StreamScene { _ in .events(": a\ndata: 1\n\n: b\n\ndata: 2\n\ndata: 3\n\ndata: 4\n\n") }
        let options = EventStreamOptions(includesComments: true)
        let stream = try await scene.client.events(from: testURL, until: rule, options: options)
        let (events, error) = await collected(stream)
        #expect(error == nil)
        #expect(events.count == 5)
        #expect(seen.all == ["1", "2", "3"])
    }

    // MARK: The connection after the final event

    @Test func `a server that ends the response after its final event keeps the connection`() async throws {
        let hasEnded = Flag()
        let scene = StreamScene { connection, _ in
            try await connection.begin()
            try await connection.chunk("data: 1\n\ndata: [DONE]\n\n")
            await hasEnded.wait()
            try await connection.end()
            return true
        }
        let stream = try await scene.client.events(from: testURL, until: .data("[DONE]"))
        #expect(await collected(stream).values.data == ["1"])
        scene.expectExchange()
        hasEnded.raise()
        // The client reads the end of the response while it does other things, so a few calls may be too early.
        try await eventually("a call uses the connection again") {
            let stream = try await scene.client.events(from: testURL, until: .data("[DONE]"))
            let (events, error) = await collected(stream)
            #expect(events.data == ["1"] && error == nil)
            return stream.response.isConnectionReused
        }
        #expect(scene.connector.openCount == scene.connector.attemptCount, "no connection was given up")
    }

    @Test func `a response that has arrived with its end keeps the connection at once`() async throws {
        let scene = StreamScene { _ in .events("data: 1\n\ndata: [DONE]\n\ndata: 2\n\n") }
        for _ in 0..<3 {
            let stream = try await scene.client.events(from: testURL, until: .data("[DONE]"))
            #expect(await collected(stream).values.data == ["1"])
        }
        #expect(scene.connector.attemptCount == 1)
    }

    @Test(arguments: [false, true])
    func `a server that keeps the response open loses the connection after a second`(isReleased: Bool) async throws {
        let scene = StreamScene { _ in .openEvents("data: 1\n\ndata: [DONE]\n\n") }
        var stream: EventStream? = try await scene.client.events(from: testURL, until: .data("[DONE]"))
        if let stream { #expect(await collected(stream).values.data == ["1"]) }
        if isReleased { stream = nil }
        try await scene.clock.waitForScheduled(in: .seconds(1))
        scene.clock.advance(by: .milliseconds(999))
        scene.expectExchange()
        scene.clock.advance(by: .milliseconds(1))
        try await scene.waitForNoExchange()
        withExtendedLifetime(stream) {}
    }

    @Test func `a server that goes on sending loses the connection without any time`() async throws {
        let scene = StreamScene { connection, _ in
            try await connection.begin()
            try await connection.chunk("data: [DONE]\n\n")
            while true { try await connection.chunk("data: \(String(repeating: "x", count: 10_000))\n\n") }
        }
        let stream = try await scene.client.events(from: testURL, until: .data("[DONE]"))
        #expect(await collected(stream).values.isEmpty)
        try await scene.waitForNoExchange()
        withExtendedLifetime(stream) {}
    }

    @Test func `the final event is delivered before the response ends`() async throws {
        let scene = StreamScene { _ in .openEvents("event: stop\ndata: all\n\n") }
        let stream = try await scene.client.events(from: testURL, until: .event("stop"))
        var events = stream.makeAsyncIterator()
        #expect(try await events.next()?.data == "all")
        #expect(try await events.next() == nil)
    }

    @Test(arguments: [true, false])
    func `a delegate learns that the call has succeeded`(serverEnds: Bool) async throws {
        let delegate = RecordingDelegate()
        let text = "data: [DONE]\n\n"
        let scene = StreamScene { _ in serverEnds ? .events(text) : .openEvents(text) }
        do {
            let stream = try await scene.client.events(from: testURL, until: .data("[DONE]"), delegate: delegate)
            #expect(await collected(stream).error == nil)
        }
        if !serverEnds {
            try await scene.clock.waitForScheduled(in: .seconds(1))
            scene.clock.advance(by: .seconds(1))
        }
        try await eventually("the call has ended: \(delegate.events)") {
            delegate.events.contains { if case .completed = $0 { true } else { false } }
        }
        #expect(delegate.events.contains(.completed(hasFailed: false)))
    }
}
