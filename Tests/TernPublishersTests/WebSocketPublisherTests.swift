// SPDX-License-Identifier: Apache-2.0
import TernPublishers
import TernTesting
import TestSupport
import Testing

#if canImport(FoundationEssentials)
import FoundationEssentials
#else
import Foundation
#endif

@Suite("Publishers of WebSockets", .timeLimit(.minutes(1)))
struct WebSocketPublisherTests {
    typealias MessageSubscriber = RecordingSubscriber<WebSocketMessage, ClientError>

    /// A connector whose server sends back what it gets, the close too.
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
        let chat = Client(connector: self.echo()).webSocketPublisher(from: testURL)
        let subscriber = MessageSubscriber(demand: .max(1))
        chat.subscribe(subscriber)
        #expect(chat.send("one"))
        #expect(chat.send(.text("two")))
        #expect(chat.send("three"))
        await subscriber.waitForValues(1)
        for _ in 0..<100 { await Task.yield() }
        #expect(subscriber.values == [.text("one")])
        subscriber.request(.max(2))
        await subscriber.waitForValues(3)
        #expect(subscriber.values == [.text("one"), .text("two"), .text("three")])
        subscriber.cancel()
    }

    @Test func `nothing is opened before there is demand, and nothing is sent without a subscriber`() async {
        let connector = self.echo()
        let chat = Client(connector: connector).webSocketPublisher(from: testURL)
        #expect(!chat.send("to nobody"))
        let subscriber = MessageSubscriber()
        chat.subscribe(subscriber)
        for _ in 0..<100 { await Task.yield() }
        #expect(connector.attemptCount == 0)
        subscriber.cancel()
        #expect(!chat.send("to nobody"))
    }

    @Test func `more than may wait is refused`() async {
        let chat = Client(connector: MemoryConnector(plan: .hang) { _ in .close }).webSocketPublisher(from: testURL)
        let subscriber = MessageSubscriber(demand: .max(1))
        chat.subscribe(subscriber)
        var takenCount = 0
        while takenCount < 1000, chat.send("again") { takenCount += 1 }
        #expect(takenCount == 256)
        subscriber.cancel()
    }

    @Test func `closing comes after what was sent, and finishes`() async {
        let chat = Client(connector: self.echo()).webSocketPublisher(from: testURL)
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

    @Test func `cancelling closes the connection`() async {
        let connector = self.echo()
        let chat = Client(connector: connector).webSocketPublisher(from: testURL)
        let subscriber = MessageSubscriber(demand: .unlimited)
        chat.subscribe(subscriber)
        chat.send("hello")
        await subscriber.waitForValues(1)
        subscriber.cancel()
        await connector.waitForOpen(0)
        #expect(connector.openCount == 0)
        #expect(subscriber.completions.isEmpty)
    }

    @Test func `a handshake that is refused is a failure`() async {
        let client = Client(connector: MemoryConnector { _ in .response(.forbidden) })
        let subscriber = MessageSubscriber(demand: .max(1))
        client.webSocketPublisher(from: testURL).subscribe(subscriber)
        await subscriber.waitForCompletion()
        guard case .webSocketRefused? = subscriber.failure else {
            Issue.record("\(String(describing: subscriber.failure))")
            return
        }
    }

    @Test func `each subscriber has a WebSocket of its own, and hears what is sent`() async {
        let connector = self.echo()
        let chat = Client(connector: connector).webSocketPublisher(from: testURL)
        let subscribers = (0..<2).map { _ in MessageSubscriber(demand: .unlimited) }
        for subscriber in subscribers { chat.subscribe(subscriber) }
        chat.send("to both")
        for subscriber in subscribers { await subscriber.waitForValues(1) }
        #expect(connector.attemptCount == 2)
        for subscriber in subscribers { subscriber.cancel() }
        await connector.waitForOpen(0)
    }
}
