// SPDX-License-Identifier: Apache-2.0
import ClientTestSupport
import Synchronization
import TernFoundation
import TernPublishers
import TernTesting
import TestSupport
import Testing

/// A sequence of numbers, which counts how often it was asked for the next one, and may fail at the end.
struct CountingSequence: AsyncSequence, Sendable {
    /// An object that is released with the sequence.
    final class Life: Sendable {}

    let life = Life()
    let asked = Flag()
    let count: Int
    var fails = false

    struct Iterator: AsyncIteratorProtocol {
        let sequence: CountingSequence
        var next = 0

        mutating func next(isolation actor: isolated (any Actor)? = #isolation) async throws(Broken) -> Int? {
            self.sequence.asked.raise()
            guard self.next < self.sequence.count else {
                if self.sequence.fails { throw Broken() }
                return nil
            }
            defer { self.next += 1 }
            return self.next
        }
    }

    func makeAsyncIterator() -> Iterator { Iterator(sequence: self) }
}

@Suite("Publishers of sequences", .hangLimit)
struct SequencePublisherTests {
    typealias CountSubscriber = RecordingSubscriber<Int, Broken>

    @Test(arguments: 0...5)
    func `one element is asked for each value that is asked for`(count: Int) async {
        let released = ReleasedObjects()
        let subscriber = CountSubscriber()
        let asked: Flag
        do {
            let sequence = CountingSequence(count: 10)
            released.watch(sequence.life)
            asked = sequence.asked
            sequence.publisher.subscribe(subscriber)
        }
        for _ in 0..<count / 2 { subscriber.request(.max(2)) }
        subscriber.request(last: count.isMultiple(of: 2) ? .none : .max(1))
        // Every object that could request another element keeps the sequence alive.
        await released.waitForAll()
        #expect(asked.count == count)
        #expect(subscriber.values == Array(0..<count))
        #expect(subscriber.completions.isEmpty)
    }

    @Test func `what is asked for bit by bit comes to the end`() async {
        let sequence = CountingSequence(count: 10)
        let subscriber = CountSubscriber()
        sequence.publisher.subscribe(subscriber)
        for count in 1...3 {
            subscriber.request(.max(2))
            await subscriber.waitForValues(2 * count)
        }
        #expect(subscriber.completions.isEmpty)
        subscriber.request(.unlimited)
        await subscriber.waitForCompletion()
        #expect(subscriber.values == Array(0..<10))
        #expect(subscriber.isFinished)
        #expect(sequence.asked.count == 11)  // the last call returned the end
    }

    @Test func `the failure of the sequence is the publisher's, with its type`() async {
        let subscriber = CountSubscriber(demand: .unlimited)
        CountingSequence(count: 2, fails: true).publisher.subscribe(subscriber)
        await subscriber.waitForCompletion()
        #expect(subscriber.values == [0, 1])
        #expect(subscriber.failure == Broken())
    }

    @Test func `demand that a value brings counts`() async {
        let subscriber = CountSubscriber(onSubscription: { $0.request(.max(1)) }, onValue: { _, _ in .max(1) })
        CountingSequence(count: 100).publisher.subscribe(subscriber)
        await subscriber.waitForCompletion()
        #expect(subscriber.values == Array(0..<100))
    }

    @Test func `requests within receive(_:) count`() async {
        let subscriber = CountSubscriber(
            onSubscription: { $0.request(.max(1)) },
            onValue: { _, subscription in
                subscription?.request(.max(1))
                return .none
            }
        )
        CountingSequence(count: 100).publisher.subscribe(subscriber)
        await subscriber.waitForCompletion()
        #expect(subscriber.values == Array(0..<100))
        #expect(!subscriber.hasOverlapped)
    }

