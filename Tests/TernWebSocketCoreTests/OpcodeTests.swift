// SPDX-License-Identifier: Apache-2.0

import TernWebSocketCore
import Testing

@Suite("Opcode")
struct OpcodeTests {
    @Test
    func `six values are defined`() {
        #expect((UInt8.min...UInt8.max).filter { Opcode(rawValue: $0) != nil } == [0x0, 0x1, 0x2, 0x8, 0x9, 0xA])
    }

    @Test(arguments: [Opcode.continuation, .text, .binary])
    func `data frames do not control`(_ opcode: Opcode) { #expect(!opcode.isControl) }

    @Test(arguments: [Opcode.close, .ping, .pong])
    func `control frames do`(_ opcode: Opcode) { #expect(opcode.isControl) }

    @Test
    func `messages start with the opcode of their kind`() {
        #expect(MessageKind.text.opcode == .text)
        #expect(MessageKind.binary.opcode == .binary)
    }
}
