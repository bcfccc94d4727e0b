// SPDX-License-Identifier: Apache-2.0

import TernWebSocketCore
import Testing

@Suite("Opcode")
struct OpcodeTests {
    @Test
    func `six values are defined`() {
        #expect((UInt8.min...UInt8.max).filter { FrameOpcode(rawValue: $0) != nil } == [0x0, 0x1, 0x2, 0x8, 0x9, 0xA])
    }

    @Test(arguments: [FrameOpcode.continuation, .text, .binary])
    func `data frames do not control`(_ opcode: FrameOpcode) { #expect(!opcode.isControl) }

    @Test(arguments: [FrameOpcode.close, .ping, .pong])
    func `control frames do`(_ opcode: FrameOpcode) { #expect(opcode.isControl) }

    @Test
    func `messages start with the opcode of their kind`() {
        #expect(MessageKind.text.opcode == .text)
        #expect(MessageKind.binary.opcode == .binary)
    }
}
