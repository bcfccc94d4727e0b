// SPDX-License-Identifier: Apache-2.0

import TernCompression
import TernWebSocketCore
import TestSupport
import Testing

@Suite("MessageDeflater")
struct MessageDeflaterTests {
    typealias Agreement = PerMessageDeflate.Agreement

    private static let hello = Array("Hello".utf8)

    @Test
    func `messages are the examples of RFC 7692 §7_2_3`() throws {
        var deflater = MessageDeflater(Agreement())
        #expect(try deflater.compressed(Self.hello) == [0xF2, 0x48, 0xCD, 0xC9, 0xC9, 0x07, 0x00])
        #expect(try deflater.compressed(Self.hello) == [0xF2, 0x00, 0x11, 0x00, 0x00])
    }

    @Test
    func `without context each message is the same`() throws {
        var deflater = MessageDeflater(Agreement(clientNoContextTakeover: true))
        let first = try deflater.compressed(Self.hello)
        #expect(first == [0xF2, 0x48, 0xCD, 0xC9, 0xC9, 0x07, 0x00])
        #expect(try deflater.compressed(Self.hello) == first)
        #expect(try deflater.compressed([]) == [0x00])
        #expect(try deflater.compressed(Self.hello) == first)
    }

    @Test
    func `an empty message is one byte, and changes nothing`() throws {
        var deflater = MessageDeflater(Agreement())
        #expect(try deflater.compressed([]) == [0x00])
        #expect(try deflater.compressed(Self.hello).count == 7)
        #expect(try deflater.compressed([]) == [0x00])
        #expect(try deflater.compressed([]) == [0x00])
        #expect(try deflater.compressed(Self.hello).count == 5)
    }

    @Test(arguments: [5, 6, 7, 8, 9, 13, 64])
    func `little room changes nothing`(_ room: Int) throws {
        let messages = try Self.messages(room: room)
        #expect(try messages == Self.messages(room: 1 << 16))
        // The deflater removes the tail even if it wrote the tail in two outputs.
        #expect(messages.allSatisfy { $0.suffix(4) != [0x00, 0x00, 0xFF, 0xFF] })
    }

    private static func messages(room: Int) throws -> [[UInt8]] {
        var deflater = MessageDeflater(Agreement())
        var generator = SeededGenerator(seed: 3)
        var messages: [[UInt8]] = []
        for count in 0..<120 {
            let bytes: Range<UInt8> = count.isMultiple(of: 2) ? 0..<255 : 0..<4
            let message = (0..<count).map { _ in UInt8.random(in: bytes, using: &generator) }
            messages.append(try deflater.compressed(message, room: room))
        }
        return messages
    }

    @Test
    func `a message in pieces inflates to the same`() throws {
        let text = Array(String(repeating: "{\"price\":101.25}", count: 40).utf8)
        for cut in [0, 1, 15, 16, 17, 300, text.count] {
            var deflater = MessageDeflater(Agreement())
            var bytes = try deflater.compressed(Array(text[..<cut]), isFinal: false)
            bytes += try deflater.compressed(Array(text[cut...]))
            #expect(try inflated([bytes], Agreement()) == [text])
        }
    }

    @Test(arguments: 8...15)
    func `the window of the agreement is kept`(_ bits: Int) throws {
        // The message repeats a random kilobyte at a distance that only the largest window covers.
        var generator = SeededGenerator(seed: UInt64(bits))
        let noise = (0..<(1 << bits)).map { _ in UInt8.random(in: 0...255, using: &generator) }
        let messages = [noise, noise, noise + noise, Array(repeating: 7, count: 10_000)]
        let agreement = Agreement(serverWindowBits: bits, clientWindowBits: bits)
        var deflater = MessageDeflater(agreement)
        var compressed: [[UInt8]] = []
        for message in messages { compressed.append(try deflater.compressed(message)) }
        // The other side keeps only the bytes of the window, so a distance beyond the window would be corrupt.
        #expect(try inflated(compressed, agreement, room: 16) == messages)
        #expect(compressed[3].count < 200)
    }

    @Test
    func `with the smallest window only runs are looked for`() throws {
        let text = Array(String(repeating: "abc", count: 1000).utf8)
        var smallest = MessageDeflater(Agreement(clientWindowBits: 8))
        var next = MessageDeflater(Agreement(clientWindowBits: 9))
        #expect(try smallest.compressed(text).count > 300)
        #expect(try next.compressed(text).count < 100)
    }

    @Test
    func `the parameters may ask for less than the agreement allows`() throws {
        var deflater = MessageDeflater(Agreement(), DeflateParameters(level: 1, windowBits: 9, memoryLevel: 1))
        let text = Array(String(repeating: "abc", count: 1000).utf8)
        let bytes = try deflater.compressed(text)
        #expect(try inflated([bytes], Agreement(serverWindowBits: 9)) == [text])
    }

    @Test
    func `parameters out of range are found at the first message`() throws {
        var deflater = MessageDeflater(Agreement(), DeflateParameters(level: 10))
        #expect(try deflater.compressed([]) == [0x00])
        #expect(throws: CompressionError.levelOutOfRange(10)) { try deflater.compressed(Self.hello) }
    }
}
