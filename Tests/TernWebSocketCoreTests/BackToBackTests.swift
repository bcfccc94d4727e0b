// SPDX-License-Identifier: Apache-2.0

import TernCompression
import TernWebSocketCore
import TestSupport
import Testing

/// Tests the client's encoder and decoder against a simple server, which sends every message back.
@Suite("Client and server, back to back")
struct BackToBackTests {
    typealias Agreement = PerMessageDeflate.Agreement

    /// Returns messages with similar texts, and some messages with random bytes.
    private static func messages(_ generator: inout SeededGenerator) -> [[UInt8]] {
        (0..<16).map { index in
            let count = index == 4 ? 66_000 : [0, 1, 5, 80, 125, 126, 300, 2000].randomElement(using: &generator) ?? 0
            if index.isMultiple(of: 3) { return (0..<count).map { _ in UInt8.random(in: 0...255, using: &generator) } }
            let words = ["größer ", "price:101.25,", "😀", "abc", "{}"]
            let text = (0..<(count / 4 + 1)).map { _ in words.randomElement(using: &generator) ?? "" }.joined()
            return Array(text.utf8.prefix(count))
        }
    }

    @Test(arguments: 0..<8)
    func `plain messages come back, however they are fragmented and split`(_ seed: UInt64) throws {
        var generator = SeededGenerator(seed: seed)
        let messages = Self.messages(&generator)
        var decoder = WebSocketDecoder()
        var received: [[UInt8]] = []
        for message in messages {
            let sent = clientFrames(message, compressed: false, &generator)
            let read = try ServerReader(sent).payload(isCompressed: false)
            expectEqual(read, message)
            let answer = serverFrames(read, compressed: false, &generator)
            received += try decoder.messages(in: answer, splitUsing: &generator)
        }
        #expect(received.map(\.count) == messages.map(\.count))
        expectEqual(Array(received.joined()), Array(messages.joined()))
    }

    @Test(arguments: 8...15, [0, 1, 2, 3])
    func `compressed messages come back, whatever was agreed on`(_ bits: Int, _ flags: Int) throws {
        var generator = SeededGenerator(seed: UInt64(bits * 4 + flags))
        let messages = Self.messages(&generator)
        // Both directions have the same parameters, so the server can send the client's compressed bytes back
        // unchanged.
        let isAlone = flags & 1 != 0
        let agreement = Agreement(
            serverNoContextTakeover: isAlone,
            clientNoContextTakeover: isAlone,
            serverWindowBits: bits,
            clientWindowBits: bits
        )
        var deflater = MessageDeflater(agreement, DeflateParameters(level: flags & 2 == 0 ? 6 : 1))
        var server = WebSocketDecoder(deflate: agreement)
        var decoder = WebSocketDecoder(deflate: agreement)
        var received: [[UInt8]] = []
        for message in messages {
            let room = [8, 100, 1 << 16].randomElement(using: &generator) ?? 8
            let payload = try deflater.compressed(message, room: room)
            let read = try ServerReader(clientFrames(payload, compressed: true, &generator)).payload(isCompressed: true)
            expectEqual(read, payload)
            #expect(try server.messages(in: serverFrame(0xC2, read), room: 512) == [message])
            let answer = serverFrames(read, compressed: true, &generator)
            received += try decoder.messages(in: answer, splitUsing: &generator)
        }
        #expect(received.map(\.count) == messages.map(\.count))
        expectEqual(Array(received.joined()), Array(messages.joined()))
    }
}
