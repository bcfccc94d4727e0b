// SPDX-License-Identifier: Apache-2.0
import ClientTestSupport
import Tern
import TernErrors
import TernRequests
import TernTesting
import TernWebSocketCore
import TestSupport
import Testing

@Suite("WebSockets of an app that was suspended", .hangLimit)
struct SuspendedWebSocketTests {
    typealias Scene = SuspensionScene

    private static let request = Request(.get, "ws://test/")

    /// Reads messages, and notes them; returns the error that ended the loop, if there is one.
    private func read(
        _ scene: Scene,
        keepAlive: WebSocketKeepAlive? = nil,
        noting messages: Journal<String>
    ) -> Task<ClientError?, Never> {
        let options = WebSocketOptions(keepAlive: keepAlive)
        return Task {
            await failure { () async throws(ClientError) in
                for try await message in try await scene.client.webSocket(for: Self.request, options: options) {
                    if case .text(let text) = message { messages.note(text) }
                }
            }
        }
    }

    @Test(arguments: Scene.Awakening.allCases)
    func `the loop ends with an error if the connection ended`(awakening: Scene.Awakening) async throws {
        let scene = Scene { connection in
            try await ServerWebSocket.accept(connection).send(.text("hello"))
            await connection.waitForEnd()
        }
        let messages = Journal<String>()
        let reading = self.read(scene, noting: messages)
        #expect(await messages.wait(for: 1) == ["hello"])
        scene.suspend(awakening)
        #expect(await reading.value?.fault == .connectionLost(.reset))
        scene.passTimers(awakening)
        try await scene.connector.waitForOpen(0)
    }

    @Test(arguments: Scene.Awakening.allCases)
    func `a reconnecting WebSocket opens another`(awakening: Scene.Awakening) async throws {
        let scene = Scene { connection in
            try await ServerWebSocket.accept(connection).send(.text("\(connection.number)"))
            await connection.waitForEnd()
        }
        let events = Journal<String>()
        let following = Task {
            let policy = ReconnectionPolicy(initialDelay: .zero)
            let options = WebSocketOptions()  // no keep-alive, whose timer could come first
            let sequence = scene.client.reconnectingWebSocket(for: Self.request, options: options, policy: policy)
            for try await event in sequence {
                switch event {
                case .connected: events.note("connected")
                case .reconnected: events.note("reconnected")
                case .disconnected(let disconnection, _): events.note("\(disconnection.error?.fault ?? .unknown)")
                case .message(.text(let text)): events.note(text)
                case .message: events.note("binary")
                }
            }
        }
        #expect(await events.wait(for: 2) == ["connected", "1"])
        scene.suspend(awakening)
        let lost = "\(Fault.connectionLost(.reset))"
        #expect(await events.wait(for: 5) == ["connected", "1", lost, "reconnected", "2"])
        scene.passTimers(awakening)
        following.cancel()
        await #expect(throws: ClientError.self) { try await following.value }
    }

    // MARK: Keep-alive

    @Test func `if no end arrives, the keep-alive notices the loss after the sleep`() async throws {
        let pings = Journal<FrameOpcode>()
        let scene = Scene { connection in
            let socket = try await ServerWebSocket.accept(connection)
            try await socket.send(.text("hello"))
            while let frame = try await socket.receive() { pings.note(frame.opcode) }
        }
        let messages = Journal<String>()
        let reading = self.read(scene, keepAlive: WebSocketKeepAlive(), noting: messages)
        #expect(await messages.wait(for: 1) == ["hello"])
        scene.clock.sleep(for: Scene.pause)
        scene.clock.advance(by: .seconds(20))
        #expect(await pings.wait(for: 1) == [.ping])
        try await scene.clock.waitForScheduled(in: .seconds(20))
        scene.clock.advance(by: .seconds(20))
        #expect(await reading.value?.fault == .timedOut(.pong))
        try await scene.connector.waitForOpen(0)
    }

    @Test func `a WebSocket whose connection has lasted stays open`() async throws {
        let pings = Journal<FrameOpcode>()
        let mayAnswer = Flag()
        let scene = Scene { connection in
            let socket = try await ServerWebSocket.accept(connection)
            try await socket.send(.text("hello"))
            while let frame = try await socket.receive() {
                pings.note(frame.opcode)
                await mayAnswer.wait()
                if frame.opcode == .ping { try await socket.send(.pong, payload: frame.payload) }
                try await socket.send(.text("\(frame.opcode)"))
            }
        }
        let messages = Journal<String>()
        let reading = self.read(scene, keepAlive: WebSocketKeepAlive(), noting: messages)
        #expect(await messages.wait(for: 1) == ["hello"])
        scene.clock.sleep(for: Scene.pause)
        scene.clock.advance(by: .seconds(20))
        #expect(await pings.wait(for: 1) == [.ping])
        scene.clock.advance(by: .seconds(1))
        mayAnswer.raise()
        #expect(await messages.wait(for: 2) == ["hello", "\(FrameOpcode.ping)"])
        scene.clock.advance(by: .seconds(19))  // the time limit for the pong, which has arrived
        #expect(scene.connector.openCount == 1)
        reading.cancel()
        #expect(await reading.value?.isCancellation == true)
    }
}
