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

@Suite("The life of a ReconnectingEventStream", .hangLimit)
struct ReconnectingLifeTests {
    private static func open(_ configuration: Client.Configuration = .untimed) -> StreamScene {
        StreamScene(configuration) { _ in .openEvents("id: 1\ndata: a\n\n") }
    }

    @Test func `the client connects when the caller asks for the first element`() async throws {
        let scene = Self.open()
        let events = scene.client.reconnectingEvents(from: testURL)
        var first = events.makeAsyncIterator()
        var second = events.makeAsyncIterator()
        #expect(scene.connector.attemptCount == 0)
        #expect(try await first.next()?.line == "connected 200")
        #expect(try await second.next()?.line == "connected 200")
        #expect(scene.requests.count == 2, "each iterator sends its own requests")
        #expect(try await first.next()?.line == "event 1:a")
        #expect(try await second.next()?.line == "event 1:a")
    }

    @Test func `the response is an element`() async throws {
        let scene = Self.open()
        for try await element in scene.client.reconnectingEvents(from: testURL) {
            if case .connected(let response) = element {
                #expect(response["Content-Type"] == "text/event-stream")
                #expect(response.url == testURL)
            } else {
                Issue.record("\(element.line)")
            }
            break
        }
        try await scene.waitForNoExchange()
    }

    // MARK: Leaving

    @Test(arguments: ["connected 200", "event 1:a"])
    func `leaving the loop frees the connection`(line: String) async throws {
        let scene = Self.open()
        for try await element in scene.client.reconnectingEvents(from: testURL) where element.line == line { break }
        try await scene.waitForNoExchange()
    }

    @Test func `leaving the loop after a disconnection sends nothing more`() async throws {
        let scene = StreamScene(.untimed) { _ in .events("data: a\n\n") }
        for try await element in scene.client.reconnectingEvents(from: testURL, policy: .immediate) {
            if case .disconnected = element { break }
        }
        for _ in 0..<100 { await Task.yield() }
        #expect(scene.requests.count == 1)
    }

    /// Cancels a task that follows a sequence once the condition is true, and returns the error.
    private static func cancelled(
        _ events: ReconnectingEventStream,
        when condition: (Journal<String>) async throws -> Void
    ) async throws -> (lines: [String], error: ClientError?) {
        let journal = Journal<String>()
        let following = Task { await journal.follow(events) }
        try await condition(journal)
        following.cancel()
        return (await following.value.map { (journal.all, $0) }) ?? (journal.all, nil)
    }

    @Test func `cancellation while reading ends the sequence, without a disconnection`() async throws {
        let scene = Self.open()
        let (lines, error) = try await Self.cancelled(scene.client.reconnectingEvents(from: testURL)) { journal in
            _ = await journal.wait(for: 2)
        }
        #expect(lines == ["connected 200", "event 1:a"])
        #expect(error?.isCancellation == true)
        try await scene.waitForNoExchange()
    }

    @Test func `cancellation while connecting ends the sequence, without a disconnection`() async throws {
        let scene = Self.open()
        scene.connector.plan(.hang)
        let (lines, error) = try await Self.cancelled(scene.client.reconnectingEvents(from: testURL)) { _ in
            try await scene.connector.waitForAttempts(1)
        }
        #expect(lines.isEmpty)
        #expect(error?.isCancellation == true)
        #expect(scene.connector.openCount == 0)
    }

    @Test func `cancellation while waiting for the response ends the sequence`() async throws {
        let scene = StreamScene(.untimed) { _ in .stall }
        let (lines, error) = try await Self.cancelled(scene.client.reconnectingEvents(from: testURL)) { _ in
            await scene.waitForRequests(1)
        }
        #expect(lines.isEmpty)
        #expect(error?.isCancellation == true)
        try await scene.waitForNoExchange()
    }

    @Test func `cancellation during the pause ends the sequence, and no timer is left`() async throws {
        let scene = StreamScene(.untimed) { _ in .events("retry: 3000000\ndata: a\n\n") }
        let (lines, error) = try await Self.cancelled(scene.client.reconnectingEvents(from: testURL)) { journal in
            _ = await journal.wait(for: 3)
            try await eventually("the sequence pauses") { Self.hasPause(scene) }
        }
        #expect(lines == ["connected 200", "event :a", "disconnected 1 ended"])
        #expect(error?.isCancellation == true)
        try await eventually("the timer is gone") { !Self.hasPause(scene) }
        #expect(scene.requests.count == 1)
    }

    private static func hasPause(_ scene: StreamScene) -> Bool {
        scene.clock.scheduledDelays.contains { $0 >= .seconds(3000) && $0 <= .seconds(3750) }
    }

    @Test func `after a cancellation the sequence is over`() async throws {
        let scene = Self.open()
        let events = scene.client.reconnectingEvents(from: testURL)
        let begun = Flag()
        let task = Task { () -> String? in
            var iterator = events.makeAsyncIterator()
            for _ in 0..<2 { _ = try await iterator.next() }
            begun.raise()
            await #expect(throws: ClientError.self) { try await iterator.next() }
            return try await iterator.next()?.line
        }
        await begun.wait()
        task.cancel()
        #expect(try await task.value == nil)
        #expect(scene.requests.count == 1)
        try await scene.waitForNoExchange()
    }

    @Test func `after its end the sequence sends nothing more`() async throws {
        for response in [ScriptedResponse.response(.noContent), .response(.notFound)] {
            let scene = StreamScene(.untimed) { _ in response }
            var iterator = scene.client.reconnectingEvents(from: testURL).makeAsyncIterator()
            do throws(ClientError) {
                while try await iterator.next() != nil {}
            } catch {
                #expect(error.status == .notFound)
            }
            for _ in 0..<2 { #expect(try await iterator.next() == nil) }
            #expect(scene.requests.count == 1)
        }
    }

    // MARK: Silence

    @Test func `a server that is silent counts as lost, and is asked again`() async throws {
        var configuration = Client.Configuration.untimed
        configuration.timeouts.idle = .seconds(20)  // before HTTP/2 asks whether the server is there
        let count = Atomic(0)
        let scene = StreamScene(configuration) { _ in
            count.wrappingAdd(1, ordering: .relaxed).oldValue == 0
                ? .openEvents("id: 1\ndata: a\n\n: keep\n") : .response(.noContent)
        }
        let journal = Journal<String>()
        let events = scene.client.reconnectingEvents(from: testURL, policy: .immediate)
        let following = Task<ClientError?, any Error> { await journal.follow(events) }
        _ = await journal.wait(for: 2)
        // The read after the event may not have begun, and its limit counts from its beginning.
        let error = try await scene.clock.advance(until: following).get()
        #expect(error == nil)
        #expect(journal.all[2].hasPrefix("disconnected 1 timed out"))
        // The clock may advance while the last response is open, so that the count of attempts starts again.
        #expect(journal.all[3] == "connected 204")
        #expect(journal.all[4].hasSuffix(" ended, final") && journal.all.count == 5)
        #expect(scene.requests.map(\.lastEventID) == [nil, "1"])
    }

    @Test func `comments keep the connection, and are elements only on request`() async throws {
        let scene = StreamScene(.untimed) { _ in .events(": a\n\ndata: 1\n\n: b\n\n") }
        let policy = EventReconnectionPolicy(isFinal: { _ in true })
        for isOn in [false, true] {
            let options = EventStreamOptions(includesComments: isOn)
            let events = scene.client.reconnectingEvents(from: testURL, policy: policy, options: options)
            #expect(await lines(events).lines.count == (isOn ? 5 : 3))
        }
    }
}
