// SPDX-License-Identifier: Apache-2.0
import ClientTestSupport
import TernFoundation
import TernPublishers
import TernTesting
import TestSupport
import Testing

@Suite("Publishers of WebSockets", .hangLimit)
struct WebSocketPublisherTests {
    typealias MessageSubscriber = RecordingSubscriber<WebSocketMessage, ClientError>

    /// Returns a connector whose server sends everything back that it receives, including the Close frame.
    private func echo() -> MemoryConnector {
        MemoryConnector(connection: { connection in
            let socket = try await ServerWebSocket.accept(connection)
            while let frame = try await socket.receive() {
                try await socket.send(frame.opcode, payload: frame.payload)
                if frame.opcode == .close { return }
            }
        })
    }

    @Test func `what is sent before it is open goes out in order, and what comes is given as it is asked for`() async {
        let chat = Client(configuration: .patient, connector: self.echo()).webSocketPublisher(
            from: testURL,
            options: .patient
        )
        let subscriber = MessageSubscriber(demand: .max(1))
        chat.subscribe(subscriber)
        #expect(chat.send("one"))
        #expect(chat.send(.text("two")))
        #expect(chat.send("three"))
        await subscriber.waitForValues(1)
        #expect(subscriber.values == [.text("one")])
        subscriber.request(.max(2))
        await subscriber.waitForValues(3)
        #expect(subscriber.values == [.text("one"), .text("two"), .text("three")])
        subscriber.cancel()
    }

