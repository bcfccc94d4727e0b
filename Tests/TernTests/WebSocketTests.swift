// SPDX-License-Identifier: Apache-2.0
import ClientTestSupport
import Tern
import TernFoundation
import TernTesting
import TernWebSocketCore
import TestSupport
import Testing

@Suite("Client.webSocket", .hangLimit)
struct WebSocketTests {
    /// Returns a client whose servers accept handshakes and echo messages.
    private static func scene(
        fields: HTTPFields = [:],
        requests: @escaping @Sendable (ReceivedRequest) -> Void = { _ in }
    ) -> (client: Client, connector: MemoryConnector) {
        let connector = MemoryConnector.tested(connection: { connection in
            let server = try await ServerWebSocket.accept(connection, fields: fields)
            if let request = server.request { requests(request) }
            while let frame = try await server.receive() {
                try await server.send(frame.opcode, payload: frame.payload)
                if frame.opcode == .close { return }
            }
        })
        return (Client(configuration: .patient.tested, connector: connector), connector)
    }

    private static func refusal(_ answer: String) async -> ClientError? {
        let connector = MemoryConnector.tested(connection: { connection in
            guard let request = try await connection.readHead() else { return }
            let key = request.fields[.secWebSocketKey] ?? ""
            let accept = ClientHandshake.accept(for: key)
            try await connection.write(answer.split(separator: "ACCEPT").joined(separator: accept))
            await connection.waitForEnd()
        })
        do throws(ClientError) {
            let client = Client(configuration: .patient.tested, connector: connector)
            _ = try await client.webSocket(for: Request(.get, "ws://test/"))
            return nil
        } catch {
            return error
        }
    }

    @Test(arguments: ["ws://test/chat?x=1", "http://test/chat?x=1", "WS://test/chat?x=1"])
    func `the handshake is a request like any other, with a few fields more`(text: String) async throws {
        let requests = Observed<[ReceivedRequest]>([])
        let (client, connector) = Self.scene { request in requests.update { $0.append(request) } }
        let request = Request(.get, text).header(.origin, "https://example.com").header(.upgrade, "h2c")
        let socket = try await client.webSocket(
            for: request,
            options: WebSocketOptions(compression: .disabled)
        )
        try await socket.send("hello")
        for try await message in socket {
            #expect(message == .text("hello"))
            await socket.close()
        }
        let received = try #require(requests.value.first)
        #expect(received.target == "/chat?x=1")
        #expect(received.fields[values: .upgrade] == ["websocket"])
        #expect(received.fields[.connection] == "Upgrade")
        #expect(received.fields[.secWebSocketVersion] == "13")
        #expect(received.fields[.secWebSocketKey].flatMap { Data(base64Encoded: $0) }?.count == 16)
        #expect(received.fields[.secWebSocketExtensions] == nil)
        #expect(received.fields[.origin] == "https://example.com")
        #expect(received.fields[.userAgent]?.hasPrefix("tern/") == true)
        if !TestedVersion.isHTTP2 { try await connector.waitForOpen(0) }  // HTTP/2 ends only the stream
    }

    @Test func `what was negotiated can be asked for`() async throws {
        let fields: HTTPFields = [
            .secWebSocketProtocol: "chat", .secWebSocketExtensions: "permessage-deflate; server_max_window_bits=12",
        ]
        let (client, _) = Self.scene(fields: fields)
        let socket = try await client.webSocket(
            for: Request(.get, "wss://test/"),
            options: WebSocketOptions(subprotocols: ["other", "chat"])
        )
        #expect(socket.subprotocol == "chat")
        #expect(socket.compression?.serverWindowBits == 12)
    }

    @Test func `the server may choose no subprotocol`() async throws {
        let (client, _) = Self.scene()
        let options = WebSocketOptions(subprotocols: ["other", "chat"])
        let socket = try await client.webSocket(for: Request(.get, "wss://test/"), options: options)
        #expect(socket.subprotocol == nil)
    }

    @Test(arguments: ["v9", "CHAT", "chat, other"])
    func `a subprotocol that was not offered is refused`(chosen: String) async throws {
        let (client, _) = Self.scene(fields: [.secWebSocketProtocol: chosen])
        let options = WebSocketOptions(subprotocols: ["other", "chat"])
        let error = await failure { () async throws(ClientError) in
            try await client.webSocket(for: Request(.get, "wss://test/"), options: options)
        }
        guard case .webSocketRefused(let refusal, _)? = error, case .handshake(let section, _) = refusal.reason else {
            Issue.record("\(String(describing: error))")
            return
        }
        #expect(section == "RFC 6455 §4.1")
    }

