// SPDX-License-Identifier: Apache-2.0
import ClientTestSupport
import Foundation
import Tern
import TernWebSocketCore
import TestSupport
import Testing

@Suite("HTTP/2: WebSockets with servers of other projects", .hangLimit)
struct HTTP2ServerWebSocketTests {
    private func close(_ socket: WebSocket, _ kind: HTTP2Server.Kind) async {
        // Hypercorn answers the Close frame, but does not end the stream.
        guard kind != .hypercorn else { return socket.cancel() }
        await socket.close()
        #expect(socket.outcome?.cause == .closed)
    }

    private static let megabyte = 1 << 20

    @Test(arguments: HTTP2Server.Kind.ofWebSockets, [WebSocketOptions.patient, .uncompressed])
    func `every kind and length comes back`(_ kind: HTTP2Server.Kind, _ options: WebSocketOptions) async throws {
        let server = try await HTTP2Server.shared(kind)
        let socket = try await server.makeClient().webSocket(for: server.getWebSocket("/echo"), options: options)
        #expect((socket.compression == nil) == (options == .uncompressed))
        for byteCount in EchoTests.byteCounts + [Self.megabyte] {
            let binary = WebSocketMessage.binary(try Data.random(byteCount: byteCount))
            try await expectEqual(socket.echo(binary), binary, "\(byteCount) bytes")
            let text = WebSocketMessage.text(String(repeating: "ä", count: byteCount / 2))
            try await expectEqual(socket.echo(text), text, "\(byteCount) bytes of text")
        }
        await self.close(socket, kind)
    }

    @Test(arguments: HTTP2Server.Kind.ofWebSockets)
    func `compressed messages and others may alternate`(_ kind: HTTP2Server.Kind) async throws {
        let server = try await HTTP2Server.shared(kind)
        let socket = try await server.makeClient().webSocket(for: server.getWebSocket("/echo"))
        #expect(socket.isCompressed)
        for number in 0..<30 {
            let compression: MessageCompression = number.isMultiple(of: 3) ? .never : .always
            let message = WebSocketMessage.text(String(repeating: "message \(number) ", count: number * 20))
            try await expectEqual(socket.echo(message, compression: compression), message)
        }
        for message in CompressionTests.samples {
            try await expectEqual(socket.echo(message, compression: .always), message)
        }
    }

    /// Hypercorn ends the whole connection if a frame arrives for a WebSocket that it has closed.
    @Test(arguments: [HTTP2Server.Kind.nghttpx, .haproxy])
    func `messages of many sockets on one connection do not mix`(_ kind: HTTP2Server.Kind) async throws {
        let server = try await HTTP2Server.launch(kind)
        let client = server.makeClient()
        _ = try await client.data(for: server.get("/hello.txt").httpVersion(.http2PriorKnowledge))
        try await withThrowingTaskGroup { group in
            for number in 0..<20 {
                group.addTask {
                    let socket = try await client.webSocket(for: server.getWebSocket("/echo"))
                    for count in 0..<50 {
                        let message = WebSocketMessage.text("\(number) \(String(repeating: "x", count: count * 50))")
                        try await expectEqual(socket.echo(message), message)
                    }
                    await self.close(socket, kind)
                }
            }
            try await group.waitForAll()
        }
        #expect(OpenSockets.count(toPort: server.port) == 1)
    }

