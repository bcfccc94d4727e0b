// SPDX-License-Identifier: Apache-2.0

import TernWebSocketCore
import TestSupport
import Testing

@Suite("RFC 6455 §5.2: frames")
struct FrameConformance {
    static let accepted: [Vector<MessageExpectation>] = [
        .init("§5.7", "unmasked text", [0x81, 0x05, 0x48, 0x65, 0x6C, 0x6C, 0x6F], .decodes("text Hello")),
        .init(
            "§5.7",
            "fragmented text",
            [0x01, 0x03, 0x48, 0x65, 0x6C, 0x80, 0x02, 0x6C, 0x6F],
            .decodes("text Hello")
        ),
        .init("§5.7", "a ping", [0x89, 0x05, 0x48, 0x65, 0x6C, 0x6C, 0x6F], .decodes("ping Hello")),
        .init(
            "§5.7",
            "256 bytes",
            [0x82, 0x7E, 0x01, 0x00] + Array(repeating: 7, count: 256),
            .decodes("binary of 256")
        ),
        .init("§5.2", "empty text", frame(0x81), .decodes("text ")),
        .init("§5.2", "empty binary", frame(0x82), .decodes("binary []")),
        .init("§5.2", "binary", frame(0x82, [0, 0xFF, 0x80]), .decodes("binary [0, 255, 128]")),
        .init("§5.2", "125 bytes", frame(0x82, Array(repeating: 1, count: 125)), .decodes("binary of 125")),
        .init("§5.2", "126 bytes", frame(0x82, Array(repeating: 1, count: 126)), .decodes("binary of 126")),
        .init("§5.2", "127 bytes", frame(0x82, Array(repeating: 1, count: 127)), .decodes("binary of 127")),
        .init("§5.2", "two messages", frame(0x81, "a") + frame(0x82, [1]), .decodes("text a", "binary [1]")),
        .init(
            "§5.2",
            "many messages",
            frame(0x81) + frame(0x81, "ab") + frame(0x82) + frame(0x81, "c"),
            .decodes("text ", "text ab", "binary []", "text c")
        ),
    ]

    static let refused: [Vector<MessageExpectation>] = [
        .init("§5.2", "RSV1 without an extension", frame(0xC1, "a"), .breaks(.reservedBit)),
        .init("§5.2", "RSV2", frame(0xA1, "a"), .breaks(.reservedBit)),
        .init("§5.2", "RSV3", frame(0x91, "a"), .breaks(.reservedBit)),
        .init("§5.2", "all three", frame(0xF2, "a"), .breaks(.reservedBit)),
        .init("§5.2", "RSV1 on a ping", frame(0xC9), .breaks(.reservedBit)),
        .init("§5.2", "RSV1 on a Close", frame(0xC8), .breaks(.reservedBit)),
        .init("§5.2", "after a good message", frame(0x81, "a") + frame(0xA1), .breaks(.reservedBit, after: "text a")),
        .init("§5.1", "an empty masked frame", [0x81, 0x80], .breaks(.maskedFrame)),
        .init("§5.7", "masked text", [0x81, 0x85, 0x37, 0xFA, 0x21, 0x3D, 0x7F], .breaks(.maskedFrame)),
        .init("§5.1", "a masked ping", [0x89, 0x80, 1, 2, 3, 4], .breaks(.maskedFrame)),
        .init("§5.1", "masked, with a long length", [0x82, 0xFE, 0x01, 0x00], .breaks(.maskedFrame)),
        .init("§5.2", "0 in 16 bits", [0x82, 126, 0, 0], .breaks(.lengthNotMinimal)),
        .init("§5.2", "125 in 16 bits", [0x82, 126, 0, 125], .breaks(.lengthNotMinimal)),
        .init("§5.2", "0 in 64 bits", [0x82, 127, 0, 0, 0, 0, 0, 0, 0, 0], .breaks(.lengthNotMinimal)),
        .init("§5.2", "65535 in 64 bits", [0x82, 127, 0, 0, 0, 0, 0, 0, 0xFF, 0xFF], .breaks(.lengthNotMinimal)),
        .init("§5.2", "the top bit", [0x82, 127, 0x80, 0, 0, 0, 0, 0, 0, 0], .breaks(.lengthTooLarge)),
        .init("§5.2", "all bits", [0x82, 127] + Array(repeating: 0xFF, count: 8), .breaks(.lengthTooLarge)),
    ]

    static let unknown: [Vector<MessageExpectation>] = [3, 4, 5, 6, 7, 11, 12, 13, 14, 15].map { opcode in
        .init("§5.2", "opcode \(opcode)", frame(0x80 | opcode), .breaks(.unknownOpcode(opcode)))
    }

    @Test(arguments: accepted)
    func `frames become messages`(_ vector: Vector<MessageExpectation>) { vector.check() }

    @Test(arguments: refused)
    func `what is not a frame of a server is refused`(_ vector: Vector<MessageExpectation>) { vector.check() }

    @Test(arguments: unknown)
    func `reserved opcodes are refused, without FIN, too`(_ vector: Vector<MessageExpectation>) {
        vector.check()
        var unfinished = vector.bytes
        unfinished[0] &= 0x7F
        Vector(vector.section, vector.rule, unfinished, vector.expected).check()
    }

    @Test("§5.2: a payload of 65536 bytes has its length in 64 bits")
    func long() {
        let bytes = frame(0x82, Array(repeating: 1, count: 0x1_0000)) + frame(0x81, "a")
        for cut in [0, 1, 2, 5, 9, 10, 11, 40_000, bytes.count - 4] {
            let transcript = MessageTranscript(of: [bytes[..<cut], bytes[cut...]], as: .decodes())
            #expect(transcript.lines == ["binary of 65536", "text a"])
        }
    }
}
