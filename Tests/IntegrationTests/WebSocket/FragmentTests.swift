// SPDX-License-Identifier: Apache-2.0
import ClientTestSupport
import Foundation
import Tern
import TestSupport
import Testing

@Suite("WebSocket: messages in parts", .hangLimit)
struct FragmentTests {
    static let text = (0..<5).map { "\($0)ä€😀 " }.joined()

    @Test(arguments: ["", "&deflate=off"])
    func `fragments are put together, whatever comes between them`(_ query: String) async throws {
        let server = try await WebSocketPeer.websockets.server
        let socket = try await Client(configuration: .patient).webSocket(for: server.get("/fragments?count=5\(query)"))
        try await expectEqual(socket.rest(), [.text(Self.text), .binary(Data([0, 1, 2, 3, 4])), .text("")])
    }

    @Test(arguments: ["", "&deflate=off"])
    func `fragments are given as they come`(_ query: String) async throws {
        let server = try await WebSocketPeer.websockets.server
        let socket = try await Client(configuration: .patient).webSocket(for: server.get("/fragments?count=5\(query)"))
        var messages: [(MessageKind, Data)] = []
        var data = Data()
        for try await fragment in socket.fragments {
            data += fragment.data
            guard fragment.isFinal else { continue }
            messages.append((fragment.kind, data))
            data = Data()
        }
        #expect(messages.map(\.0) == [.text, .binary, .text])
        for (message, expected) in zip(messages, [Data(Self.text.utf8), Data([0, 1, 2, 3, 4]), Data()]) {
            expectEqual(message.1, expected)
        }
    }

    @Test(arguments: [WebSocketPeer.websockets, .ws, .aiohttp], [MessageCompression.always, .never])
    func `a message sent in pieces arrives as one`(
        _ peer: WebSocketPeer,
        _ compression: MessageCompression
    ) async throws {
        let socket = try await Client(configuration: .patient).webSocket(for: try await peer.server.get("/echo"))
        // A piece that ends within a character, an empty piece, and a piece that needs several network packets.
        let pieces = [
            Data([0xF0, 0x9F]), Data(), Data([0x98, 0x80]), Data(String(repeating: "ä", count: 99_999).utf8),
        ]
        try await socket.send(.text, pieces: stream(pieces), compression: compression)
        try await expectEqual(socket.next(), .text("😀" + String(repeating: "ä", count: 99_999)))
        try await socket.send(.binary, pieces: stream([]), compression: compression)
        #expect(try await socket.next() == .binary(Data()))
    }

    @Test(arguments: ["", "?deflate=off"])
    func `a message that comes back in fragments of seven bytes is whole`(_ query: String) async throws {
        let server = try await WebSocketPeer.ws.server
        let socket = try await Client(configuration: .patient).webSocket(for: server.get("/fragments\(query)"))
        let data = try Data.random(byteCount: 1000)
        try await expectEqual(socket.echo(.binary(data)), .binary(data))
        #expect(try await socket.echo(.text("ä€😀ä€😀ä€😀")) == .text("ä€😀ä€😀ä€😀"))
    }

    @Test(arguments: [WebSocketPeer.websockets, .ws])
    func `a message of 16 MiB goes and comes in parts`(_ peer: WebSocketPeer) async throws {
        let socket = try await Client(configuration: .patient).webSocket(
            for: try await peer.server.get("/echo"),
            options: .uncompressed
        )
        let data = try Data.random(byteCount: 16 << 20)
        let pieces = stride(from: 0, to: data.count, by: 100_000).map { data[$0..<min($0 + 100_000, data.count)] }
        async let sent: Void = socket.send(.binary, pieces: stream(pieces))
        var received = Data()
        var partCount = 0
        for try await fragment in socket.fragments {
            received += fragment.data
            partCount += 1
            if fragment.isFinal { break }
        }
        try await sent
        expectEqual(received, data)
        #expect(partCount > 10)
    }

    @Test func `other messages wait until one in pieces is complete`() async throws {
        let server = try await WebSocketPeer.websockets.server
        let socket = try await Client(configuration: .patient).webSocket(for: server.get("/echo"))
        let (pieces, continuation) = AsyncStream.makeStream(of: Data.self)
        continuation.yield(Data("one ".utf8))
        async let whole: Void = socket.send(.text, pieces: pieces)
        try await socket.ping()  // a ping need not wait, and shows that the connection works
        async let other: Void = socket.send("three")
        continuation.yield(Data("two".utf8))
        continuation.finish()
        _ = try await (whole, other)
        let messages = [try await socket.next(), try await socket.next()]
        #expect(Set(messages) == [.text("one two"), .text("three")])
    }

    @Test func `a message whose pieces fail closes the WebSocket with 1011`() async throws {
        struct Broken: Error {}
        let server = try await WebSocketPeer.websockets.server
        let socket = try await Client(configuration: .patient).webSocket(for: server.get("/echo?id=broken-pieces"))
        let pieces = AsyncThrowingStream<Data, any Error> { continuation in
            continuation.yield(Data("one ".utf8))
            continuation.finish(throwing: Broken())
        }
        let fault = await fault { () async throws(ClientError) in try await socket.send(.text, pieces: pieces) }
        #expect(fault == .uploadFailed(.streamFailed(type: "Broken")))
        let report = try await server.report("broken-pieces")
        #expect(report.code == 1011)
        #expect(try await socket.next() == nil)
    }
}
