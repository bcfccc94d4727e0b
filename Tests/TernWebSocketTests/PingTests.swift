// SPDX-License-Identifier: Apache-2.0
import ClientTestSupport
import TernConnections
import TernErrors
import TernTesting
@testable import TernWebSocket
import TernWebSocketCore
import TestSupport
import Testing

@Suite("Pings", .hangLimit)
struct PingTests {
    @Test func `are answered with the same bytes though nobody iterates`() async throws {
        let answers = Journal<ServerWebSocket.Frame>()
        let scene = Scene { server in
            for number in 0..<3 { try await server.send(.ping, payload: [UInt8(number), 1]) }
            while let frame = try await server.receive() { answers.note(frame) }
        }
        let socket = try await scene.open()
        let frames = await answers.wait(for: 3)
        #expect(frames.map(\.opcode) == [.pong, .pong, .pong])
        #expect(frames.map(\.payload) == [[0, 1], [1, 1], [2, 1]])
        withExtendedLifetime(socket) {}
    }

    @Test func `a flood from a server that reads nothing fills no memory, and the last is answered in the end`()
        async throws
    {
        let mayRead = Flag()
        let answers = Journal<ServerWebSocket.Frame>()
        let count = 20_000  // more than the window of a stream of HTTP/2 has room for
        let scene = Scene(capacity: 1024) { server in
            for number in 0..<count {
                try await server.send(.ping, payload: [UInt8(number >> 8), UInt8(number & 255)])
            }
            mayRead.raise()
            while let frame = try await server.receive() { answers.note(frame) }
        }
        let socket = try await scene.open()
        await mayRead.wait()
        let last = [UInt8((count - 1) >> 8), UInt8((count - 1) & 255)]
        try await eventually("the last ping is answered") { answers.all.last?.payload == last }
        #expect(answers.all.count < count)
        withExtendedLifetime(socket) {}
    }

    @Test func `ping gives the time to the pong`() async throws {
        let pings = Journal<ServerWebSocket.Frame>()
        let mayAnswer = Flag()
        let scene = Scene { server in
            while let frame = try await server.receive() {
                pings.note(frame)
                guard frame.opcode == .ping else { continue }
                await mayAnswer.wait()
                try await server.send(.pong, payload: [9])  // an unsolicited pong changes nothing
                try await server.send(.pong, payload: frame.payload)
            }
        }
        let socket = try await scene.open()
        let ping = Task { try await socket.ping() }
        _ = await pings.wait(for: 1)
        try await scene.clock.waitForScheduled(in: .seconds(20))
        scene.clock.advance(by: .milliseconds(30))
        mayAnswer.raise()
        #expect(try await ping.value == .milliseconds(30))
        #expect(scene.clock.scheduledCount == 0)
    }

    @Test func `a pong answers the pings before it, too`() async throws {
        let scene = Scene { server in
            var frames: [ServerWebSocket.Frame] = []
            while let frame = try await server.receive() {
                frames.append(frame)
                if frames.count == 3 { try await server.send(.pong, payload: frame.payload) }
            }
        }
        let socket = try await scene.open()
        let pings = (0..<3).map { _ in Task { try await socket.ping() } }
        for ping in pings { #expect(try await ping.value == .zero) }
    }

    @Test func `a pong that does not come in time is an error, and the socket stays open`() async throws {
        let scene = Scene { server in
            while let frame = try await server.receive() {
                if frame.opcode == .text { try await server.send(.text, payload: frame.payload) }
            }
        }
        let socket = try await scene.open()
        let ping = Task { try await socket.ping() }
        try await scene.clock.waitForScheduled(in: .seconds(20))
        scene.clock.advance(by: .seconds(20))
        do {
            _ = try await ping.value
            Issue.record("no error")
        } catch let error as ClientError {
            guard case .timedOut(.pong, limit: .seconds(20), _) = error else {
                Issue.record("\(error)")
                return
            }
        }
        try await socket.send("x")
        var iterator = socket.makeAsyncIterator()
        #expect(try await iterator.next() == .text("x"))
    }

    @Test func `ping ends with its task and with the socket`() async throws {
        let scene = Scene { server in while try await server.receive() != nil {} }
        let socket = try await scene.open()
        let cancelled = Task { try await socket.ping() }
        try await scene.clock.waitForScheduled(in: .seconds(20))
        cancelled.cancel()
        await #expect(throws: ClientError.self) { try await cancelled.value }
        #expect(scene.clock.scheduledCount == 0)
        let closed = Task { try await socket.ping() }
        try await scene.clock.waitForScheduled(in: .seconds(20))
        socket.cancel()
        await #expect(throws: ClientError.self) { try await closed.value }
        await #expect(throws: ClientError.self) { try await socket.ping() }
    }
}

@Suite("Keep-alive", .hangLimit)
struct KeepAliveTests {
    private static let options = WebSocketOptions(
        keepAlive: WebSocketKeepAlive(interval: .seconds(10), timeout: .seconds(4))
    )

