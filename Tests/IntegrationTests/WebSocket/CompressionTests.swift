// SPDX-License-Identifier: Apache-2.0
import ClientTestSupport
import Foundation
import Tern
import TernWebSocketCore
import TestSupport
import Testing

@Suite("WebSocket: compression with others", .hangLimit)
struct CompressionTests {
    /// Messages with near and far repetitions, which are decompressed wrongly if one side reaches beyond the window.
    static let samples: [WebSocketMessage] = [
        .text(String(repeating: "near ", count: 2000)),
        .binary(Self.noise(40_000) + Self.noise(40_000)),
        .text((0..<3000).map { "\($0 &* 2_654_435_761) " }.joined()),
        .binary(Self.noise(40_000)),
    ]

    private static func noise(_ byteCount: Int) -> Data {
        var state: UInt64 = 7
        return Data(
            (0..<byteCount).map { _ in
                state = state &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
                return UInt8(truncatingIfNeeded: state >> 33)
            }
        )
    }

    /// Opens a WebSocket, checks the negotiated parameters, and exchanges the samples with an echo server.
    private func check(
        _ peer: WebSocketPeer,
        _ query: String,
        _ expected: PerMessageDeflate.Agreement,
        offering offer: PerMessageDeflate.Offer = PerMessageDeflate.Offer()
    ) async throws {
        let options = WebSocketOptions.patient { $0.compression = WebSocketCompression(offer: offer) }
        let socket = try await Client(configuration: .patient).webSocket(
            for: try await peer.server.get("/echo\(query)"),
            options: options
        )
        #expect(socket.compression == expected)
        for _ in 0..<2 {
            for (index, message) in Self.samples.enumerated() {
                try await expectEqual(socket.echo(message, compression: .always), message, "sample \(index)")
            }
        }
        await socket.close()
        #expect(socket.outcome?.cause == .closed)
    }

    @Test(arguments: [WebSocketPeer.websockets, .ws], 9...15)
    func `windows that the server asks for are kept to`(_ peer: WebSocketPeer, _ bits: Int) async throws {
        try await self.check(
            peer,
            "?server-bits=\(bits)&client-bits=\(bits)",
            .init(serverWindowBits: bits, clientWindowBits: bits)
        )
    }

    /// zlib cannot write raw deflate data with such a small window, but can read it.
    @Test func `the smallest window of the client is kept to`() async throws {
        try await self.check(.websockets, "?client-bits=8", .init(clientWindowBits: 8))
    }

    @Test(arguments: [WebSocketPeer.websockets, .ws, .aiohttp], 9...15)
    func `windows that the client asks for are kept to`(_ peer: WebSocketPeer, _ bits: Int) async throws {
        var offer = PerMessageDeflate.Offer()
        offer.serverMaximumWindowBits = bits
        offer.clientMaximumWindowBits = .bits(bits)
        try await self.check(peer, "", .init(serverWindowBits: bits, clientWindowBits: bits), offering: offer)
    }

    @Test(arguments: [WebSocketPeer.websockets, .ws], [(true, false), (false, true), (true, true)])
    func `a context that the server forgets is not relied on`(
        _ peer: WebSocketPeer,
        _ forgets: (server: Bool, client: Bool)
    ) async throws {
        let query = "?x=y" + (forgets.server ? "&server-forgets=1" : "") + (forgets.client ? "&client-forgets=1" : "")
        let expected = PerMessageDeflate.Agreement(
            serverNoContextTakeover: forgets.server,
            clientNoContextTakeover: forgets.client
        )
        try await self.check(peer, query, expected)
    }

    @Test(arguments: WebSocketPeer.allCases)
    func `the client may ask that both forget`(_ peer: WebSocketPeer) async throws {
        var offer = PerMessageDeflate.Offer()
        offer.serverNoContextTakeover = true
        offer.clientNoContextTakeover = true
        let expected = PerMessageDeflate.Agreement(serverNoContextTakeover: true, clientNoContextTakeover: true)
        try await self.check(peer, "", expected, offering: offer)
    }

    @Test(arguments: WebSocketPeer.allCases)
    func `compressed messages and others may alternate`(_ peer: WebSocketPeer) async throws {
        let socket = try await Client(configuration: .patient).webSocket(for: try await peer.server.get("/echo"))
        let compressions: [MessageCompression] = [.always, .never, .automatic, .always, .automatic, .never, .never]
        for number in 0..<70 {
            let message = WebSocketMessage.text(String(repeating: "message \(number) ", count: number * 10))
            let compression = compressions[number % compressions.count]
            try await expectEqual(socket.echo(message, compression: compression), message)
        }
    }

    @Test(arguments: [WebSocketPeer.websockets, .ws])
    func `a server may decline`(_ peer: WebSocketPeer) async throws {
        let socket = try await Client(configuration: .patient).webSocket(
            for: try await peer.server.get("/echo?deflate=off")
        )
        #expect(socket.compression == nil)
        #expect(try await socket.echo(Self.samples[0], compression: .always) == Self.samples[0])
    }
}
