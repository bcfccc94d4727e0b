// SPDX-License-Identifier: Apache-2.0
import ClientTestSupport
import TernFoundation
import TernPublishers
import TernTesting
import TestSupport
import Testing

/// Tests which objects a subscription keeps alive, for all publishers except data publishers.
///
/// See also `ReleaseTests`.
@Suite("What a subscription of any kind holds", .hangLimit)
struct ReleaseOfAllKindsTests {
    /// The way in which a subscription ends.
    ///
    /// The server answers, except for `.duringCall`.
    enum End: CaseIterable {
        case completion, cancellation, duringCall
    }

    private func isReleased<Output: Sendable>(
        _ end: End,
        by publisher: (Client, any TaskDelegate) -> some Publisher<Output, ClientError>,
        discard: @escaping @Sendable (Output) -> Void = { _ in }
    ) async throws -> Bool {
        let server = ScriptedServer { _ in end == .duringCall ? halfResponse : .response(body: "one\ntwo") }
        let connector = MemoryConnector(server)
        let released = ReleasedObjects()
        try await self.play(end, connector, server, released, by: publisher, discard)
        await released.waitForAll()
        return released.areAll
    }

    private func play<Output: Sendable>(
        _ end: End,
        _ connector: MemoryConnector,
        _ server: ScriptedServer,
        _ released: ReleasedObjects,
        by publisher: (Client, any TaskDelegate) -> some Publisher<Output, ClientError>,
        _ discard: @escaping @Sendable (Output) -> Void
    ) async throws {
        let client = Client(configuration: .patient, connector: connector)
        let delegate = RecordingDelegate()
        let subscriber = RecordingSubscriber<Output, ClientError>(
            onSubscription: { $0.request(.max(1)) },
            onValue: { value, _ in
                discard(value)
                return end == .completion ? .max(1) : .none
            }
        )
        released.watch(client, delegate, subscriber)
        publisher(client, delegate).subscribe(subscriber)
        switch end {
        case .completion:
            await subscriber.waitForCompletion()
        case .cancellation:
            await subscriber.waitForValues(1)
            subscriber.cancel()
        case .duringCall:
            try await server.waitForRequests(1)
            subscriber.cancel()
        }
    }

    @Test(arguments: End.allCases)
    func `a download holds nothing after the end`(end: End) async throws {
        #expect(
            try await self.isReleased(end) {
                $0.downloadPublisher(from: testURL, delegate: $1)
            } discard: {
                try? FileManager.default.removeItem(at: $0.url)
            }
        )
    }

    @Test(arguments: End.allCases)
    func `a call with progress holds nothing after the end`(end: End) async throws {
        #expect(try await self.isReleased(end, by: { $0.dataPublisher(from: testURL, delegate: $1).withProgress() }))
    }

    @Test(arguments: End.allCases)
    func `lines and pieces hold nothing after the end`(end: End) async throws {
        #expect(try await self.isReleased(end, by: { $0.linesPublisher(from: testURL, delegate: $1) }))
        #expect(try await self.isReleased(end, by: { $0.bytesPublisher(from: testURL, delegate: $1) }))
    }

    @Test(arguments: [true, false])
    func `a WebSocket holds nothing after the end`(isCancelled: Bool) async throws {
        let connector = MemoryConnector(connection: { connection in
            let socket = try await ServerWebSocket.accept(connection)
            while let frame = try await socket.receive() {
                try await socket.send(frame.opcode, payload: frame.payload)
                if frame.opcode == .close { return }
            }
        })
        let released = ReleasedObjects()
        await self.chat(isCancelled, connector, released)
        await released.waitForAll()
        try await connector.waitForOpen(0)
    }

    private func chat(_ isCancelled: Bool, _ connector: MemoryConnector, _ released: ReleasedObjects) async {
        let client = Client(configuration: .patient, connector: connector)
        let delegate = RecordingDelegate()
        let subscriber = RecordingSubscriber<WebSocketMessage, ClientError>(demand: .unlimited)
        let chat = client.webSocketPublisher(from: testURL, options: .patient, delegate: delegate)
        released.watch(client, delegate, subscriber, chat)
        chat.subscribe(subscriber)
        chat.send("hello")
        await subscriber.waitForValues(1)
        if isCancelled {
            subscriber.cancel()
        } else {
            chat.close()
            await subscriber.waitForCompletion()
        }
    }
}
