// SPDX-License-Identifier: Apache-2.0
import ClientTestSupport
import Foundation
import Tern
import TestSupport
import Testing

@Suite("WebSocket: pings and silence", .hangLimit)
struct SilenceTests {
    static let short = Duration.milliseconds(150)

    @Test(arguments: WebSocketPeer.allCases)
    func `a ping is answered, also beside messages`(_ peer: WebSocketPeer) async throws {
        let socket = try await Client(configuration: .patient).webSocket(for: try await peer.server.get("/echo"))
        #expect(try await socket.ping() > .zero)
        try await withThrowingTaskGroup { group in
            for number in 0..<20 {
                group.addTask { _ = try await socket.ping() }
                group.addTask { try await socket.send("\(number)") }
            }
            try await group.waitForAll()
        }
    }

    @Test func `pings of the server are answered while nobody iterates`() async throws {
        let server = try await WebSocketPeer.websockets.server
        let socket = try await Client(configuration: .patient).webSocket(for: server.get("/ping?id=pings"))
        let report = try await server.report("pings")  // the server closes after it has received the pongs
        #expect(report.code == 1000)
        #expect(try await socket.rest() == [.text("pong")])
    }

    @Test func `a flood of pings does no harm`() async throws {
        let server = try await RawServer()
        let socket = try await Client(configuration: .patient).webSocket(
            for: server.get("/ws-pings").query("id", "flood-of-pings")
        )
        await socket.close()
        let told = try await server.closeCode("flood-of-pings")
        #expect(told == "1000")
        try await server.isLeft()
    }

    @Test func `a ping that is not answered ends, and the WebSocket goes on`() async throws {
        let server = try await RawServer()
        let options = WebSocketOptions.patient { ($0.pongTimeout, $0.closeTimeout) = (Self.short, .zero) }
        let socket = try await Client(configuration: .patient).webSocket(for: server.get("/ws-stall"), options: options)
        let fault = await fault { () async throws(ClientError) in try await socket.ping() }
        #expect(fault == .timedOut(.pong))
        #expect(try await socket.next() == .text("hello"))
        #expect(socket.outcome == nil)
    }

    @Test func `a server that has fallen silent is given up by keep-alive`() async throws {
        let server = try await RawServer()
        let options = WebSocketOptions.patient {
            $0.keepAlive = WebSocketKeepAlive(interval: Self.short, timeout: Self.short)
        }
        let socket = try await Client(configuration: .patient).webSocket(for: server.get("/ws-stall"), options: options)
        let fault = await fault { () async throws(ClientError) in try await socket.rest() }
        #expect(fault == .timedOut(.pong))
        try await server.isLeft()
        #expect(socket.outcome?.cause == .connectionFailed)
    }

    @Test func `a server that answers pings is not given up`() async throws {
        let server = try await RawServer()
        let options = WebSocketOptions.patient {
            $0.keepAlive = WebSocketKeepAlive(interval: .milliseconds(10), timeout: .patient)
        }
        let socket = try await Client(configuration: .patient).webSocket(for: server.get("/ws-echo"), options: options)
        let start = ContinuousClock.now
        let waiting = Task { try await socket.next() }
        while ContinuousClock.now < start + .milliseconds(300) { try await socket.ping() }
        try await socket.send("still here")
        #expect(try await waiting.value == .text("still here"))
    }

    @Test func `a server that takes nothing is given up by the limit for sending`() async throws {
        let server = try await RawServer()
        let options = WebSocketOptions.patient { $0.sendTimeout = Self.short }
        let request = server.get("/ws-never-reads").query("gate", "\(server.port)")
        let socket = try await Client(configuration: .patient).webSocket(for: request, options: options)
        let data = Data(count: 1 << 20)
        let fault = await fault { () async throws(ClientError) in
            for _ in 0..<100 { try await socket.send(.binary(data), compression: .never) }
        }
        #expect(fault == .timedOut(.idle))
        try await server.open(gate: "\(server.port)")
        try await server.isLeft()
    }

    @Test func `a send that waits for room can be cancelled`() async throws {
        let server = try await RawServer()
        let request = server.get("/ws-never-reads").query("gate", "\(server.port)")
        let socket = try await Client(configuration: .patient).webSocket(for: request)
        let sent = Flag()
        let task = Task {
            await ClientTestSupport.fault { () async throws(ClientError) in
                for _ in 0..<100 {
                    try await socket.send(.binary(Data(count: 1 << 20)), compression: .never)
                    sent.raise()
                }
            }
        }
        await sent.wait()
        task.cancel()
        #expect(await task.value == .cancelled)
        try await server.open(gate: "\(server.port)")
    }
}
