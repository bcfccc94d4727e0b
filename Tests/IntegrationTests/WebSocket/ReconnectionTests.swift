// SPDX-License-Identifier: Apache-2.0
import ClientTestSupport
import Foundation
import Tern
import TestSupport
import Testing

@Suite("WebSocket: opened again", .hangLimit)
struct ReconnectionTests {
    private static let soon = ReconnectionPolicy(
        initialDelay: .milliseconds(1),
        maximumDelay: .milliseconds(10),
        maximumAttemptCount: 100
    )

    @Test func `messages go on after the connection was lost, and nothing remains`() async throws {
        let server = try await RawServer()
        let events = Client(configuration: .patient).reconnectingWebSocket(
            for: server.get("/ws-half-close"),
            policy: Self.soon
        )
        var words: [String] = []
        for try await event in events {
            switch event {
            case .connected: words.append("connected")
            case .message(let message): words.append(message == .text("hello") ? "hello" : "?")
            case .disconnected(let disconnection, let attempt):
                #expect(disconnection.error?.fault == .connectionLost(.closed))
                words.append("disconnected \(attempt)")
            case .reconnected: words.append("reconnected")
            }
            if words.count == 8 { break }
        }
        #expect(
            words == [
                "connected", "hello", "disconnected 1", "reconnected", "hello", "disconnected 2", "reconnected",
                "hello",
            ]
        )
        try await server.isLeft()
    }

    @Test func `each connection is told what it is for`() async throws {
        let server = try await WebSocketPeer.ws.server
        let request = server.get("/terminate")
        let events = Client(configuration: .patient).reconnectingWebSocket(for: request, policy: Self.soon) {
            socket throws(ClientError) in
            try await socket.send("subscribe")
        }
        var connectionCount = 0
        for try await event in events {
            switch event {
            case .connected, .reconnected: connectionCount += 1
            case .message, .disconnected: break
            }
            if connectionCount == 3 { break }
        }
        #expect(connectionCount == 3)
    }

    @Test func `a server that is gone is tried as often as may be`() async throws {
        let port = try LoopbackPort()
        var policy = Self.soon
        policy.maximumAttemptCount = 3
        let request = Request(.get, "ws://127.0.0.1:\(port.number)/")
        var attempts: [Int] = []
        let fault = await fault { () async throws(ClientError) in
            var iterator = Client(configuration: .patient).reconnectingWebSocket(for: request, policy: policy)
                .makeAsyncIterator()
            while let event = try await iterator.next() {
                guard case .disconnected(let disconnection, let attempt) = event else { continue }
                if disconnection.retryDelay != nil { attempts.append(attempt) }
            }
        }
        #expect(fault == .connectionFailed(.refused))
        #expect(attempts == [1, 2, 3])
    }

    @Test func `a server that says good-bye is not asked again`() async throws {
        let server = try await WebSocketPeer.websockets.server
        var messageCount = 0
        for try await event in Client(configuration: .patient).reconnectingWebSocket(
            for: server.get("/flood?count=3"),
            policy: Self.soon
        ) {
            if case .message = event { messageCount += 1 }
            if case .reconnected = event { Issue.record("it was opened again") }
        }
        #expect(messageCount == 3)
    }

    @Test func `a task that is cancelled in a pause leaves nothing`() async throws {
        let server = try await RawServer()
        let policy = ReconnectionPolicy(initialDelay: .seconds(1000), maximumDelay: .seconds(1000))
        let events = Client(configuration: .patient).reconnectingWebSocket(
            for: server.get("/ws-half-close"),
            policy: policy
        )
        let disconnected = Signal()
        let task = Task {
            await ClientTestSupport.fault { () async throws(ClientError) in
                var iterator = events.makeAsyncIterator()
                while let event = try await iterator.next() {
                    if case .disconnected = event { disconnected.report() }
                }
            }
        }
        await disconnected.wait()
        task.cancel()
        #expect(await task.value == .cancelled)
        try await server.isLeft()
    }
}
