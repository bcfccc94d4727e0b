// SPDX-License-Identifier: Apache-2.0
import ClientTestSupport
import Foundation
import Tern
import TestSupport
import Testing

@Suite("WebSocket: handshakes that fail", .hangLimit)
struct RefusalTests {
    @Test(arguments: [302, 401, 403, 404, 426, 503])
    func `any status but 101 is a refusal, and the answer is told`(_ status: Int) async throws {
        let server = try await WebSocketPeer.websockets.server
        let error = await failure { () async throws(ClientError) in
            try await Client(configuration: .patient).webSocket(
                for: server.get("/status?status=\(status)").redirects(.never)
            )
        }
        #expect(error?.fault == .webSocketRefused(.status(status)))
        #expect(error?.status?.code == status)
        #expect(error?.context.phase == .head)
        #expect(error?.context.response?.headerFields[.location] == "/echo")
        #expect(error?.context.response?.headerFields[.wwwAuthenticate] == #"Basic realm="birds""#)
    }

    @Test func `a web framework refuses in its own way`() async throws {
        let server = try await WebSocketPeer.aiohttp.server
        let client = Client(configuration: .patient)
        for (path, status) in [("/private", 401), ("/moved", 302), ("/page", 200), ("/nowhere", 404)] {
            let fault = await fault { () async throws(ClientError) in
                try await client.webSocket(for: server.get(path).redirects(.never))
            }
            #expect(fault == .webSocketRefused(.status(status)))
        }
        let request = server.get("/private").header("Authorization", "Bearer open sesame")
        let socket = try await client.webSocket(for: request)
        #expect(try await socket.echo(.text("hi")) == .text("hi"))
    }

    @Test func `an answer of another protocol leaves the connection to others, or nobody`() async throws {
        let server = try await RawServer()
        let client = Client(configuration: .patient)
        let fault = await fault { () async throws(ClientError) in
            try await client.webSocket(for: server.get("/ws-handshake-200"))
        }
        #expect(fault == .webSocketRefused(.status(200)))
        let (data, _) = try await client.data(for: server.get("/fine"))
        #expect(data == Data("fine".utf8))
        // If no call uses the connection again, the client closes it in the background.
        try await eventually("at most one connection is left") { server.connectionCount <= 1 }
    }

    @Test(
        arguments: [
            ("/ws-handshake-close", Fault.connectionLost(.closed)),
            ("/ws-handshake-reset", .connectionLost(.reset)),
            ("/ws-handshake-stall", .timedOut(.firstByte)),
            ("/ws-handshake-stall-within", .timedOut(.firstByte)),
        ]
    )
    func `a handshake that comes to nothing is an error as of any call`(_ path: String, _ expected: Fault) async throws
    {
        let server = try await RawServer()
        let isStalling = expected == .timedOut(.firstByte)
        let request = server.get(path).timeouts(Timeouts.patient(firstByte: isStalling ? .milliseconds(200) : .patient))
        let client = Client(configuration: .patient)
        let fault = await fault { () async throws(ClientError) in try await client.webSocket(for: request) }
        #expect(fault == expected)
        try await server.isLeft()
    }

    @Test func `frames without a handshake are not HTTP`() async throws {
        let server = try await RawServer()
        let client = Client(configuration: .patient)
        let error = await failure { () async throws(ClientError) in
            try await client.webSocket(for: server.get("/ws-handshake-no-http"))
        }
        guard case .protocolViolation? = error?.fault else {
            Issue.record("\(String(describing: error))")
            return
        }
        try await server.isLeft()
    }

    @Test(arguments: ["/ws-handshake-stall", "/ws-handshake-stall-within"])
    func `a handshake can be cancelled`(_ path: String) async throws {
        let server = try await RawServer()
        let client = Client(configuration: .patient)
        let task = Task {
            await fault { () async throws(ClientError) in try await client.webSocket(for: server.get(path)) }
        }
        try await eventually("connected") { server.connectionCount == 1 }
        task.cancel()
        #expect(await task.value == .cancelled)
        try await server.isLeft()
    }

    /// The limit of a whole call applies only to the handshake, because a WebSocket may stay open for days.
    @Test func `no limit of the handshake holds for the WebSocket`() async throws {
        let server = try await RawServer()
        var limit = Duration.milliseconds(100)
        var socket: WebSocket?
        while socket == nil {
            let request = server.get("/ws-echo").timeouts(Timeouts.patient(firstByte: limit, idle: limit, call: limit))
            do throws(ClientError) {
                socket = try await Client(configuration: .patient).webSocket(for: request)
            } catch {
                guard error.isTimeout else { throw error }
                limit *= 2  // the machine is busy
            }
        }
        let start = ContinuousClock.now
        while ContinuousClock.now < start + limit * 2 { try await socket?.ping() }
        #expect(try await socket?.echo(.text("still here")) == .text("still here"))
    }

    @Test func `nobody listens`() async throws {
        let port = try LoopbackPort()
        let fault = await fault { () async throws(ClientError) in
            try await Client(configuration: .patient).webSocket(for: Request(.get, "ws://127.0.0.1:\(port.number)/"))
        }
        #expect(fault == .connectionFailed(.refused))
    }
}