    @Test func `cancelling within receive(_:) ends it`() async {
        let released = ReleasedObjects()
        let subscriber = CountSubscriber(
            onSubscription: { $0.request(.unlimited) },
            onValue: { value, subscription in
                if value == 4 { subscription?.cancel() }
                return .none
            }
        )
        let asked: Flag
        do {
            let sequence = CountingSequence(count: 100)
            released.watch(sequence.life)
            asked = sequence.asked
            sequence.publisher.subscribe(subscriber)
        }
        await released.waitForAll()
        #expect(subscriber.values == [0, 1, 2, 3, 4])
        #expect(subscriber.completions.isEmpty)
        #expect(asked.count == 5)
    }

    @Test func `cancelling ends a sequence that waits, and one that nobody asks`() async {
        for demand in [Subscribers.Demand.max(1), .max(2)] {
            let isOver = Flag()
            let subscriber = RecordingSubscriber<Int, Never>(demand: demand)
            // Only the subscription retains the stream, and releases it.
            AsyncStream<Int> { continuation in
                continuation.onTermination = { _ in isOver.raise() }
                continuation.yield(1)
            }.publisher.subscribe(subscriber)
            await subscriber.waitForValues(1)
            #expect(!isOver.isRaised)
            subscriber.cancel()
            await isOver.wait()
            #expect(subscriber.values == [1])
            #expect(subscriber.completions.isEmpty)
        }
    }

    @Test func `each subscriber iterates for itself`() async {
        let publisher = CountingSequence(count: 3).publisher
        for _ in 0..<2 {
            let subscriber = CountSubscriber(demand: .unlimited)
            publisher.subscribe(subscriber)
            await subscriber.waitForCompletion()
            #expect(subscriber.values == [0, 1, 2])
        }
    }

    @Test func `it holds nothing after the end`() async throws {
        final class Reference: Sendable {
            private struct Held { weak var subscriber: CountSubscriber? }
            private let held = Mutex(Held())
            func watch(_ subscriber: CountSubscriber) { self.held.withLock { $0.subscriber = subscriber } }
            var isReleased: Bool { self.held.withLock { $0.subscriber == nil } }
        }
        for demand in [Subscribers.Demand.unlimited, .max(1)] {
            let reference = Reference()
            do {
                let subscriber = CountSubscriber(demand: demand)
                reference.watch(subscriber)
                CountingSequence(count: 3).publisher.subscribe(subscriber)
                if demand == .unlimited { await subscriber.waitForCompletion() } else { subscriber.cancel() }
            }
            try await eventually("nothing holds the subscriber") { reference.isReleased }
        }
    }
}

@Suite("Publishers of bodies", .hangLimit)
struct BodyPublisherTests {
    @Test func `lines come as they are asked for, and then the end`() async {
        let client = Client(
            configuration: .patient,
            connector: MemoryConnector { _ in .chunked(["one\ntw", "o\n\nthr", "ee"]) }
        )
        let subscriber = RecordingSubscriber<String, ClientError>(demand: .max(1))
        client.linesPublisher(from: testURL).subscribe(subscriber)
        await subscriber.waitForValues(1)
        subscriber.request(.max(3))
        await subscriber.waitForValues(4)
        subscriber.request(.max(1))
        await subscriber.waitForCompletion()
        #expect(subscriber.values == ["one", "two", "", "three"])
        #expect(subscriber.isFinished)
    }

    @Test(arguments: 1...4)
    func `no more lines come than were asked for, though more have arrived`(count: Int) async {
        let released = ReleasedObjects()
        let subscriber = RecordingSubscriber<String, ClientError>()
        do {
            let client = Client(
                configuration: .patient,
                connector: MemoryConnector { _ in .response(body: "one\ntwo\n\nthree\nfour") }
            )
            released.watch(client)
            client.linesPublisher(from: testURL).subscribe(subscriber)
        }
        subscriber.request(last: .max(count))
        // Every object that could deliver another line keeps the client alive.
        await released.waitForAll()
        #expect(subscriber.values == Array(["one", "two", "", "three", "four"].prefix(count)))
        #expect(subscriber.completions.isEmpty)
    }

