// SPDX-License-Identifier: Apache-2.0
import ClientTestSupport
import Foundation
import Tern
import TestSupport
import Testing

@Suite("WebSocket: lost connections", .hangLimit)
struct LossTests {
    @Test func `an end without a close is an error, after what had arrived`() async throws {
        let server = try await WebSocketPeer.websockets.server
        let socket = try await Client(configuration: .patient).webSocket(for: server.get("/end"))
        #expect(try await socket.next() == .text("last words"))
        let error = await failure { () async throws(ClientError) in try await socket.next() }
        #expect(error?.fault == .connectionLost(.closed))
        #expect(error?.context.phase == .messages)
        #expect(error?.context.origin == "http://127.0.0.1:\(server.port)")
        #expect(try await socket.next() == nil)  // the error is thrown once
        #expect(socket.outcome?.code == .abnormalClosure)
        #expect(socket.closeCode == nil)
    }

    @Test(arguments: [(WebSocketPeer.websockets, "/reset"), (.ws, "/terminate")])
    func `a reset is an error`(_ peer: WebSocketPeer, _ path: String) async throws {
        let socket = try await Client(configuration: .patient).webSocket(for: try await peer.server.get(path))
        let fault = await fault { () async throws(ClientError) in try await socket.echo(.text("bye")) }
        #expect(fault == .connectionLost(path == "/reset" ? .reset : .closed))
        #expect(socket.outcome?.code == .abnormalClosure)
        let late = await ClientTestSupport.fault { () async throws(ClientError) in try await socket.send("late") }
        #expect(late == .webSocketClosed(code: nil))
    }

    @Test(arguments: ["/end", "/reset"])
    func `an end without a close is an error over TLS, too`(_ path: String) async throws {
        let server = try await WebSocketPeer.websockets.server
        var configuration = Client.Configuration.patient
        configuration.tls.trust = .system(adding: [server.root])
        let socket = try await Client(configuration: configuration).webSocket(for: server.getSecurely(path))
        if path == "/reset" { try await socket.send("bye") }
        let fault = await fault { () async throws(ClientError) in try await socket.rest() }
        #expect(fault == .connectionLost(path == "/reset" ? .reset : .closed))
    }

    /// The positions at which three messages end.
    ///
    /// Two messages have one frame each, of 7 and 134 bytes. The third message has two frames, of 6 and 5 bytes.
    static let messageEnds = [7, 141, 152]

    @Test(arguments: ["/ws-cut", "/ws-cut-reset"])
    func `a cut at any byte is an error, after the messages that are whole`(_ path: String) async throws {
        let server = try await RawServer()
        let client = Client(configuration: .patient)
        for byteCount in [0, 1, 2, 6, 7, 8, 9, 10, 11, 12, 140, 141, 142, 143, 146, 147, 148, 149, 151, 152] {
            let gate = "\(server.port)-\(byteCount)"
            let request = server.get(path).query("bytes", byteCount).query("gate", gate)
            let socket = try await client.webSocket(for: request)
            let wholeCount = Self.messageEnds.count { $0 <= byteCount }
            for _ in 0..<wholeCount { #expect(try await socket.next() != nil) }
            if path == "/ws-cut-reset" { try await server.open(gate: gate) }
            let fault = await fault { () async throws(ClientError) in try await socket.next() }
            #expect(fault == .connectionLost(path == "/ws-cut" ? .closed : .reset), "cut after \(byteCount) bytes")
        }
        try await server.isLeft()
    }

    @Test func `a server that ends its side has ended the WebSocket`() async throws {
        let server = try await RawServer()
        let socket = try await Client(configuration: .patient).webSocket(for: server.get("/ws-half-close"))
        #expect(try await socket.next() == .text("hello"))
        let fault = await fault { () async throws(ClientError) in try await socket.next() }
        #expect(fault == .connectionLost(.closed))
        try await server.isLeft()
    }
}
