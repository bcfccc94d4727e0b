// SPDX-License-Identifier: Apache-2.0

import TernWebSocketCore
import TestSupport
import Testing

@Suite("RFC 6455 §8.1: text is UTF-8")
struct TextConformance {
    static let valid: [Vector<MessageExpectation>] = [
        "κόσμε", "\u{0}", "\u{7F}", "\u{80}", "\u{7FF}", "\u{800}", "\u{FFFF}", "\u{10000}", "\u{10FFFF}", "\u{D7FF}",
        "\u{E000}", "\u{FFFD}", "\u{FEFF}", "Hello-µ@ßöäüàá-UTF-8!!", String(repeating: "a", count: 63) + "é",
    ].map { .init("§8.1", $0, frame(0x81, $0), .decodes("text \($0)")) }

    static let invalid: [Vector<MessageExpectation>] = [
        ("a lone continuation", [0x80]),
        ("another", [0xBF]),
        ("a cut character", [0xC3]),
        ("three of four bytes", [0xF0, 0x9F, 0x98]),
        ("ASCII within a character", [0xE2, 0x82, 0x41]),
        ("overlong NUL", [0xC0, 0x80]),
        ("overlong slash in two", [0xC0, 0xAF]),
        ("overlong DEL in two", [0xC1, 0xBF]),
        ("overlong in three", [0xE0, 0x9F, 0xBF]),
        ("overlong in four", [0xF0, 0x8F, 0xBF, 0xBF]),
        ("the first surrogate", [0xED, 0xA0, 0x80]),
        ("the last surrogate", [0xED, 0xBF, 0xBF]),
        ("a pair of surrogates", [0xED, 0xA0, 0xBD, 0xED, 0xB8, 0x80]),
        ("above U+10FFFF", [0xF4, 0x90, 0x80, 0x80]),
        ("F5", [0xF5, 0x80, 0x80, 0x80]),
        ("five bytes", [0xF8, 0x88, 0x80, 0x80, 0x80]),
        ("six bytes", [0xFC, 0x84, 0x80, 0x80, 0x80, 0x80]),
        ("FE", [0xFE]),
        ("FF", [0xFF]),
        ("behind good text", Array("κόσμε".utf8) + [0xED, 0xA0, 0x80] + Array("edited".utf8)),
        ("behind 64 bytes", Array(repeating: 0x61, count: 64) + [0xFF]),
    ].map { .init("§8.1", $0, frame(0x81, $1), .breaks(.invalidText)) }

    @Test(arguments: valid)
    func `valid text is given`(_ vector: Vector<MessageExpectation>) { vector.check() }

    @Test(arguments: invalid)
    func `invalid text is refused`(_ vector: Vector<MessageExpectation>) { vector.check() }

    @Test(arguments: invalid)
    func `it is fine as binary`(_ vector: Vector<MessageExpectation>) {
        var bytes = vector.bytes
        bytes[0] = 0x82
        #expect(MessageTranscript(of: [bytes[...]], as: vector.expected).violation == nil)
    }

    @Test(arguments: invalid)
    func `invalid text in fragments is refused`(_ vector: Vector<MessageExpectation>) {
        let payload = Array(vector.bytes.dropFirst(2))
        for cut in 0...payload.count {
            let bytes = frame(0x01, Array(payload[..<cut])) + frame(0x89) + frame(0x80, Array(payload[cut...]))
            for pieces in [[bytes[...]], bytes.indices.map { bytes[$0...$0] }] {
                #expect(MessageTranscript(of: pieces, as: vector.expected).violation == .invalidText)
            }
        }
    }

    @Test("§8.1: the decoder fails at the first invalid byte, long before the frame ends")
    func failsFast() throws {
        // The bytes of Autobahn's case 6.4.1, as the first part of a longer frame.
        let start = [0x81, 21] + Array("κόσμε".utf8)
        var decoder = WebSocketDecoder()
        var room: [UInt8] = []
        #expect(try decoder.step(start, into: &room).consumedByteCount == start.count)
        #expect(try decoder.step([0xF4], into: &room).consumedByteCount == 1)
        #expect(throws: WebSocketViolation.invalidText) { _ = try decoder.step([0x90], into: &room) }
    }

    @Test("§8.1: the decoder also fails at once within a fragment that is not the last")
    func failsFastInFragments() throws {
        var decoder = WebSocketDecoder()
        var room: [UInt8] = []
        _ = try decoder.step(frame(0x01, "κόσμε"), into: &room)
        #expect(throws: WebSocketViolation.invalidText) { _ = try decoder.step([0x00, 9, 0xED, 0xA0], into: &room) }
    }
}
