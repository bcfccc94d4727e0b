// SPDX-License-Identifier: Apache-2.0
import ClientTestSupport
import TernFoundation
import TernPublishers
import TernTesting
import TestSupport
import Testing

@Suite("Publishers of events and records", .hangLimit)
struct EventPublisherTests {
    typealias EventSubscriber = RecordingSubscriber<ServerSentEvent, ClientError>

    struct Delta: Codable, Hashable, Sendable {
        var text: String
    }

    private static let numbers: [ScriptedResponse.BodyStep] = (1...4).map { .event("\($0)") }

    private func client(_ connector: MemoryConnector) -> Client {
        Client(configuration: .patient, connector: connector)
    }

    @Test func `events arrive as they are requested, and then the end`() async {
        let connector = MemoryConnector { _ in .events([.event("one", id: "7"), .event("two"), .event("end")]) }
        let subscriber = EventSubscriber(demand: .max(1))
        self.client(connector).eventsPublisher(from: testURL, until: .data("end")).subscribe(subscriber)
        await subscriber.waitForValues(1)
        #expect(subscriber.values == [ServerSentEvent(data: "one", id: "7")])
        subscriber.request(.max(1))
        await subscriber.waitForValues(2)
        #expect(subscriber.completions.isEmpty)
        subscriber.request(.max(1))
        await subscriber.waitForCompletion()
        #expect(subscriber.values.map(\.data) == ["one", "two"])
        #expect(subscriber.isFinished)
    }

    @Test func `values of events and of records are decoded`() async {
        let connector = MemoryConnector { request in
            let deltas = ["Hel", "lo"].map(Delta.init(text:))
            return request.target == "/records"
                ? .records(deltas.map { .record($0) }, format: .textSequence)
                : .events(deltas.map { .event(json: $0, event: "delta") } + [.comment("end")])
        }
        let client = self.client(connector)
        let subscriber = RecordingSubscriber<Delta, ClientError>(demand: .unlimited)
        client.eventsPublisher(from: testURL, as: Delta.self).subscribe(subscriber)
        await subscriber.waitForCompletion()
        #expect(subscriber.values.map(\.text) == ["Hel", "lo"])
        #expect(subscriber.isFinished)
        let other = RecordingSubscriber<Delta, ClientError>(demand: .unlimited)
        client.valuesPublisher(for: Request(.get, "http://test/records"), as: Delta.self).subscribe(other)
        await other.waitForCompletion()
        #expect(other.values.map(\.text) == ["Hel", "lo"])
        #expect(other.isFinished)
    }

    @Test func `nothing is sent before there is demand`() async {
        let connector = MemoryConnector { _ in .events([]) }
        let released = ReleasedObjects()
        let delegate = RecordingDelegate()
        let events = EventSubscriber()
        let values = RecordingSubscriber<Int, ClientError>()
        let elements = RecordingSubscriber<ReconnectingEventStream.Element, ClientError>()
        do {
            let client = self.client(connector)
            released.watch(client)
            client.eventsPublisher(from: testURL, delegate: delegate).subscribe(events)
            client.valuesPublisher(from: testURL, as: Int.self, delegate: delegate).subscribe(values)
            client.reconnectingEventsPublisher(from: testURL, delegate: delegate).subscribe(elements)
        }
        events.cancel()
        values.cancel()
        elements.cancel()
        // A call that has begun keeps the client alive until its delegate has been told about the end.
        await released.waitForAll()
        #expect(delegate.events.isEmpty)
        #expect(connector.attemptCount == 0)
    }

    // MARK: Demand

    @Test(arguments: 1...4)
    func `no more events are delivered than were requested, though more have arrived`(count: Int) async {
        let released = ReleasedObjects()
        let subscriber = EventSubscriber()
        let values = RecordingSubscriber<Int, ClientError>()
        do {
            let client = self.client(MemoryConnector { _ in .events(Self.numbers) })
            released.watch(client)
            client.eventsPublisher(from: testURL).subscribe(subscriber)
            client.eventsPublisher(from: testURL, as: Int.self).subscribe(values)
        }
        subscriber.request(last: .max(count))
        values.request(last: .max(count))
        // Every object that could deliver another event keeps the client alive.
        await released.waitForAll()
        #expect(subscriber.values.map(\.data) == (1...count).map { "\($0)" })
        #expect(values.values == Array(1...count))
        #expect(subscriber.completions.isEmpty)
    }

