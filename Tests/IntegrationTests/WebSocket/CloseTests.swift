// SPDX-License-Identifier: Apache-2.0
import ClientTestSupport
import Foundation
import Tern
import TestSupport
import Testing

@Suite("WebSocket: closing", .hangLimit)
struct CloseTests {
    @Test(
        arguments: [WebSocketPeer.websockets, .ws],
        [(CloseCode.normalClosure, ""), (.init(rawValue: 4000), "auf Wiederhören"), (.goingAway, "x")]
    )
    func `the server learns code and reason`(
        _ peer: WebSocketPeer,
        _ end: (code: CloseCode, reason: String)
    ) async throws {
        let server = try await peer.server
        let id = "client-closes-\(end.code.rawValue)"
        let socket = try await Client(configuration: .patient).webSocket(for: server.get("/echo").query("id", id))
        await socket.close(code: end.code, reason: end.reason)
        let report = try await server.report(id)
        #expect(report == .init(code: Int(end.code.rawValue), reason: end.reason))
        #expect(socket.outcome?.cause == .closed)
        #expect(socket.outcome?.isInitiatedByPeer == false)
        #expect(socket.closeCode == end.code)  // the server repeats the client's code
        #expect(try await socket.next() == nil)
    }

    @Test(
        arguments: [WebSocketPeer.websockets, .ws],
        [(CloseCode.normalClosure, ""), (.init(rawValue: 4711), "zu spät"), (.serviceRestart, "see you")]
    )
    func `this side learns code and reason`(
        _ peer: WebSocketPeer,
        _ end: (code: CloseCode, reason: String)
    ) async throws {
        let server = try await peer.server
        let id = "server-closes-\(end.code.rawValue)"
        let request = server.get("/close").query("code", Int(end.code.rawValue)).query("reason", end.reason)
        let socket = try await Client(configuration: .patient).webSocket(for: request.query("id", id))
        #expect(try await socket.next() == nil)
        #expect(socket.closeCode == end.code)
        #expect(socket.closeReason == end.reason)
        let report = try await server.report(id)  // the client repeats the server's code
        #expect(report.code == Int(end.code.rawValue))
        try await eventually("it is over") { socket.outcome != nil }
        #expect(socket.outcome?.cause == .closed)
        #expect(socket.outcome?.isInitiatedByPeer == true)
    }

    @Test func `a web framework may close in the middle`() async throws {
        let socket = try await Client(configuration: .patient).webSocket(
            for: try await WebSocketPeer.aiohttp.server.get("/echo")
        )
        #expect(try await socket.echo(.text("close, please")) == nil)
        #expect(socket.closeCode?.rawValue == 4001)
        #expect(socket.closeReason == "as you wish")
    }

    @Test func `a close without a code is one`() async throws {
        let server = try await RawServer()
        let socket = try await Client(configuration: .patient).webSocket(
            for: server.get("/ws-close-without-code").query("id", "no-code")
        )
        #expect(try await socket.rest() == [.text("hello")])
        #expect(socket.closeCode == .noStatusReceived)
        let told = try await server.closeCode("no-code")
        #expect(told == "1005")
        try await server.isLeft()
    }

    @Test func `nothing can be sent afterwards`() async throws {
        let server = try await WebSocketPeer.websockets.server
        let socket = try await Client(configuration: .patient).webSocket(for: server.get("/close?code=4001"))
        #expect(try await socket.next() == nil)
        let send = await fault { () async throws(ClientError) in try await socket.send("late") }
        #expect(send == .webSocketClosed(code: 4001))
        let ping = await fault { () async throws(ClientError) in try await socket.ping() }
        #expect(ping == .webSocketClosed(code: 4001))
    }

    @Test func `a message that is too large is refused with 1009`() async throws {
        let server = try await WebSocketPeer.websockets.server
        for (number, query) in ["", "&deflate=off"].enumerated() {
            let id = "too-large-\(number)"
            let request = server.get("/flood?count=2&bytes=1000\(query)").query("id", id)
            let options = WebSocketOptions.patient { $0.maximumMessageByteCount = 1001 }
            let socket = try await Client(configuration: .patient).webSocket(for: request, options: options)
            let fault = await fault { () async throws(ClientError) in try await socket.next() }
            #expect(fault == .messageTooLarge)
            let report = try await server.report(id)
            #expect(report.code == 1009)
            #expect(socket.outcome?.cause == .violation(.messageTooBig))
        }
        let exact = WebSocketOptions.patient { $0.maximumMessageByteCount = 1002 }
        let socket = try await Client(configuration: .patient).webSocket(
            for: server.get("/flood?count=2&bytes=1000"),
            options: exact
        )
        #expect(try await socket.rest().count == 2)
    }

    @Test func `a server that does not answer a close is left`() async throws {
        let server = try await RawServer()
        let options = WebSocketOptions.patient { $0.closeTimeout = .milliseconds(100) }
        let request = server.get("/ws-ignores-close").query("id", "ignored")
        let socket = try await Client(configuration: .patient).webSocket(for: request, options: options)
        await socket.close(code: .init(rawValue: 4000))
        #expect(socket.outcome?.cause == .closeTimedOut)
        let told = try await server.closeCode("ignored")
        #expect(told == "4000")
        try await server.isLeft()
    }

    @Test func `a server that closes and stays is left`() async throws {
        let server = try await RawServer()
        let options = WebSocketOptions.patient { $0.closeTimeout = .milliseconds(100) }
        let request = server.get("/ws-closes-and-stays").query("id", "stays")
        let socket = try await Client(configuration: .patient).webSocket(for: request, options: options)
        #expect(try await socket.rest() == [.text("hello")])
        let told = try await server.closeCode("stays")
        #expect(told == "1000")
        try await server.isLeft()
        #expect(socket.outcome?.cause == .closed)
    }

    @Test func `closing twice, and from many tasks, is closing once`() async throws {
        let server = try await WebSocketPeer.websockets.server
        let socket = try await Client(configuration: .patient).webSocket(for: server.get("/echo?id=many-closes"))
        await withTaskGroup { group in
            for _ in 0..<8 { group.addTask { await socket.close(code: .init(rawValue: 4008)) } }
        }
        await socket.close()
        let report = try await server.report("many-closes")
        #expect(report.code == 4008)
    }
}