    @Test func `pieces are the body`() async {
        let bytes = (0..<300_000).map { UInt8(truncatingIfNeeded: $0 &* 13) }
        let client = Client(configuration: .patient, connector: MemoryConnector { _ in .response(bytes: bytes) })
        let subscriber = RecordingSubscriber<Data, ClientError>(demand: .unlimited)
        client.bytesPublisher(from: testURL).subscribe(subscriber)
        await subscriber.waitForCompletion()
        expectEqual(Array(subscriber.values.joined()), bytes)
        #expect(subscriber.values.allSatisfy { !$0.isEmpty })
    }

    @Test func `nothing is sent before there is demand`() async {
        let connector = MemoryConnector { _ in .response() }
        let delegate = RecordingDelegate()
        let released = ReleasedObjects()
        let subscriber = RecordingSubscriber<String, ClientError>()
        do {
            let client = Client(configuration: .patient, connector: connector)
            released.watch(client)
            client.linesPublisher(from: testURL, delegate: delegate).subscribe(subscriber)
        }
        subscriber.cancel()
        // A call that has begun keeps the client alive until its delegate has been told about the end.
        await released.waitForAll()
        #expect(delegate.events.isEmpty)
        #expect(connector.attemptCount == 0)
    }

    @Test func `a subscriber that asks for nothing more makes the server wait`() async throws {
        let (lineCount, demand) = (1000, 50)
        let written = Flag()
        let connector = MemoryConnector(capacity: 1024) { connection in
            _ = try await connection.readRequest()
            try await connection.write("HTTP/1.1 200 OK\r\nContent-Length: 1000000000\r\n\r\n")
            let lines = String(repeating: "a line\n", count: lineCount)
            while true {
                try await connection.write(lines)
                written.raise()
            }
        }
        let subscriber = RecordingSubscriber<String, ClientError>(demand: .max(3))
        Client(configuration: .patient, connector: connector).linesPublisher(from: testURL).subscribe(subscriber)
        // The server writes as fast as it can, while the subscriber requests this number of lines.
        for round in 1...20 {
            await subscriber.waitForValues(3 + (round - 1) * demand)
            #expect(subscriber.values.count == 3 + (round - 1) * demand)
            subscriber.request(.max(demand))
        }
        await subscriber.waitForValues(3 + 20 * demand)
        subscriber.cancel()
        // The server cannot write more now. The final count includes all lines that it wrote without demand.
        try await connector.waitForServers()
        #expect(subscriber.values.count == 3 + 20 * demand)
        #expect(written.count <= 1 + 10)  // the requested lines fill one piece; some pieces are on their way
        #expect(subscriber.completions.isEmpty)
    }

    @Test func `a body that breaks off is a failure, after what came before`() async {
        let client = Client(
            configuration: .patient,
            connector: MemoryConnector { _ in
                .raw("HTTP/1.1 200 OK\r\nContent-Length: 9\r\n\r\none\nt", ending: .reset)
            }
        )
        let subscriber = RecordingSubscriber<String, ClientError>(demand: .unlimited)
        client.linesPublisher(from: testURL).subscribe(subscriber)
        await subscriber.waitForCompletion()
        #expect(subscriber.values == ["one"])
        #expect(subscriber.failure != nil)
    }

    @Test func `another status is a failure where the request says so`() async {
        let client = Client(
            configuration: .patient,
            connector: MemoryConnector { _ in .response(.notFound, body: "no\n") }
        )
        let lenient = RecordingSubscriber<String, ClientError>(demand: .unlimited)
        client.linesPublisher(from: testURL).subscribe(lenient)
        await lenient.waitForCompletion()
        #expect(lenient.values == ["no"])
        let strict = RecordingSubscriber<String, ClientError>(demand: .unlimited)
        client.linesPublisher(for: Request(url: testURL).validate(.success)).subscribe(strict)
        await strict.waitForCompletion()
        #expect(strict.values.isEmpty)
        guard case .validationFailed? = strict.failure else {
            Issue.record("\(String(describing: strict.failure))")
            return
        }
    }
}
