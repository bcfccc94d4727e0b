// SPDX-License-Identifier: Apache-2.0
import ClientTestSupport
import Foundation
import Tern
import TestSupport
import Testing

@Suite("WebSocket: servers that break rules", .hangLimit)
struct ViolationTests {
    /// One way in which the raw server misbehaves, the expected error, and the close code that the server must receive.
    struct Case: CustomTestStringConvertible, Sendable {
        let path: String
        let fault: Fault
        let code: Int

        init(_ path: String, _ section: String, _ code: Int = 1002) {
            (self.path, self.fault, self.code) = (path, .protocolViolation(section), code)
        }

        init(tooLarge path: String) { (self.path, self.fault, self.code) = (path, .messageTooLarge, 1009) }

        var testDescription: String { self.path }
    }

    static let frames: [Case] = [
        .init("/ws-masked", "RFC 6455 §5.1"),
        .init("/ws-rsv1", "RFC 6455 §5.2"),
        .init("/ws-rsv2", "RFC 6455 §5.2"),
        .init("/ws-rsv3", "RFC 6455 §5.2"),
        .init("/ws-opcode-3", "RFC 6455 §5.2"),
        .init("/ws-opcode-11", "RFC 6455 §5.2"),
        .init("/ws-length-16-for-7", "RFC 6455 §5.2"),
        .init("/ws-length-64-for-16", "RFC 6455 §5.2"),
        .init("/ws-length-top-bit", "RFC 6455 §5.2"),
        .init("/ws-continuation-first", "RFC 6455 §5.4"),
        .init("/ws-interrupted", "RFC 6455 §5.4"),
        .init("/ws-fragmented-ping", "RFC 6455 §5.5"),
        .init("/ws-long-ping", "RFC 6455 §5.5"),
        .init("/ws-close-of-one-byte", "RFC 6455 §5.5.1"),
        .init("/ws-close-bad-reason", "RFC 6455 §5.5.1", 1007),
        .init("/ws-close-1005", "RFC 6455 §7.4"),
        .init("/ws-close-999", "RFC 6455 §7.4"),
        .init("/ws-bad-text", "RFC 6455 §8.1", 1007),
        .init("/ws-bad-text-in-fragment", "RFC 6455 §8.1", 1007),
        .init("/ws-bad-text-before-its-end", "RFC 6455 §8.1", 1007),
        .init("/ws-cut-text", "RFC 6455 §8.1", 1007),
        .init("/ws-deflate-rsv2", "RFC 6455 §5.2"),
        .init("/ws-deflate-ping", "RFC 7692 §6.1"),
        .init("/ws-deflate-continuation", "RFC 7692 §6.1"),
        .init("/ws-deflate-noise", "RFC 7692 §7.2.2", 1007),
        .init("/ws-deflate-bad-text", "RFC 6455 §8.1", 1007),
        .init(tooLarge: "/ws-huge"),
        .init(tooLarge: "/ws-deflate-bomb"),
        .init(tooLarge: "/ws-deflate-bomb-in-fragments"),
    ]

    @Test(arguments: frames)
    func `a frame that breaks a rule ends the WebSocket, and the server learns why`(_ broken: Case) async throws {
        try await self.check(broken)
    }

    @Test func `fragments that are too long together are one message that is too large`() async throws {
        try await self.check(Case(tooLarge: "/ws-huge-in-fragments"), maximumMessageByteCount: 1000)
    }

    private func check(_ broken: Case, maximumMessageByteCount: Int = 16 << 20) async throws {
        let server = try await RawServer()
        let options = WebSocketOptions.patient { $0.maximumMessageByteCount = maximumMessageByteCount }
        let request = server.get(broken.path).query("id", broken.path)
        let socket = try await Client(configuration: .patient).webSocket(for: request, options: options)
        #expect(try await socket.next() == .text("hello"))
        let error = await failure { () async throws(ClientError) in try await socket.next() }
        #expect(error?.fault == broken.fault)
        #expect(error?.context.phase == .messages)
        #expect(error?.context.origin == server.origin)
        let told = try await server.closeCode(broken.path)
        #expect(told == "\(broken.code)")
        #expect(socket.outcome?.cause == .violation(CloseCode(rawValue: UInt16(broken.code))))
        #expect(try await socket.next() == nil)
        try await server.isLeft()
    }

    static let handshakes: [(String, String)] = [
        ("no-upgrade", "RFC 6455 §4.1"),
        ("wrong-upgrade", "RFC 6455 §4.1"),
        ("no-connection", "RFC 6455 §4.1"),
        ("wrong-connection", "RFC 6455 §4.1"),
        ("no-accept", "RFC 6455 §4.1"),
        ("wrong-accept", "RFC 6455 §4.1"),
        ("two-accepts", "RFC 6455 §11.3.3"),
        ("unasked-protocol", "RFC 6455 §4.1"),
        ("two-protocols", "RFC 6455 §11.3.4"),
        ("unasked-extension", "RFC 6455 §4.1"),
        ("malformed-extension", "RFC 6455 §9.1"),
        ("deflate-twice", "RFC 7692 §5"),
        ("unknown-parameter", "RFC 7692 §7.1"),
        ("parameter-twice", "RFC 7692 §7.1"),
        ("flag-with-value", "RFC 7692 §7.1.1"),
        ("bits-too-small", "RFC 7692 §7.1.2"),
        ("bits-too-large", "RFC 7692 §7.1.2"),
        ("bits-no-number", "RFC 7692 §7.1.2"),
    ]

    @Test(arguments: handshakes)
    func `a handshake that breaks a rule opens nothing`(_ name: String, _ section: String) async throws {
        let server = try await RawServer()
        let options = WebSocketOptions.patient { $0.subprotocols = ["chat"] }
        let client = Client(configuration: .patient)
        let error = await failure { () async throws(ClientError) in
            try await client.webSocket(for: server.get("/ws-handshake-\(name)"), options: options)
        }
        #expect(error?.fault.handshakeSection == section)
        #expect(error?.context.phase == .head)
        #expect(error?.status == .switchingProtocols)
        try await server.isLeft()
    }
}
