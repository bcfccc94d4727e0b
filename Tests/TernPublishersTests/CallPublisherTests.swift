// SPDX-License-Identifier: Apache-2.0
import ClientTestSupport
import TernFoundation
import TernPublishers
import TernTesting
import TestSupport
import Testing

typealias DataSubscriber = RecordingSubscriber<(data: Data, response: Response), ClientError>

@Suite("Publishers of calls", .hangLimit)
struct CallPublisherTests {
    private struct Reply: Codable, Equatable, Sendable {
        var name: String
    }

    @Test func `it gives what the asynchronous method gives, and finishes`() async {
        let client = Client(
            configuration: .patient,
            connector: MemoryConnector { .response(body: "You asked for \($0.target)") }
        )
        let subscriber = DataSubscriber(demand: .max(1))
        client.dataPublisher(from: testURL).subscribe(subscriber)
        await subscriber.waitForCompletion()
        #expect(subscriber.values.map { String(decoding: $0.data, as: UTF8.self) } == ["You asked for /"])
        #expect(subscriber.values.first?.response.statusCode == 200)
        #expect(subscriber.isFinished)
        #expect(!subscriber.hasOverlapped)
    }

    @Test func `it fails with the error of the client`() async {
        let client = Client(
            configuration: .patient,
            connector: MemoryConnector(plan: .refuse(.notConnected(.refused))) { _ in .response() }
        )
        let subscriber = DataSubscriber(demand: .unlimited)
        client.dataPublisher(from: testURL).subscribe(subscriber)
        await subscriber.waitForCompletion()
        #expect(subscriber.values.isEmpty)
        #expect(subscriber.failure?.isConnectivity == true)
    }

    @Test func `nothing is sent before there is demand`() async {
        let connector = MemoryConnector { _ in .response() }
        let delegate = RecordingDelegate()
        let released = ReleasedObjects()
        let (silent, asking) = (DataSubscriber(), DataSubscriber())
        do {
            let client = Client(configuration: .patient, connector: connector)
            released.watch(client)
            for subscriber in [silent, asking] {
                client.dataPublisher(from: testURL, delegate: delegate).subscribe(subscriber)
                subscriber.request(.none)
                #expect(subscriber.subscriptionCount == 1)
            }
        }
        asking.request(.max(1))
        await asking.waitForCompletion()
        // A call that has begun keeps the client alive until its delegate has been told about the end.
        silent.cancel()
        await released.waitForAll()
        #expect(delegate.events.filter { $0 == .completed(hasFailed: false) }.count == 1)
        #expect(delegate.taskIDs.count == 1)
        #expect(connector.attemptCount == 1)
        #expect(asking.values.count == 1)
    }

    @Test func `each subscriber causes a call of its own`() async {
        let server = ScriptedServer { _ in .response() }
        let publisher = Client(configuration: .patient, connector: MemoryConnector(server)).dataPublisher(from: testURL)
        let subscribers = (0..<3).map { _ in DataSubscriber(demand: .unlimited) }
        for subscriber in subscribers { publisher.subscribe(subscriber) }
        for subscriber in subscribers { await subscriber.waitForCompletion() }
        #expect(server.requests.count == 3)
    }

    @Test func `shared, one call serves all`() async {
        let mayAnswer = Flag()
        let server = ScriptedServer { _ in
            await mayAnswer.wait()
            return .response(body: "once")
        }
        let shared = Client(configuration: .patient, connector: MemoryConnector(server)).dataPublisher(from: testURL)
            .share()
        let subscribers = (0..<3).map { _ in DataSubscriber(demand: .unlimited) }
        for subscriber in subscribers { shared.subscribe(subscriber) }
        mayAnswer.raise()
        for subscriber in subscribers { await subscriber.waitForCompletion() }
        #expect(server.requests.count == 1)
        #expect(subscribers.allSatisfy { $0.values.count == 1 && $0.isFinished })
    }

