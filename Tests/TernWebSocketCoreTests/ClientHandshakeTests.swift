// SPDX-License-Identifier: Apache-2.0

import HTTPTypes
import TestSupport
import Testing

@testable import TernWebSocketCore

@Suite("ClientHandshake")
struct ClientHandshakeTests {
    private static func handshake(
        _ subprotocols: [String] = [],
        _ deflate: PerMessageDeflate.Offer? = nil
    ) throws(HandshakeError) -> ClientHandshake {
        var generator = GivenGenerator("the sample nonce")
        return try ClientHandshake(subprotocols: subprotocols, deflate: deflate, using: &generator)
    }

    @Test
    func `the key is 16 bytes of the generator`() throws {
        // The example of RFC 6455 §1.3.
        #expect(try Self.handshake().key == "dGhlIHNhbXBsZSBub25jZQ==")
    }

    @Test
    func `two keys differ`() throws {
        var generator = SeededGenerator(seed: 7)
        let keys = try (0..<50).map { _ in try ClientHandshake(using: &generator).key }
        #expect(Set(keys).count == 50)
        #expect(keys.allSatisfy { $0.utf8.count == 24 })
    }

    @Test
    func `a handshake for another connection has another key, and the same offer`() throws {
        var generator = SeededGenerator(seed: 7)
        let first = try Self.handshake(["chat"], PerMessageDeflate.Offer())
        let second = first.renewed(using: &generator)
        #expect(second.key != first.key && second.key.utf8.count == 24)
        #expect(second.renewed(using: &generator).key != second.key)
        #expect(second.subprotocols == first.subprotocols && second.deflate == first.deflate)
        var fields = second.fields
        fields[.secWebSocketKey] = first.key
        #expect(fields == first.fields)
        var answer: HTTPFields = [.upgrade: "websocket", .connection: "upgrade"]
        answer[.secWebSocketAccept] = ClientHandshake.accept(for: second.key)
        #expect(try second.check(status: 101, fields: answer).subprotocol == nil)
        #expect(throws: HandshakeViolation.wrongAccept) { try first.check(status: 101, fields: answer) }
    }

    @Test
    func `the answer to a key is that of the document`() {
        #expect(ClientHandshake.accept(for: "dGhlIHNhbXBsZSBub25jZQ==") == "s3pPLMBiTxaQ9kYGzzhZRbK+xOo=")
    }

    @Test
    func `the least fields are four`() throws {
        let fields = try Self.handshake().fields.map { "\($0.name): \($0.value)" }
        #expect(
            fields == [
                "Upgrade: websocket", "Connection: Upgrade", "Sec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==",
                "Sec-WebSocket-Version: 13",
            ]
        )
    }

    @Test
    func `subprotocols and compression have fields of their own`() throws {
        let fields = try Self.handshake(["chat", "superchat"], .init()).fields
        #expect(fields[.secWebSocketProtocol] == "chat, superchat")
        #expect(fields[.secWebSocketExtensions] == "permessage-deflate; client_max_window_bits")
    }

    @Test(arguments: ["", " ", "a b", "a,b", "ä", "a/b", "a\"", "a\r\n", "a(b)", "\u{7F}"])
    func `a subprotocol is a token`(_ name: String) {
        #expect(throws: HandshakeError.invalidSubprotocol(name)) { try Self.handshake(["ok", name]) }
    }

    @Test
    func `a subprotocol is offered once`() throws {
        #expect(throws: HandshakeError.repeatedSubprotocol("a")) { try Self.handshake(["a", "b", "a"]) }
        #expect(try Self.handshake(["a", "A"]).subprotocols == ["a", "A"])
    }

    @Test(arguments: [-1, 0, 7, 16])
    func `windows have a range`(_ bits: Int) {
        var offer = PerMessageDeflate.Offer()
        offer.serverMaximumWindowBits = bits
        #expect(throws: HandshakeError.invalidWindowBits) { try Self.handshake([], offer) }
        offer.serverMaximumWindowBits = 8
        offer.clientMaximumWindowBits = .bits(bits)
        #expect(throws: HandshakeError.invalidWindowBits) { try Self.handshake([], offer) }
    }

    @Test
    func `the client cannot promise the smallest window`() throws {
        var offer = PerMessageDeflate.Offer()
        offer.clientMaximumWindowBits = .bits(8)
        #expect(throws: HandshakeError.invalidWindowBits) { try Self.handshake([], offer) }
        offer.clientMaximumWindowBits = .bits(9)
        #expect(try Self.handshake([], offer).deflate == offer)
    }

    @Test
    func `a misuse says what is wrong`() {
        #expect(HandshakeError.invalidSubprotocol("a b").description.contains("a b"))
        #expect(HandshakeError.repeatedSubprotocol("a").description.contains("\"a\""))
        #expect(!HandshakeError.invalidWindowBits.description.isEmpty)
    }
}
