// SPDX-License-Identifier: Apache-2.0
import ClientTestSupport
import HTTPTypes
import NIOCore
import TernConnections
import TernErrors
import TernHTTP
import TernRequests
import TernTesting
import TernTransport
import TestSupport
import Testing

@Suite("HTTP/2: WebSockets over streams", .hangLimit)
struct HTTP2WebSocketTests {
    private let resets = Journal<Int>()
    private let requests = Journal<HTTP2Headers>()
    private let received = Journal<String>()

    private static let offered = [HTTP2Setting(identifier: 8, value: 1)]

    /// Asks for a WebSocket as the client does.
    private static let request = Request(.get, "http://test/chat?room=1").with { request in
        request.fields[.upgrade] = "websocket"
        request.fields[.connection] = "Upgrade"
        request.fields[.secWebSocketKey] = "AAAAAAAAAAAAAAAAAAAAAA=="
        request.fields[.secWebSocketVersion] = "13"
    }

    /// A server that accepts each WebSocket and returns what it receives, until the client ends the stream.
    private func echo(settings: [HTTP2Setting] = Self.offered) -> Scene {
        Scene.http2(.priorKnowledge) { [resets, requests, received] peer in
            try await peer.handshake(settings: settings)
            while let frame = try await peer.nextFrame() {
                switch frame {
                case .headers(let headers) where headers[":protocol"] != nil:
                    requests.note(headers)
                    try await peer.begin(headers)
                case .headers(let headers) where headers.isRequest: try await peer.respond(to: headers, headers.path)
                case .data(let stream, let bytes, let endsStream):
                    received.note(String(decoding: bytes, as: UTF8.self) + (endsStream ? "|" : ""))
                    try await peer.send(.data(stream, bytes, endsStream: endsStream))
                    if bytes.count > 0 { try await peer.send(.windowUpdate(0, bytes.count)) }
                    if bytes.count > 0, !endsStream { try await peer.send(.windowUpdate(stream, bytes.count)) }
                case .reset(_, let code): resets.note(code)
                default: break
                }
            }
        }
    }

    private func open(_ scene: Scene, timeouts: Timeouts = .none) async throws -> any Connection {
        let reply = try await scene.reply(to: Self.request, timeouts: timeouts)
        #expect(reply.response.httpVersion == .http2)
        return try #require(reply.upgrade).connection
    }

    private func read(_ connection: any Connection, _ count: Int) async throws -> String {
        var text = ""
        while text.utf8.count < count {
            guard let bytes = try await connection.read(atLeast: 1, deadline: nil) else { break }
            text += String(buffer: bytes)
        }
        return text
    }

    // MARK: Opening

