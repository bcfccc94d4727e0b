// SPDX-License-Identifier: Apache-2.0
import ClientTestSupport
import Synchronization
import TernFoundation
import TernTesting
import TestSupport
import Testing

@testable import TernPublishers

@Suite("Cancelling subscriptions to calls", .hangLimit)
struct CancellationTests {
    @Test func `before demand nothing was sent, and nothing will be`() async {
        await self.expectNoCall(by: DataSubscriber()) { subscriber in
            subscriber.cancel()
            subscriber.request(.unlimited)
        }
    }

    @Test func `within receive(subscription:) nothing is sent`() async {
        let subscriber = DataSubscriber(onSubscription: { subscription in
            subscription.request(.unlimited)
            subscription.cancel()
        })
        await self.expectNoCall(by: subscriber)
    }

    /// Expects that a subscriber starts no call, even for a short time.
    private func expectNoCall(by subscriber: DataSubscriber, _ body: (DataSubscriber) -> Void = { _ in }) async {
        let connector = MemoryConnector { _ in .response() }
        let delegate = RecordingDelegate()
        let released = ReleasedObjects()
        do {
            let client = Client(configuration: .patient, connector: connector)
            released.watch(client)
            client.dataPublisher(from: testURL, delegate: delegate).subscribe(subscriber)
        }
        body(subscriber)
        // A call that has begun keeps the client alive until its delegate has been told about the end.
        await released.waitForAll()
        #expect(delegate.events.isEmpty)
        #expect(connector.attemptCount == 0)
        #expect(subscriber.values.isEmpty)
        #expect(subscriber.completions.isEmpty)
    }

    @Test func `during the transfer it ends the transfer, and the subscriber hears no more`() async throws {
        let server = ScriptedServer { _ in halfResponse }
        let connector = MemoryConnector(server)
        let subscriber = DataSubscriber(demand: .unlimited)
        Client(configuration: .patient, connector: connector).dataPublisher(from: testURL).subscribe(subscriber)
        try await server.waitForRequests(1)
        subscriber.cancel()
        try await connector.waitForOpen(0)
        #expect(subscriber.values.isEmpty)
        #expect(subscriber.completions.isEmpty)
    }

    @Test func `within receive(_:) there is no completion`() async {
        let released = ReleasedObjects()
        let subscriber = DataSubscriber(
            onSubscription: { $0.request(.unlimited) },
            onValue: { _, subscription in
                subscription?.cancel()
                return .unlimited
            }
        )
        do {
            let client = Client(configuration: .patient, connector: MemoryConnector { _ in .response() })
            released.watch(client)
            client.dataPublisher(from: testURL).subscribe(subscriber)
        }
        await subscriber.waitForValues(1)
        // Every object that could still report the end keeps the client alive.
        await released.waitForAll()
        #expect(subscriber.values.count == 1)
        #expect(subscriber.completions.isEmpty)
    }

    @Test func `after the completion it does nothing`() async {
        let subscription = Mutex<Recipient<any Subscription>?>(nil)
        let subscriber = DataSubscriber(onSubscription: { given in
            let recipient = Recipient(given)
            subscription.withLock { $0 = recipient }
            given.request(.unlimited)
        })
        Client(configuration: .patient, connector: MemoryConnector { _ in .response() }).dataPublisher(from: testURL)
            .subscribe(subscriber)
        await subscriber.waitForCompletion()
        subscription.withLock { $0 }?.content.cancel()
        subscription.withLock { $0 }?.content.request(.max(1))
        #expect(subscriber.values.count == 1)
        #expect(subscriber.completions.count == 1)
    }

    @Test func `from many threads at once, at any time`() async {
        let client = Client(configuration: .patient, connector: MemoryConnector { _ in .response(body: "body") })
        for round in 0..<200 {
            let subscriber = DataSubscriber(demand: .unlimited)
            client.dataPublisher(from: testURL).subscribe(subscriber)
            await withDiscardingTaskGroup { group in
                for _ in 0..<4 {
                    group.addTask {
                        for _ in 0..<round % 50 { await Task.yield() }
                        subscriber.request(.max(1))
                        subscriber.cancel()
                    }
                }
            }
            #expect(subscriber.values.count <= 1)
            #expect(subscriber.completions.count <= 1)
            #expect(!subscriber.hasOverlapped)
        }
    }

    @Test func `a sink that is released cancels`() async throws {
        let server = ScriptedServer { _ in halfResponse }
        let connector = MemoryConnector(server)
        let client = Client(configuration: .patient, connector: connector)
        var cancellable: AnyCancellable? = client.dataPublisher(from: testURL)
            .sink(receiveCompletion: { _ in }, receiveValue: { _ in })
        #expect(cancellable != nil)
        try await server.waitForRequests(1)
        cancellable = nil
        try await connector.waitForOpen(0)
        #expect(connector.openCount == 0)
    }
}

@Suite("What a subscription to a call holds", .hangLimit)
struct ReleaseTests {
    enum End: CaseIterable {
        case value, failure, cancellation, cancellationBeforeDemand
    }

    @Test(arguments: End.allCases)
    func `nothing after the end`(end: End) async throws {
        let released = ReleasedObjects()
        let server = ScriptedServer { _ in
            switch end {
            case .value, .cancellationBeforeDemand: .response()
            case .failure: .reset
            case .cancellation: halfResponse
            }
        }
        let connector = MemoryConnector(server)
        try await self.play(end, connector, server, released)
        await released.waitForAll()
    }

    private func play(
        _ end: End,
        _ connector: MemoryConnector,
        _ server: ScriptedServer,
        _ released: ReleasedObjects
    ) async throws {
        let client = Client(configuration: .patient, connector: connector)
        let delegate = RecordingDelegate()
        let subscriber = DataSubscriber()
        released.watch(subscriber, client, delegate)
        client.dataPublisher(from: testURL, delegate: delegate).subscribe(subscriber)
        switch end {
        case .value, .failure:
            subscriber.request(.max(1))
            await subscriber.waitForCompletion()
        case .cancellation:
            subscriber.request(.max(1))
            try await server.waitForRequests(1)
            subscriber.cancel()
        case .cancellationBeforeDemand:
            subscriber.cancel()
        }
    }

    @Test func `a subscription that nobody holds and that has no demand ends`() async {
        let released = ReleasedObjects()
        do {
            let client = Client(configuration: .patient, connector: MemoryConnector { _ in .response() })
            let delegate = RecordingDelegate()
            let subscriber = DataSubscriber()
            released.watch(subscriber, client, delegate)
            // This publisher does not retain the delegate.
            client.dataPublisher(from: testURL, delegate: delegate)
                .subscribe(AnySubscriber(receiveSubscription: { _ in _ = subscriber }))
        }
        await released.waitForAll()
    }
}