    @Test func `a WebSocket takes no place of the pool`() async throws {
        var configuration = Client.Configuration.patient
        configuration.pool.maximumConnectionsPerHost = 1
        let (_, connector) = Self.scene()
        let client = Client(configuration: configuration.tested, connector: connector)
        let first = try await client.webSocket(for: Request(.get, "ws://test/"))
        let second = try await client.webSocket(for: Request(.get, "ws://test/"))
        // Over HTTP/2, both are streams of one connection.
        #expect(connector.openCount == (TestedVersion.isHTTP2 ? 1 : 2))
        withExtendedLifetime((first, second)) {}
    }

    @Test func `a client that is released leaves its WebSockets open`() async throws {
        let (_, connector) = Self.scene()
        let socket = try await Client(configuration: .patient.tested, connector: connector).webSocket(
            for: Request(.get, "ws://test/")
        )
        try await socket.send("x")
        var iterator = socket.makeAsyncIterator()
        #expect(try await iterator.next() == .text("x"))
    }

    @Test func `an answer that is none of a WebSocket is an error that holds it`() async throws {
        let error = await Self.refusal("HTTP/1.1 403 No\r\nX-Why: because\r\nContent-Length: 3\r\n\r\nno!")
        guard case .webSocketRefused(let refusal, let context)? = error else {
            Issue.record("\(String(describing: error))")
            return
        }
        #expect(refusal == WebSocketFailure(.status(403), body: Data("no!".utf8), isBodyComplete: true))
        #expect(context.response?.status.code == 403)
        #expect(context.response?.headerFields[HTTPField.Name("X-Why") ?? .accept] == "because")
    }

    @Test(.http1Only("a 200 refuses an Upgrade"))
    func `what a refusal says of the problem can be read, as far as it is kept`() async {
        let json = #"{"title":"Room is full","status":403}"#
        let head =
            "HTTP/1.1 403 No\r\nContent-Type: application/problem+json\r\nContent-Length: \(json.utf8.count)\r\n\r\n"
        let error = await Self.refusal(head + json)
        #expect(error?.problemDetails?.title == "Room is full")
        #expect(error?.decoded(as: [String: String].self) == nil)
        let long = await Self.refusal(
            "HTTP/1.1 200 OK\r\nContent-Type: text/html\r\nContent-Length: 200000\r\n\r\n"
                + String(repeating: "x", count: 200_000)
        )
        guard case .webSocketRefused(let refusal, _)? = long else {
            Issue.record("\(String(describing: long))")
            return
        }
        #expect(refusal.reason == .status(200))
        #expect(refusal.body.count == 64 << 10)
        #expect(!refusal.isBodyComplete)
        #expect(long?.problemDetails == nil)
    }

    /// Over HTTP/2, each status of success opens a WebSocket (RFC 8441 §5).
    @Test(arguments: TestedVersion.isHTTP2 ? [302, 404, 501] : [200, 302, 404, 501])
    func `a server that opens no WebSocket is not asked again`(_ status: Int) async throws {
        let scene = ClientScene { _ in .response(HTTPResponse.Status(code: status)) }
        var faults: [Fault?] = []
        do throws(ClientError) {
            for try await event in scene.client.reconnectingWebSocket(from: testURL) {
                guard case .disconnected(let disconnection, _) = event else { continue }
                faults.append(disconnection.error?.fault)
            }
        } catch {
            faults.append(error.fault)
        }
        #expect(faults == [.webSocketRefused(.status(status)), .webSocketRefused(.status(status))])
        #expect(scene.server.requests.count == 1)
    }

    @Test(arguments: [429, 503])
    func `the next opening waits for Retry-After and the random pause`(_ status: Int) async throws {
        let scene = ClientScene { _ in .response(HTTPResponse.Status(code: status), fields: [.retryAfter: "7"]) }
        let delays = Journal<Duration>()
        let following = Task {
            for try await event in scene.client.reconnectingWebSocket(from: testURL) {
                if case .disconnected(let disconnection, _) = event { delays.note(disconnection.retryDelay ?? .zero) }
            }
        }
        let delay = try #require(await delays.wait(for: 1).first)
        #expect(delay > .seconds(7) && delay <= .seconds(8))
        try await scene.clock.waitForScheduled(in: delay)
        scene.clock.advance(by: .seconds(7))
        #expect(scene.server.requests.count == 1)
        scene.clock.advance(by: .seconds(1))
        #expect(await delays.wait(for: 2).count == 2)
        #expect(scene.server.requests.count == 2)
        following.cancel()
        await #expect(throws: ClientError.self) { try await following.value }
    }