    @Test(arguments: 1...3)
    func `no more messages are given than were asked for, though more have come`(count: Int) async throws {
        let connector = self.echo()
        let subscriber = MessageSubscriber()
        let chat = Client(configuration: .patient, connector: connector).webSocketPublisher(
            from: testURL,
            options: .patient
        )
        chat.subscribe(subscriber)
        for number in 1...4 { #expect(chat.send("\(number)")) }
        subscriber.request(last: .max(count))
        // Every object that could deliver another message keeps the connection alive.
        await subscriber.waitForValues(count)
        try await connector.waitForOpen(0)
        #expect(subscriber.values == (1...count).map { .text("\($0)") })
        #expect(subscriber.completions.isEmpty)
    }

    @Test func `nothing is opened before there is demand, and nothing is sent without a subscriber`() async {
        let connector = self.echo()
        let delegate = RecordingDelegate()
        let released = ReleasedObjects()
        let subscriber = MessageSubscriber()
        do {
            let client = Client(configuration: .patient, connector: connector)
            released.watch(client)
            let chat = client.webSocketPublisher(from: testURL, options: .patient, delegate: delegate)
            #expect(!chat.send("to nobody"))
            chat.subscribe(subscriber)
            subscriber.cancel()
            #expect(!chat.send("to nobody"))
        }
        // A handshake that has begun keeps the client alive until its delegate has been told about the end.
        await released.waitForAll()
        #expect(delegate.events.isEmpty)
        #expect(connector.attemptCount == 0)
    }

    @Test func `more than may wait is refused`() async {
        let chat = Client(configuration: .patient, connector: MemoryConnector(plan: .hang) { _ in .close })
            .webSocketPublisher(from: testURL, options: .patient)
        let subscriber = MessageSubscriber(demand: .max(1))
        chat.subscribe(subscriber)
        var takenCount = 0
        while takenCount < 1000, chat.send("again") { takenCount += 1 }
        #expect(takenCount == 256)
        subscriber.cancel()
    }

    @Test(arguments: [(1 << 20, 1), (1 << 19, 2), (3 << 20, 1), ((1 << 20) - 1, 1)])
    func `more bytes than may wait are refused, but one message is always taken`(byteCount: Int, expected: Int) async {
        let chat = Client(configuration: .patient, connector: MemoryConnector(plan: .hang) { _ in .close })
            .webSocketPublisher(from: testURL, options: .patient)
        let subscriber = MessageSubscriber(demand: .max(1))
        chat.subscribe(subscriber)
        var takenCount = 0
        while takenCount < 1000, chat.send(.binary(Data(count: byteCount))) { takenCount += 1 }
        #expect(takenCount == expected)
        subscriber.cancel()
    }

    @Test func `what was sent waits no more, so that more may be sent than may wait`() async throws {
        let chat = Client(configuration: .patient, connector: self.echo()).webSocketPublisher(
            from: testURL,
            options: .patient
        )
        let subscriber = MessageSubscriber(demand: .unlimited)
        chat.subscribe(subscriber)
        for number in 0..<600 {
            try await eventually("message \(number) is taken") { chat.send("\(number)") }
        }
        await subscriber.waitForValues(600)
        #expect(subscriber.values == (0..<600).map { .text("\($0)") })
        subscriber.cancel()
    }

    @Test func `nothing is sent on a WebSocket that the server has closed, though nobody has asked for its end`()
        async throws
    {
        let connector = MemoryConnector(connection: { connection in
            let socket = try await ServerWebSocket.accept(connection)
            try await socket.send(.text("only"))
            try await socket.sendClose(.normalClosure)
            _ = try await socket.receive()
        })
        let chat = Client(configuration: .patient, connector: connector).webSocketPublisher(
            from: testURL,
            options: .patient
        )
        let subscriber = MessageSubscriber(demand: .max(1))
        chat.subscribe(subscriber)
        await subscriber.waitForValues(1)
        try await connector.waitForOpen(0)
        #expect(!chat.send("too late"))
        #expect(subscriber.completions.isEmpty)
        subscriber.request(.max(1))
        await subscriber.waitForCompletion()
        #expect(subscriber.isFinished)
    }

    @Test func `closed before there was demand it finishes, and opens nothing`() async {
        let connector = self.echo()
        let chat = Client(configuration: .patient, connector: connector).webSocketPublisher(
            from: testURL,
            options: .patient
        )
        let subscriber = MessageSubscriber()
        chat.subscribe(subscriber)
        chat.close()
        #expect(!chat.send("too late"))
        subscriber.request(.max(1))
        await subscriber.waitForCompletion()
        #expect(subscriber.isFinished)
        #expect(connector.attemptCount == 0)
    }

    @Test func `closed before there was demand, what waits is sent first`() async {
        let received = Flag()
        let connector = MemoryConnector(connection: { connection in
            let socket = try await ServerWebSocket.accept(connection)
            while let frame = try await socket.receive() {
                if frame.payload == Array("first".utf8) { received.raise() }
                if frame.opcode == .close { return try await socket.send(.close, payload: frame.payload) }
            }
        })
        let chat = Client(configuration: .patient, connector: connector).webSocketPublisher(
            from: testURL,
            options: .patient
        )
        let subscriber = MessageSubscriber()
        chat.subscribe(subscriber)
        #expect(chat.send("first"))
        chat.close()
        subscriber.request(.max(1))
        await subscriber.waitForCompletion()
        #expect(subscriber.isFinished)
        await received.wait()
    }

    @Test func `closing comes after what was sent, and finishes`() async {
        let chat = Client(configuration: .patient, connector: self.echo()).webSocketPublisher(
            from: testURL,
            options: .patient
        )
        let subscriber = MessageSubscriber(onSubscription: { $0.request(.max(1)) }, onValue: { _, _ in .unlimited })
        chat.subscribe(subscriber)
        chat.send("last")
        await subscriber.waitForValues(1)
        chat.close()
        await subscriber.waitForCompletion()
        #expect(subscriber.values == [.text("last")])
        #expect(subscriber.isFinished)
        #expect(!chat.send("too late"))
    }

    @Test func `cancelling closes the connection`() async throws {
        let connector = self.echo()
        let chat = Client(configuration: .patient, connector: connector).webSocketPublisher(
            from: testURL,
            options: .patient
        )
        let subscriber = MessageSubscriber(demand: .unlimited)
        chat.subscribe(subscriber)
        chat.send("hello")
        await subscriber.waitForValues(1)
        subscriber.cancel()
        try await connector.waitForOpen(0)
        #expect(connector.openCount == 0)
        #expect(subscriber.completions.isEmpty)
    }

    @Test func `cancelling closes the connection, though the server never answers, and no time passes`() async throws {
        let closing = Flag()
        let clock = ManualClock()
        let connector = MemoryConnector(
            clock: clock,
            connection: { connection in
                let socket = try await ServerWebSocket.accept(connection)
                while let frame = try await socket.receive() {
                    if frame.opcode == .close {
                        if frame.payload == [3, 233] { closing.raise() }
                    } else {
                        try await socket.send(frame.opcode, payload: frame.payload)
                    }
                }
            }
        )
        for demand in [Subscribers.Demand.max(1), .unlimited] {
            let chat = Client(connector: connector, clock: clock).webSocketPublisher(from: testURL, options: .patient)
            let subscriber = MessageSubscriber(demand: demand)
            chat.subscribe(subscriber)
            chat.send("hello")
            await subscriber.waitForValues(1)
            subscriber.cancel()
            try await connector.waitForOpen(0)
            #expect(connector.openCount == 0)
        }
        try await connector.waitForServers()
        #expect(closing.count == 2)
    }

    @Test func `shared, a subscriber without demand misses messages, and a loop with a buffer does not`() async throws {
        let chat = Client(configuration: .patient, connector: self.echo()).webSocketPublisher(
            from: testURL,
            options: .patient
        )
        let shared = chat.share()
        let stream = shared.asyncStream(bufferingPolicy: .bufferingOldest(8))
        let subscriber = MessageSubscriber(demand: .max(1))
        shared.subscribe(subscriber)
        for text in ["one", "two", "three"] { #expect(chat.send(text)) }
        var iterator = stream.makeAsyncIterator()
        for text in ["one", "two", "three"] { #expect(try await iterator.next() == .text(text)) }
        // `share()` delivers a value to all subscribers with demand. This subscriber has no demand, and `share()` does
        // not wait for it.
        #expect(subscriber.values == [.text("one")])
        subscriber.cancel()
        stream.cancel()
    }

    @Test func `a handshake that is refused is a failure`() async {
        let client = Client(configuration: .patient, connector: MemoryConnector { _ in .response(.forbidden) })
        let subscriber = MessageSubscriber(demand: .max(1))
        client.webSocketPublisher(from: testURL, options: .patient).subscribe(subscriber)
        await subscriber.waitForCompletion()
        guard case .webSocketRefused? = subscriber.failure else {
            Issue.record("\(String(describing: subscriber.failure))")
            return
        }
    }

    @Test func `each subscriber has a WebSocket of its own, and hears what is sent`() async throws {
        let connector = self.echo()
        let chat = Client(configuration: .patient, connector: connector).webSocketPublisher(
            from: testURL,
            options: .patient
        )
        let subscribers = (0..<2).map { _ in MessageSubscriber(demand: .unlimited) }
        for subscriber in subscribers { chat.subscribe(subscriber) }
        chat.send("to both")
        for subscriber in subscribers { await subscriber.waitForValues(1) }
        #expect(connector.attemptCount == 2)
        for subscriber in subscribers { subscriber.cancel() }
        try await connector.waitForOpen(0)
    }
}