    @Test(arguments: HTTP2Server.Kind.ofWebSockets)
    func `the client's pings are answered`(_ kind: HTTP2Server.Kind) async throws {
        let server = try await HTTP2Server.shared(kind)
        let socket = try await server.makeClient().webSocket(for: server.getWebSocket("/echo"))
        // A task must read, because the answer may come after messages.
        let reading = Task { try await socket.rest() }
        for _ in 0..<3 { _ = try await socket.ping() }
        await self.close(socket, kind)
        if kind != .hypercorn { #expect(try await reading.value == []) }
    }

    @Test(arguments: [HTTP2Server.Kind.nghttpx, .haproxy])
    func `the server's pings are answered`(_ kind: HTTP2Server.Kind) async throws {
        let server = try await HTTP2Server.shared(kind)
        let socket = try await server.makeClient().webSocket(for: server.getWebSocket("/ping"))
        #expect(try await socket.next() == .text("pong"))
    }

    // MARK: Closing

    static let ends: [(CloseCode, String)] = [
        (.normalClosure, ""), (.init(rawValue: 4711), "zu spät"), (.goingAway, "see you"),
    ]

    @Test(arguments: HTTP2Server.Kind.ofWebSockets, HTTP2ServerWebSocketTests.ends)
    func `this side gets code and reason`(_ kind: HTTP2Server.Kind, _ end: (CloseCode, String)) async throws {
        let server = try await HTTP2Server.shared(kind)
        let request = server.getWebSocket("/close").query("code", Int(end.0.rawValue)).query("reason", end.1)
        let socket = try await server.makeClient().webSocket(for: request)
        #expect(try await socket.next() == nil)
        #expect(socket.closeCode == end.0)
        #expect(socket.closeReason == end.1)
        try await eventually("the WebSocket is closed") { socket.outcome != nil }
        #expect(socket.outcome?.cause == .closed)
        #expect(socket.outcome?.isInitiatedByPeer == true)
    }

    /// An application on Hypercorn does not get the client's code.
    @Test(arguments: [HTTP2Server.Kind.nghttpx, .haproxy], HTTP2ServerWebSocketTests.ends)
    func `the server gets code and reason`(_ kind: HTTP2Server.Kind, _ end: (CloseCode, String)) async throws {
        let server = try await HTTP2Server.shared(kind)
        let id = "\(kind)-\(end.0.rawValue)"
        let socket = try await server.makeClient().webSocket(for: server.getWebSocket("/echo").query("id", id))
        await socket.close(code: end.0, reason: end.1)
        let report = try await WebSocketServer.websockets.value.report(id)
        #expect(report == .init(code: Int(end.0.rawValue), reason: end.1))
        #expect(socket.outcome?.cause == .closed)
        #expect(socket.closeCode == end.0)  // the server repeats the client's code
    }

    // MARK: Opening

    @Test(arguments: HTTP2Server.Kind.ofWebSockets)
    func `a WebSocket shares the connection of calls that run`(_ kind: HTTP2Server.Kind) async throws {
        let server = try await HTTP2Server.launch(kind)
        let client = server.makeClient()
        let (bytes, response) = try await client.bytes(for: server.get("/large"))
        #expect(response.httpVersion == .http2)
        // The request leaves the version to the client, which has a connection that uses HTTP/2.
        let socket = try await client.webSocket(for: server.get("/echo"))
        let message = WebSocketMessage.binary(try Data.random(byteCount: 100_000))
        try await expectEqual(socket.echo(message), message)
        #expect(OpenSockets.count(toPort: server.port) == 1)
        var content = Data()
        for try await chunk in bytes.chunks { content += chunk }
        try expectEqual(content, HTTP2Server.large)
        try await expectEqual(socket.echo(message), message)
        let (hello, next) = try await client.data(for: server.get("/hello.txt"))
        #expect(hello.count == 6)
        #expect(next.isConnectionReused)
        #expect(OpenSockets.count(toPort: server.port) == 1)
        await self.close(socket, kind)
    }

    @Test(arguments: HTTP2Server.Kind.ofWebSockets)
    func `the server chooses a subprotocol, or none`(_ kind: HTTP2Server.Kind) async throws {
        let server = try await HTTP2Server.shared(kind)
        let choices: [(query: String, offered: [String], chosen: String?)] = [
            ("?protocols=chat,stomp", ["stomp"], "stomp"), ("?protocols=chat,stomp", ["v9", "chat"], "chat"),
            ("", ["v9", "chat"], nil),
        ]
        for (query, offered, chosen) in choices {
            let options = WebSocketOptions.patient { $0.subprotocols = offered }
            let request = server.getWebSocket("/echo\(query)")
            let socket = try await server.makeClient().webSocket(for: request, options: options)
            #expect(socket.subprotocol == chosen)
            #expect(try await socket.echo(.text("hi")) == .text("hi"))
        }
    }

    @Test(arguments: HTTP2Server.Kind.ofWebSockets)
    func `a refusal keeps its body, and leaves the connection to others`(_ kind: HTTP2Server.Kind) async throws {
        let server = try await HTTP2Server.shared(kind)
        let client = server.makeClient()
        let error = await failure { () async throws(ClientError) in
            try await client.webSocket(for: server.getWebSocket("/status?status=403"))
        }
        #expect(error?.fault == .webSocketRefused(.status(403)))
        guard case .webSocketRefused(let refusal, _)? = error else { return }
        #expect(String(decoding: refusal.body, as: UTF8.self) == "no WebSocket here")
        // Hypercorn ends the connection when the client ends the stream, because it no longer knows the stream.
        guard kind != .hypercorn else { return }
        let (_, response) = try await client.data(for: server.get("/hello.txt").httpVersion(.http2PriorKnowledge))
        #expect(response.isConnectionReused)
    }
}