    static let wrong: [String] = [
        "Upgrade: websocket\r\nConnection: Upgrade\r\nSec-WebSocket-Accept: AAAAAAAAAAAAAAAAAAAAAAAAAAA=",
        "Upgrade: websocket\r\nConnection: Upgrade",
        "Upgrade: h2c\r\nConnection: Upgrade\r\nSec-WebSocket-Accept: ACCEPT",
        "Connection: Upgrade\r\nSec-WebSocket-Accept: ACCEPT",
        "Upgrade: websocket\r\nSec-WebSocket-Accept: ACCEPT",
        "Upgrade: websocket\r\nConnection: Upgrade\r\nSec-WebSocket-Accept: ACCEPT\r\nSec-WebSocket-Protocol: x",
        "Upgrade: websocket\r\nConnection: Upgrade\r\nSec-WebSocket-Accept: ACCEPT\r\nSec-WebSocket-Extensions: x",
    ]

    @Test(.http1Only("breaks rules of the handshake of HTTP/1.1"), arguments: wrong)
    func `a 101 that breaks a rule is refused`(fields: String) async throws {
        let error = await Self.refusal("HTTP/1.1 101 Switching Protocols\r\n\(fields)\r\n\r\n")
        guard case .webSocketRefused(let refusal, _)? = error, case .handshake(let section, _) = refusal.reason else {
            Issue.record("\(String(describing: error))")
            return
        }
        #expect(section.hasPrefix("RFC 6455"))
    }

    @Test(.http1Only("HTTP/2 has no key"), arguments: ["ws://other/", "http://other/", "/moved"])
    func `a redirect gets a new key`(location: String) async throws {
        let keys = Observed<[String]>([])
        let connector = MemoryConnector.tested(connection: { connection in
            guard let request = try await connection.readHead() else { return }
            let key = request.fields[.secWebSocketKey] ?? ""
            let count = keys.update { keys in
                keys.append(key)
                return keys.count
            }
            guard count == 2 else {
                let fields = "Location: \(location)\r\nContent-Length: 0\r\nConnection: close"
                return try await connection.write("HTTP/1.1 302 Found\r\n\(fields)\r\n\r\n")
            }
            let fields = "Upgrade: websocket\r\nConnection: upgrade"
            let accept = ClientHandshake.accept(for: key)
            try await connection.write("HTTP/1.1 101 x\r\n\(fields)\r\nSec-WebSocket-Accept: \(accept)\r\n\r\n")
            await connection.waitForEnd()
        })
        let client = Client(configuration: .patient.tested, connector: connector)
        _ = try await client.webSocket(for: Request(.get, "ws://test/"))
        #expect(keys.value.count == 2)
        #expect(Set(keys.value).count == 2)
        #expect(keys.value.allSatisfy { $0.utf8.count == 24 })
    }

    @Test(
        .http1Only("breaks rules of the handshake of HTTP/1.1"),
        arguments: ["Content-Length: 0", "Content-Length: x", "Transfer-Encoding: chunked", "Transfer-Encoding: gzip"]
    )
    func `a 101 with framing ends with its head`(field: String) async throws {
        let connector = MemoryConnector.tested(connection: { connection in
            guard let request = try await connection.readHead() else { return }
            let accept = ClientHandshake.accept(for: request.fields[.secWebSocketKey] ?? "")
            let fields = "Upgrade: websocket\r\nConnection: upgrade\r\nSec-WebSocket-Accept: \(accept)\r\n\(field)"
            try await connection.write("HTTP/1.1 101 x\r\n\(fields)\r\n\r\n")
            try await connection.write([UInt8]([0x81, 2]) + Array("hi".utf8))
            await connection.waitForEnd()
        })
        let client = Client(configuration: .patient.tested, connector: connector)
        let socket = try await client.webSocket(for: Request(.get, "ws://test/"))
        for try await message in socket {
            #expect(message == .text("hi"))
            break
        }
    }

