// SPDX-License-Identifier: Apache-2.0

import TernWebSocketCore
import Testing

@Suite("FrameEncoder")
struct FrameEncoderTests {
    private static let key = MaskingKey(0x37FA_213D)

    private static func encoded(
        _ opcode: FrameOpcode,
        _ payload: [UInt8],
        isFinal: Bool = true,
        isCompressed: Bool = false,
        key: MaskingKey = Self.key
    ) -> [UInt8] {
        appending(byteCount: FrameEncoder.headerByteCount(payloadByteCount: payload.count) + payload.count) {
            FrameEncoder.encode(
                opcode,
                isFinal: isFinal,
                isCompressed: isCompressed,
                payload: ContiguousArray(payload).span.bytes,
                key: key,
                into: &$0
            )
        }
    }

    @Test
    func `masked text is as in RFC 6455 §5_7`() {
        let expected: [UInt8] = [0x81, 0x85, 0x37, 0xFA, 0x21, 0x3D, 0x7F, 0x9F, 0x4D, 0x51, 0x58]
        #expect(Self.encoded(.text, Array("Hello".utf8)) == expected)
    }

    @Test
    func `a masked pong is as in RFC 6455 §5_7`() {
        let expected: [UInt8] = [0x8A, 0x85, 0x37, 0xFA, 0x21, 0x3D, 0x7F, 0x9F, 0x4D, 0x51, 0x58]
        #expect(Self.encoded(.pong, Array("Hello".utf8)) == expected)
    }

    static let lengths: [(Int, [UInt8])] = [
        (0, [0x80]), (1, [0x81]), (125, [0xFD]), (126, [0xFE, 0, 126]), (127, [0xFE, 0, 127]),
        (0xFFFF, [0xFE, 0xFF, 0xFF]), (0x1_0000, [0xFF, 0, 0, 0, 0, 0, 1, 0, 0]),
        (0x1_0203, [0xFF, 0, 0, 0, 0, 0, 1, 2, 3]),
    ]

    @Test(arguments: lengths)
    func `the length is written in as few bytes as can be`(_ count: Int, _ length: [UInt8]) {
        let payload = (0..<count).map { UInt8(truncatingIfNeeded: $0) }
        let bytes = Self.encoded(.binary, payload, key: MaskingKey(0))
        #expect(bytes == [0x82] + length + [0, 0, 0, 0] + payload)
        #expect(FrameEncoder.headerByteCount(payloadByteCount: count) == 1 + length.count + 4)
    }

    static let firstBytes: [(FrameOpcode, Bool, Bool, UInt8)] = [
        (.text, true, false, 0x81), (.text, false, false, 0x01), (.text, true, true, 0xC1),
        (.binary, false, true, 0x42), (.continuation, true, false, 0x80), (.continuation, false, false, 0x00),
        (.close, true, false, 0x88), (.ping, true, false, 0x89), (.pong, true, false, 0x8A),
    ]

    @Test(arguments: firstBytes)
    func `the first byte holds FIN, RSV1 and the opcode`(
        _ opcode: FrameOpcode,
        _ isFinal: Bool,
        _ isCompressed: Bool,
        _ first: UInt8
    ) {
        #expect(Self.encoded(opcode, [], isFinal: isFinal, isCompressed: isCompressed).first == first)
    }

    @Test
    func `the longest header has 14 bytes`() {
        #expect(FrameEncoder.headerByteCount(payloadByteCount: .max) == 14)
    }

    @Test
    func `frames are appended`() {
        let bytes = appending(byteCount: 12) { output in
            for opcode in [FrameOpcode.ping, .pong] {
                FrameEncoder.encode(opcode, payload: RawSpan(), key: MaskingKey(0), into: &output)
            }
        }
        #expect(bytes == [0x89, 0x80, 0, 0, 0, 0, 0x8A, 0x80, 0, 0, 0, 0])
    }
}