    @Test func `a server that answers nothing is given up`() async throws {
        let pings = Journal<ServerWebSocket.Frame>()
        let scene = Scene(options: Self.options) { server in
            while let frame = try await server.receive() { pings.note(frame) }
        }
        let socket = try await scene.open()
        scene.clock.advance(by: .seconds(10))
        #expect(await pings.wait(for: 1).map(\.opcode) == [.ping])
        try await scene.clock.waitForScheduled(in: .seconds(4))
        scene.clock.advance(by: .seconds(4))
        guard case .timedOut(.pong, limit: .seconds(4), _)? = await socket.collect().error else {
            Issue.record("no error")
            return
        }
        try await scene.connector.waitForOpen(0)
    }

    @Test func `a server that answers is asked again and again`() async throws {
        let pings = Journal<ServerWebSocket.Frame>()
        let mayAnswer = Observed(0)
        let scene = Scene(options: Self.options) { server in
            for number in 1... {
                guard let frame = try await server.receive() else { return }
                pings.note(frame)
                await mayAnswer.wait { $0 >= number }
                try await server.send(.pong, payload: frame.payload)
            }
        }
        let socket = try await scene.open()
        var pause = Duration.seconds(10)
        for round in 1...5 {
            try await scene.clock.waitForScheduled(in: pause)
            scene.clock.advance(by: pause)
            #expect(await pings.wait(for: 2 * round - 1).count == 2 * round - 1)
            scene.clock.advance(by: .seconds(1))
            mayAnswer.update { $0 = 2 * round }
            // The pong must arrive before the clock advances. The answer to this ping comes after it, so it shows that
            // the pong has arrived.
            try await socket.ping()
            // After the time limit for the pong, the next check is 10 seconds after the pong arrived.
            scene.clock.advance(by: .seconds(3))
            pause = .seconds(7)
        }
        #expect(pings.all.map(\.opcode) == Array(repeating: .ping, count: 10))
        #expect(socket.outcome == nil)
    }

    @Test(arguments: [Duration.seconds(-1), .zero])
    func `an interval of no time is one of 10 milliseconds`(interval: Duration) {
        #expect(WebSocketKeepAlive(interval: interval).interval == .milliseconds(10))
    }

    @Test func `a server that sends a long frame slowly is alive`() async throws {
        let sent = Journal<Int>()
        let mayGoOn = Observed(0)
        let scene = Scene(options: Self.options) { server in
            try await server.connection.write([0x82, 127, 0, 0, 0, 0, 0, 2, 0, 0])
            for number in 1...20 {
                await mayGoOn.wait { $0 >= number }
                try await server.connection.write([UInt8](repeating: 0, count: 100))
                sent.note(number)
            }
            await server.connection.waitForEnd()
        }
        let socket = try await scene.open()
        for number in 1...20 {
            scene.clock.advance(by: .seconds(3))
            mayGoOn.update { $0 = number }
            _ = await sent.wait(for: number)
            let now = scene.clock.now
            try await eventually("piece \(number) has arrived") { socket.lastReceivedForTests == now }
        }
        #expect(socket.outcome == nil)
        #expect(scene.connector.openCount == 1)
    }
}