    @Test(.http1Only("breaks rules of the handshake of HTTP/1.1"))
    func `a 101 of another version opens no WebSocket`() async throws {
        let connector = MemoryConnector.tested(connection: { connection in
            guard let request = try await connection.readHead() else { return }
            let accept = ClientHandshake.accept(for: request.fields[.secWebSocketKey] ?? "")
            let fields = "Upgrade: websocket\r\nConnection: upgrade\r\nSec-WebSocket-Accept: \(accept)\r\n"
            try await connection.write("HTTP/1.0 101 x\r\n\(fields)\r\n")
            await connection.waitForEnd()
        })
        let client = Client(configuration: .patient.tested, connector: connector)
        let error = await #expect(throws: ClientError.self) {
            try await client.webSocket(for: Request(.get, "ws://test/"))
        }
        guard case .protocolViolation? = error else {
            Issue.record("\(String(describing: error))")
            return
        }
        #expect(connector.openCount == 0)
    }

    @Test func `what cannot be asked for is refused before anything is sent`() async throws {
        let (client, connector) = Self.scene()
        let requests: [(Request, WebSocketOptions)] = [
            (Request(.post, "ws://test/"), WebSocketOptions()),
            (Request(.get, "ws://test/").body(.data(Data([1]))), WebSocketOptions()),
            (Request(.get, "ws://test/"), WebSocketOptions(subprotocols: ["not a token"])),
            (Request(.get, "ws://test/"), WebSocketOptions(subprotocols: ["a", "a"])),
            (
                Request(.get, "ws://test/"),
                WebSocketOptions(compression: WebSocketCompression(level: 12))
            ),
            (Request(.get, "ftp://test/"), WebSocketOptions()),
            (Request(.get, "ws:///"), WebSocketOptions()),
            (Request(.get, "wss://test/users").path(".."), WebSocketOptions()),
        ]
        for (request, options) in requests {
            let error = await #expect(throws: ClientError.self) {
                try await client.webSocket(for: request, options: options)
            }
            guard case .invalidRequest? = error else {
                Issue.record("\(String(describing: error))")
                continue
            }
        }
        #expect(connector.attemptCount == 0)
    }

    @Test func `messages that come with the answer are not lost`() async throws {
        let connector = MemoryConnector.tested(connection: { connection in
            guard let request = try await connection.readHead() else { return }
            let accept = ClientHandshake.accept(for: request.fields[.secWebSocketKey] ?? "")
            let head = "HTTP/1.1 101 x\r\nUpgrade: websocket\r\nConnection: upgrade\r\nSec-WebSocket-Accept: \(accept)"
            try await connection.write(Array("\(head)\r\n\r\n".utf8) + [0x81, 2, 0x68, 0x69, 0x88, 0])
            await connection.waitForEnd()
        })
        let socket = try await Client(configuration: .patient.tested, connector: connector).webSocket(
            for: Request(.get, "ws://test/")
        )
        var messages: [WebSocketMessage] = []
        for try await message in socket { messages.append(message) }
        #expect(messages == [.text("hi")])
        #expect(socket.closeCode == .noStatusReceived)
    }

    @Test func `a transport that cannot hand connections over says so`() async throws {
        let step = ScriptedTransport.Step { call async throws(ClientError) in
            let accept = ClientHandshake.accept(for: call.request.fields[.secWebSocketKey] ?? "")
            let fields: HTTPFields = [.upgrade: "websocket", .connection: "Upgrade", .secWebSocketAccept: accept]
            return HTTPReply(response: Response(url: call.request.url, status: .switchingProtocols, fields: fields))
        }
        let client = Client(transport: ScriptedTransport(step))
        let error = await #expect(throws: ClientError.self) {
            try await client.webSocket(for: Request(.get, "ws://test/"))
        }
        guard error?.fault == .webSocketRefused(.notSupported) else {
            Issue.record("\(String(describing: error))")
            return
        }
    }

    @Test func `interceptors see the handshake and its answer`() async throws {
        struct Seen: Interceptor {
            let statuses: Observed<[Int]>

            func respond(to call: HTTPCall, next: NextStages) async throws(ClientError) -> HTTPReply {
                let reply = try await next.respond(to: call)
                self.statuses.update { $0.append(reply.response.statusCode) }
                return reply
            }
        }
        let statuses = Observed<[Int]>([])
        var configuration = Client.Configuration.patient
        configuration.callInterceptors = [Seen(statuses: statuses)]
        let (_, connector) = Self.scene()
        let client = Client(configuration: configuration.tested, connector: connector)
        let socket = try await client.webSocket(for: Request(.get, "ws://test/"))
        #expect(statuses.value == [TestedVersion.isHTTP2 ? 200 : 101])
        withExtendedLifetime(socket) {}
    }

    @Test func `a handshake that is cancelled, or too slow, leaves nothing`() async throws {
        let clock = ManualClock()
        let asked = Flag()
        let connector = MemoryConnector.tested(
            clock: clock,
            connection: { connection in
                _ = try await connection.readHead()
                asked.raise()
                await connection.waitForEnd()
            }
        )
        let client = Client(configuration: .tested, connector: connector, clock: clock)
        let cancelled = Task { try await client.webSocket(for: Request(.get, "ws://test/")) }
        // If a call is cancelled before it gets its connection, the connection belongs to the pool.
        await asked.wait()
        cancelled.cancel()
        await #expect(throws: ClientError.self) { try await cancelled.value }
        try await connector.waitForOpen(TestedVersion.isHTTP2 ? 1 : 0)  // HTTP/2 ends only the stream
        let slow = Task { try await client.webSocket(for: Request(.get, "ws://test/")) }
        try await connector.waitForOpen(1)
        let result = await clock.advance(until: Task { _ = try await slow.value })
        #expect(throws: ClientError.self) { try result.get() }
        // HTTP/2 ends only the stream, and the connection ends when it has been idle for long enough.
        try await clock.advance(until: Task { try await connector.waitForOpen(0) }).get()
    }
}
