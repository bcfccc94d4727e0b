// SPDX-License-Identifier: Apache-2.0
import ClientTestSupport
import Foundation
import Tern
import TestSupport
import Testing

@Suite("WebSocket: messages there and back", .hangLimit)
struct EchoTests {
    /// The message lengths at which the encoding of a frame's length changes, and lengths next to them.
    static let byteCounts = [0, 1, 125, 126, 65535, 65536, 100_000]

    @Test(arguments: WebSocketPeer.allCases, [WebSocketOptions.patient, .uncompressed])
    func `every kind and length comes back`(_ peer: WebSocketPeer, _ options: WebSocketOptions) async throws {
        let socket = try await Client(configuration: .patient).webSocket(
            for: try await peer.server.get("/echo"),
            options: options
        )
        #expect((socket.compression == nil) == (options == .uncompressed))
        for byteCount in Self.byteCounts {
            let binary = WebSocketMessage.binary(try Data.random(byteCount: byteCount))
            try await expectEqual(socket.echo(binary), binary, "\(byteCount) bytes")
            let text = WebSocketMessage.text(String(repeating: "x", count: byteCount))
            try await expectEqual(socket.echo(text), text, "\(byteCount) characters")
        }
        for text in ["ä€😀", "\0", "\u{FEFF}e\u{301}", String(repeating: "é😀\r\n", count: 9999)] {
            try await expectEqual(socket.echo(.text(text)), .text(text))
        }
        await socket.close()
        #expect(socket.outcome?.cause == .closed)
    }

    @Test(arguments: WebSocketPeer.allCases)
    func `a message of 16 MiB comes back`(_ peer: WebSocketPeer) async throws {
        let message = WebSocketMessage.binary(try Data.random(byteCount: 16 << 20))
        let socket = try await Client(configuration: .patient).webSocket(
            for: try await peer.server.get("/echo"),
            options: .uncompressed
        )
        try await expectEqual(socket.echo(message), message)
    }

    @Test(arguments: WebSocketPeer.allCases)
    func `messages of many tasks neither get lost nor mixed`(_ peer: WebSocketPeer) async throws {
        let socket = try await Client(configuration: .patient).webSocket(for: try await peer.server.get("/echo"))
        let (taskCount, messageCount) = (8, 125)
        async let received = {
            var received: [String] = []
            var iterator = socket.makeAsyncIterator()
            while received.count < taskCount * messageCount, case .text(let text)? = try await iterator.next() {
                received.append(text)
            }
            return received
        }()
        try await withThrowingTaskGroup { group in
            for task in 0..<taskCount {
                group.addTask {
                    for number in 0..<messageCount { try await socket.send("\(task) \(number)") }
                }
            }
            try await group.waitForAll()
        }
        let texts = try await received
        for task in 0..<taskCount {
            let expected = (0..<messageCount).map { "\(task) \($0)" }
            #expect(texts.filter { $0.hasPrefix("\(task) ") } == expected)
        }
    }

    @Test func `several tasks share what arrives`() async throws {
        let server = try await WebSocketPeer.websockets.server
        let socket = try await Client(configuration: .patient).webSocket(for: server.get("/flood?count=500"))
        let numbers = try await withThrowingTaskGroup { group in
            for _ in 0..<4 { group.addTask { try await socket.rest() } }
            return try await group.reduce(into: [String]()) { texts, messages in
                for case .text(let text) in messages { texts.append(text) }
            }
        }
        #expect(Set(numbers) == Set((0..<500).map { "\($0) " }))
        #expect(numbers.count == 500)
    }

    @Test func `what arrived before the server closed is given first`() async throws {
        let server = try await WebSocketPeer.websockets.server
        let socket = try await Client(configuration: .patient).webSocket(for: server.get("/flood?count=300&bytes=2000"))
        try await eventually("it is closed") { socket.outcome != nil || socket.closeCode != nil }
        let messages = try await socket.rest()
        #expect(messages.count == 300)
        expectEqual(messages.last, .text("299 " + String(repeating: "x", count: 2000)))
    }
}