    @Test func `a subscriber that requests nothing more makes the server wait`() async throws {
        let (eventCount, demand) = (1000, 50)
        let written = Flag()
        let connector = MemoryConnector(capacity: 1024) { connection in
            _ = try await connection.readRequest()
            try await connection.write(
                "HTTP/1.1 200 OK\r\nContent-Type: text/event-stream\r\nContent-Length: 1000000000\r\n\r\n"
            )
            let events = String(repeating: "data: \n\n", count: eventCount)
            while true {
                try await connection.write(events)
                written.raise()
            }
        }
        let subscriber = EventSubscriber(demand: .max(3))
        self.client(connector).eventsPublisher(from: testURL).subscribe(subscriber)
        // The server writes as fast as it can, while the subscriber requests this number of events.
        for round in 1...20 {
            await subscriber.waitForValues(3 + (round - 1) * demand)
            #expect(subscriber.values.count == 3 + (round - 1) * demand)
            subscriber.request(.max(demand))
        }
        await subscriber.waitForValues(3 + 20 * demand)
        subscriber.cancel()
        // The server cannot write more now. The final count includes all events that it wrote without demand.
        try await connector.waitForServers()
        #expect(subscriber.values.count == 3 + 20 * demand)
        #expect(written.count <= 1 + 10)  // the requested events fill one piece; some pieces are on their way
        #expect(subscriber.completions.isEmpty)
    }

    // MARK: Ends

    @Test func `a stream that is cut off is a failure, after what came before`() async {
        let client = self.client(MemoryConnector { _ in .events([.event("one"), .cut]) })
        let subscriber = EventSubscriber(demand: .unlimited)
        client.eventsPublisher(from: testURL).subscribe(subscriber)
        await subscriber.waitForCompletion()
        #expect(subscriber.values.map(\.data) == ["one"])
        #expect(subscriber.failure?.fault == .truncated(received: 11, expected: nil))
    }

    @Test func `a value that cannot be decoded is a failure, after what came before`() async {
        let client = self.client(MemoryConnector { _ in .records([.record(1), .text("x\n"), .record(3)]) })
        let subscriber = RecordingSubscriber<Int, ClientError>(demand: .unlimited)
        client.valuesPublisher(from: testURL, as: Int.self).subscribe(subscriber)
        await subscriber.waitForCompletion()
        #expect(subscriber.values == [1])
        guard case .decodingFailed(let failure, _)? = subscriber.failure else {
            Issue.record("\(String(describing: subscriber.failure))")
            return
        }
        #expect(failure.position?.index == 1)
    }

    @Test func `another media type is a failure`() async {
        let client = self.client(MemoryConnector { _ in .response(body: "data: one\n\n") })
        let subscriber = EventSubscriber(demand: .max(1))
        client.eventsPublisher(from: testURL).subscribe(subscriber)
        await subscriber.waitForCompletion()
        guard case .validationFailed? = subscriber.failure else {
            Issue.record("\(String(describing: subscriber.failure))")
            return
        }
    }

    @Test(arguments: [Subscribers.Demand.max(1), .max(2)])
    func `cancelling frees the connection, with and without demand`(demand: Subscribers.Demand) async throws {
        let connector = MemoryConnector { _ in .events([.event("one"), .stall]) }
        let client = self.client(connector)
        let subscriber = EventSubscriber(demand: demand)
        client.eventsPublisher(from: testURL).subscribe(subscriber)
        await subscriber.waitForValues(1)
        #expect(connector.openCount == 1)
        subscriber.cancel()
        try await connector.waitForOpen(0)
        #expect(subscriber.completions.isEmpty)
    }

    @Test(arguments: [true, false])
    func `nothing is held after the end`(isCancelled: Bool) async {
        let released = ReleasedObjects()
        await self.play(isCancelled, released)
        await released.waitForAll()
    }

    private func play(_ isCancelled: Bool, _ released: ReleasedObjects) async {
        let last = isCancelled ? ScriptedResponse.BodyStep.stall : .comment("end")
        let client = self.client(MemoryConnector { _ in .events([.event("1"), last]) })
        let delegate = RecordingDelegate()
        let events = EventSubscriber(demand: .unlimited)
        let values = RecordingSubscriber<Int, ClientError>(demand: .unlimited)
        released.watch(client, delegate, events, values)
        client.eventsPublisher(from: testURL, delegate: delegate).subscribe(events)
        client.eventsPublisher(from: testURL, as: Int.self, delegate: delegate).subscribe(values)
        await events.waitForValues(1)
        await values.waitForValues(1)
        if isCancelled {
            events.cancel()
            values.cancel()
        } else {
            await events.waitForCompletion()
            await values.waitForCompletion()
        }
    }
}