    @Test func `shared, the call goes on for the subscribers that are left`() async {
        let mayAnswer = Flag()
        let server = ScriptedServer { _ in
            await mayAnswer.wait()
            return .response(body: "to the second")
        }
        let shared = Client(configuration: .patient, connector: MemoryConnector(server)).dataPublisher(from: testURL)
            .share()
        let subscribers = (0..<2).map { _ in DataSubscriber(demand: .unlimited) }
        for subscriber in subscribers { shared.subscribe(subscriber) }
        subscribers[0].cancel()
        mayAnswer.raise()
        await subscribers[1].waitForCompletion()
        #expect(subscribers[1].values.map { String(decoding: $0.data, as: UTF8.self) } == ["to the second"])
        #expect(subscribers[0].values.isEmpty)
        #expect(subscribers[0].completions.isEmpty)
    }

    @Test func `shared, the call ends with the last subscriber`() async throws {
        let server = ScriptedServer { _ in halfResponse }
        let connector = MemoryConnector(server)
        let shared = Client(configuration: .patient, connector: connector).dataPublisher(from: testURL).share()
        let subscribers = (0..<2).map { _ in DataSubscriber(demand: .unlimited) }
        for subscriber in subscribers { shared.subscribe(subscriber) }
        try await server.waitForRequests(1)
        for subscriber in subscribers { subscriber.cancel() }
        try await connector.waitForOpen(0)
        #expect(connector.openCount == 0)
    }

    @Test func `uploads of all kinds arrive`() async throws {
        let folder = try TemporaryFolder()
        let file = URL(fileURLWithPath: try folder.write("of a file", to: "body"))
        let client = Client(configuration: .patient, connector: MemoryConnector { .response(body: $0.text) })
        let request = Request(.post, testURL.absoluteString)
        let stream = AsyncStream<[UInt8]> { continuation in
            continuation.yield(Array("of a ".utf8))
            continuation.yield(Array("stream".utf8))
            continuation.finish()
        }
        let publishers = [
            client.uploadPublisher(for: request, from: Data("of data".utf8)),
            client.uploadPublisher(for: request, fromFile: file),
            client.uploadPublisher(for: request, from: stream, length: 11),
        ]
        for (publisher, expected) in zip(publishers, ["of data", "of a file", "of a stream"]) {
            let subscriber = DataSubscriber(demand: .max(1))
            publisher.subscribe(subscriber)
            await subscriber.waitForCompletion()
            #expect(subscriber.values.map { String(decoding: $0.data, as: UTF8.self) } == [expected])
        }
    }

    @Test func `values are decoded, and failures of decoding are the client's`() async {
        let client = Client(
            configuration: .patient,
            connector: MemoryConnector { .response(body: $0.target == "/good" ? #"{"name":"a"}"# : "{}") }
        )
        let good = RecordingSubscriber<Reply, ClientError>(demand: .max(1))
        client.valuePublisher(for: Request(.get, "http://test/good"), as: Reply.self).subscribe(good)
        await good.waitForCompletion()
        #expect(good.values == [Reply(name: "a")])
        let bad = RecordingSubscriber<Reply, ClientError>(demand: .max(1))
        client.valuePublisher(from: testURL).subscribe(bad)
        await bad.waitForCompletion()
        guard case .decodingFailed? = bad.failure else {
            Issue.record("\(String(describing: bad.failure))")
            return
        }
    }

    @Test func `the delegate is told of each subscriber's call`() async {
        let delegate = RecordingDelegate()
        let publisher = Client(configuration: .patient, connector: MemoryConnector { _ in .response() })
            .dataPublisher(from: testURL, delegate: delegate)
        for _ in 0..<2 {
            let subscriber = DataSubscriber(demand: .max(1))
            publisher.subscribe(subscriber)
            await subscriber.waitForCompletion()
        }
        #expect(delegate.events.filter { $0 == .completed(hasFailed: false) }.count == 2)
        #expect(delegate.taskIDs.count == 2)
    }
}
