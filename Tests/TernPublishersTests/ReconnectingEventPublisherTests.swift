// SPDX-License-Identifier: Apache-2.0
import ClientTestSupport
import TernFoundation
import TernPublishers
import TernTesting
import TestSupport
import Testing

@Suite("Publishers of events that reconnect", .hangLimit)
struct ReconnectingEventPublisherTests {
    typealias ElementSubscriber = RecordingSubscriber<ReconnectingEventStream.Element, ClientError>

    private let clock = ManualClock()

    /// Returns a connector whose server answers the requests with these responses, and the last one again and again.
    private func connector(_ responses: ScriptedResponse...) -> MemoryConnector {
        let count = Flag()
        return MemoryConnector(clock: self.clock) { _ in
            count.raise()
            return responses[min(count.count, responses.count) - 1]
        }
    }

    private func publisher(
        _ connector: MemoryConnector
    ) -> some Publisher<ReconnectingEventStream.Element, ClientError> {
        Client(configuration: .patient, connector: connector, clock: self.clock)
            .reconnectingEventsPublisher(from: testURL)
    }

    /// Advances the clock by the longest pause before a connection, which is random: a second before the first connection
    /// after a short one, and twice as long before each further one.
    private func endPause(before attempt: Int) async throws {
        let longest = Duration.seconds(1 << (attempt - 1))
        try await self.clock.waitForScheduled(within: longest)
        self.clock.advance(by: longest)
    }

    @Test func `connections, events and disconnections arrive in order, and 204 finishes`() async throws {
        let connector = self.connector(
            .events([.event("one")]),
            .events([.event("two"), .cut]),
            .response(.noContent)
        )
        let subscriber = ElementSubscriber(demand: .unlimited)
        self.publisher(connector).subscribe(subscriber)
        await subscriber.waitForValues(3)
        try await self.endPause(before: 1)
        await subscriber.waitForValues(6)
        try await self.endPause(before: 2)
        await subscriber.waitForCompletion()
        #expect(
            subscriber.values.map(Self.text) == [
                "connected", "one", "disconnected", "connected", "two", "truncated", "connected", "disconnected",
            ]
        )
        #expect(subscriber.isFinished)
    }

    private static func text(_ element: ReconnectingEventStream.Element) -> String {
        switch element {
        case .connected: "connected"
        case .event(let event): event.data
        case .disconnected(let disconnection, _):
            switch disconnection.error {
            case .truncated: "truncated"
            case nil: "disconnected"
            default: "failed"
            }
        }
    }

    @Test func `without demand, it neither reads nor connects again`() async {
        let connector = self.connector(.events([.event("one")], ending: .close))
        let released = ReleasedObjects()
        let subscriber = ElementSubscriber()
        do {
            let client = Client(configuration: .patient, connector: connector, clock: self.clock)
            released.watch(client)
            client.reconnectingEventsPublisher(from: testURL).subscribe(subscriber)
        }
        subscriber.request(last: .max(3))
        // Every object that could connect again keeps the client alive.
        await released.waitForAll()
        #expect(subscriber.values.map(Self.text) == ["connected", "one", "disconnected"])
        #expect(subscriber.completions.isEmpty)
        #expect(connector.attemptCount == 1)
    }

    @Test(arguments: 1...4)
    func `cancelling frees the connection, and ends a pause`(demand: Int) async throws {
        let connector = self.connector(demand == 4 ? .events([.event("one")]) : .events([.event("one"), .stall]))
        let subscriber = ElementSubscriber(demand: .max(demand))
        self.publisher(connector).subscribe(subscriber)
        await subscriber.waitForValues(min(demand, demand == 4 ? 3 : 2))
        if demand == 4 { try await self.clock.waitForScheduled(within: .seconds(1)) }
        subscriber.cancel()
        try await connector.waitForOpen(0)
        await expectEventually("no pause goes on") { self.clock.scheduledDelays.allSatisfy { $0 > .seconds(1) } }
        #expect(subscriber.completions.isEmpty)
        #expect(connector.attemptCount == 1)
    }

    @Test func `each subscriber sends its own requests`() async throws {
        let connector = self.connector(.events([.event("one"), .stall]))
        let publisher = self.publisher(connector)
        let subscribers = (0..<2).map { _ in ElementSubscriber(demand: .unlimited) }
        for subscriber in subscribers { publisher.subscribe(subscriber) }
        for subscriber in subscribers { await subscriber.waitForValues(2) }
        #expect(connector.attemptCount == 2)
        for subscriber in subscribers { subscriber.cancel() }
        try await connector.waitForOpen(0)
    }

    @Test func `a failure that is final is the publisher's`() async {
        let subscriber = ElementSubscriber(demand: .unlimited)
        self.publisher(self.connector(.response(.notFound))).subscribe(subscriber)
        await subscriber.waitForCompletion()
        #expect(subscriber.values.map(Self.text) == ["failed"])
        guard case .validationFailed? = subscriber.failure else {
            Issue.record("\(String(describing: subscriber.failure))")
            return
        }
    }
}