    @Test func `the client sends an extended CONNECT without the fields of HTTP/1.1`() async throws {
        let scene = self.echo()
        let connection = try await self.open(scene)
        let head = try #require(await self.requests.wait(for: 1).first)
        #expect(head[":method"] == "CONNECT")
        #expect(head[":protocol"] == "websocket")
        #expect(head[":scheme"] == "http")
        #expect(head[":authority"] == "test")
        #expect(head.path == "/chat?room=1")
        #expect(head["sec-websocket-version"] == "13")
        for name in ["sec-websocket-key", "upgrade", "connection", "content-length"] { #expect(head[name] == nil) }
        #expect(!head.endsStream)
        connection.close()
    }

    @Test func `bytes go both ways, beside other calls on the same connection`() async throws {
        let scene = self.echo()
        let connection = try await self.open(scene)
        let other = try await self.open(scene)
        #expect(try connection.enqueue(ByteBuffer(string: "one")))
        #expect(try await self.read(connection, 3) == "one")
        #expect(try await scene.get("/page") == Answer(text: "/page", isReused: true))
        #expect(try other.enqueue(ByteBuffer(string: "two")))
        #expect(try await self.read(other, 3) == "two")
        connection.close()
        other.close()
        #expect(scene.connector.attemptCount == 1)
        try await scene.expectSettled(idle: 1)
    }

    @Test func `a refused request keeps its response, and ends its stream`() async throws {
        let scene = Scene.http2Answering(settings: Self.offered, resets: self.resets) { peer, request in
            try await peer.respond(to: request, "no", status: 403)
        }
        let reply = try await scene.reply(to: Self.request)
        #expect(reply.upgrade == nil)
        #expect(reply.response.statusCode == 403)
        #expect(try await reply.body.text() == "no")
        #expect(try await scene.answer().status == 403)
        #expect(self.resets.all.isEmpty)
        #expect(scene.connector.attemptCount == 1)
        try await scene.expectSettled(idle: 1)
    }

    @Test func `a server that does not accept WebSockets gets no request`() async throws {
        let scene = self.echo(settings: [])
        guard case .webSocketRefused(let failure, let context)? = await scene.failure(of: Self.request) else {
            Issue.record("the WebSocket was not refused")
            return
        }
        #expect(context.delivery == .notSent)
        if case .handshake(section: "RFC 8441 §3", _) = failure.reason {} else { Issue.record("\(failure.reason)") }
        #expect(try await scene.get("/page").text == "/page")
        #expect(self.requests.all.isEmpty)
        #expect(scene.connector.attemptCount == 1)
        try await scene.expectSettled(idle: 1)
    }

    @Test func `the request waits for the settings of the server`() async throws {
        let maySend = Flag()
        let scene = Scene.http2 { peer in
            guard try await peer.readPreface() else { return }
            await maySend.wait()
            try await peer.send(.settings(Self.offered))
            try await peer.serve { request in try await peer.begin(request) }
        }
        let opening = Task { try await self.open(scene, timeouts: .only(firstByte: .seconds(5))) }
        try await scene.clock.waitForScheduled(in: .seconds(5))
        maySend.raise()
        try await opening.value.close()
        try await scene.expectSettled(idle: 1)
    }

    /// A client must not send `:protocol` before the server's setting allows it (RFC 8441 §4).
    @Test func `nothing of the request is sent before the settings of the server`() async throws {
        let scene = Scene.http2 { [requests] peer in
            guard let early = try await peer.readEarlyRequest() else { return }
            requests.note(early)
            try await peer.send(.settings(Self.offered))
            try await peer.respond(to: early, early.path)
            try await peer.serve { request in
                requests.note(request)
                try await peer.begin(request)
            }
        }
        let opening = Task { try await self.open(scene, timeouts: .only(firstByte: .seconds(5))) }
        try await scene.clock.waitForScheduled(in: .seconds(5))
        // This call, which began later, needs no setting, and goes over the same connection.
        #expect(try await scene.get("/page") == Answer(text: "/page", isReused: true))
        try await opening.value.close()
        let heads = await self.requests.wait(for: 2)
        #expect(heads.map { $0[":method"] } == ["GET", "CONNECT"])
        #expect(heads.map(\.stream) == [1, 3])
        #expect(scene.connector.attemptCount == 1)
        try await scene.expectSettled(idle: 1)
    }

    @Test func `a server without settings runs into the time limit, or the cancellation`() async throws {
        let scene = Scene.http2 { peer in
            guard try await peer.readPreface() else { return }
            await peer.connection.waitForEnd()
        }
        let calling = Task { await scene.failure(of: Self.request, timeouts: .only(firstByte: .seconds(5))) }
        try await scene.clock.waitForScheduled(in: .seconds(5))
        scene.clock.advance(by: .seconds(5))
        #expect(await calling.value?.ending == .timedOut(.firstByte, after: .seconds(5), in: .send))
        let cancelled = Task { await scene.failure(of: Self.request) }
        cancelled.cancel()
        #expect(await cancelled.value?.isCancellation == true)
        try await scene.expectSettled(idle: 1)
    }

    // MARK: Windows

    @Test(arguments: [1, 10, 1_000, 70_000])
    func `what the window does not allow follows later, in order`(window: Int) async throws {
        let scene = self.echo(settings: Self.offered + [HTTP2Setting.initialWindow(window)])
        let connection = try await self.open(scene)
        let count = min(200_000, window * 300)
        let sent = (0..<count).map { UInt8(truncatingIfNeeded: $0 ^ $0 >> 8) & 0x7F }
        let writing = Task {
            for start in stride(from: 0, to: count, by: 997) {
                try await connection.write(ByteBuffer(bytes: sent[start..<min(start + 997, count)]), deadline: nil)
            }
        }
        let text = try await self.read(connection, count)
        try await writing.value
        #expect(Array(text.utf8) == sent)
        connection.close()
        try await scene.expectSettled(idle: 1)
        #expect(self.resets.all.isEmpty || self.resets.all == [HTTP2Code.cancel])
    }

    @Test func `writers wait while the window is closed, until the deadline, cancellation or the end`() async throws {
        let scene = Scene.http2Answering(settings: Self.offered + [.initialWindow(0)]) { peer, request in
            try await peer.begin(request)
        }
        let connection = try await self.open(scene)
        #expect(try connection.enqueue(ByteBuffer(repeating: 1, count: 100_000)) == false)
        let deadline = CallDeadline(.idle, limit: .seconds(3), from: scene.clock.now)
        let late = Task { try await connection.waitForRoom(deadline: deadline) }
        try await scene.clock.waitForScheduled(in: .seconds(3))
        scene.clock.advance(by: .seconds(3))
        await #expect(throws: ConnectionError.timedOut(deadline)) { try await late.value }
        let second = CallDeadline(.idle, limit: .seconds(4), from: scene.clock.now)
        let cancelled = Task { try await connection.waitForRoom(deadline: second) }
        try await scene.clock.waitForScheduled(in: .seconds(4))
        cancelled.cancel()
        await #expect(throws: ConnectionError.cancelled) { try await cancelled.value }
        // All limits of the connection share one timer, which stays set after the cancellation, so this limit is shorter.
        let third = CallDeadline(.idle, limit: .seconds(2), from: scene.clock.now)
        let waiting = Task { try await connection.waitForRoom(deadline: third) }
        try await scene.clock.waitForScheduled(in: .seconds(2))
        connection.close()
        await #expect(throws: ConnectionError.closed) { try await waiting.value }
        #expect(throws: ConnectionError.closed) { try connection.enqueue(ByteBuffer(string: "late")) }
        try await scene.expectSettled(idle: 1)
    }

    // MARK: Ends

    @Test func `after the end of the server's side, the client sends no more content`() async throws {
        let scene = Scene.http2(.priorKnowledge) { [resets, received] peer in
            try await peer.handshake(settings: Self.offered)
            guard let request = try await peer.nextRequest() else { return }
            try await peer.begin(request)
            try await peer.end(request, "bye")
            while let frame = try await peer.nextFrame() {
                if case .data(_, let bytes, _) = frame { received.note("\(bytes.count) bytes") }
                if case .reset(_, let code) = frame { resets.note(code) }
                if case .headers(let headers) = frame { try await peer.respond(to: headers, "next") }
            }
        }
        let connection = try await self.open(scene)
        #expect(try await self.read(connection, 4) == "bye")
        #expect(try await connection.read(atLeast: 1, deadline: nil) == nil)
        connection.close()
        connection.close()
        #expect(await self.resets.wait(for: 1) == [HTTP2Code.noError])
        #expect(try await scene.answer() == Answer(text: "next", isReused: true))
        #expect(self.received.all.isEmpty)
        try await scene.expectSettled(idle: 1)
    }

    @Test func `closing before the server resets the stream, after the bytes that were queued`() async throws {
        let scene = Scene.http2(.priorKnowledge) { [resets, received] peer in
            try await peer.handshake(settings: Self.offered)
            guard let request = try await peer.nextRequest() else { return }
            try await peer.begin(request)
            while let frame = try await peer.nextFrame() {
                if case .data(_, let bytes, let ends) = frame {
                    received.note(String(decoding: bytes, as: UTF8.self) + (ends ? "|" : ""))
                }
                if case .reset(_, let code) = frame { resets.note(code) }
            }
        }
        let connection = try await self.open(scene)
        _ = try connection.enqueue(ByteBuffer(string: "bye"))
        connection.close()
        #expect(await self.resets.wait(for: 1) == [HTTP2Code.cancel])
        #expect(self.received.all == ["bye", "|"])
        await #expect(throws: ConnectionError.closed) { try await connection.read(atLeast: 1, deadline: nil) }
        try await scene.expectSettled(idle: 1)
    }

    @Test func `releasing the connection ends its stream`() async throws {
        let scene = self.echo()
        do { _ = try await self.open(scene) }
        #expect(await self.resets.wait(for: 1) == [HTTP2Code.cancel])
        try await scene.expectSettled(idle: 1)
    }

    @Test func `releasing the connection while bytes wait for the window ends its stream`() async throws {
        let settings = Self.offered + [.initialWindow(0)]
        let scene = Scene.http2Answering(settings: settings, resets: self.resets) { peer, request in
            try await peer.begin(request)
        }
        do {
            let connection = try await self.open(scene)
            _ = try connection.enqueue(ByteBuffer(string: "never"))
        }
        #expect(await self.resets.wait(for: 1) == [HTTP2Code.cancel])
        try await scene.expectSettled(idle: 1)
    }

    @Test func `a reset by the server fails reads and writes`() async throws {
        let scene = Scene.http2(.priorKnowledge) { peer in
            try await peer.handshake(settings: Self.offered)
            guard let request = try await peer.nextRequest() else { return }
            try await peer.begin(request, "first")
            try await peer.send(.reset(request.stream, HTTP2Code.internalError))
            try await peer.serve { request in try await peer.respond(to: request, "next") }
        }
        let connection = try await self.open(scene)
        #expect(try await self.read(connection, 5) == "first")
        await #expect(throws: ConnectionError.reset) { try await connection.read(atLeast: 1, deadline: nil) }
        _ = try? connection.enqueue(ByteBuffer(string: "late"))
        await #expect(throws: ConnectionError.closed) { try await connection.waitForRoom(deadline: nil) }
        #expect(try await scene.answer() == Answer(text: "next", isReused: true))
        connection.close()
        try await scene.expectSettled(idle: 1)
    }

    @Test func `the loss of the connection fails reads`() async throws {
        let scene = Scene.http2(.priorKnowledge) { peer in
            try await peer.handshake(settings: Self.offered)
            guard let request = try await peer.nextRequest() else { return }
            try await peer.begin(request, "first")
            _ = try await peer.nextFrame()
            peer.connection.close()
        }
        let connection = try await self.open(scene)
        #expect(try await self.read(connection, 5) == "first")
        _ = try connection.enqueue(ByteBuffer(string: "hello"))
        await #expect(throws: ConnectionError.closed) { try await connection.read(atLeast: 1, deadline: nil) }
        connection.close()
        try await scene.expectSettled(idle: 0)
    }
}
