// SPDX-License-Identifier: Apache-2.0
import TestSupport
import Testing

@testable import TernStreams

@Suite("The search of a block")
struct ByteBlockTests {
    private func block<Result>(_ bytes: [UInt8], _ body: (ByteBlock) -> Result) -> Result? {
        bytes.withUnsafeBytes { $0.baseAddress.map { body(ByteBlock($0)) } }
    }

    @Test func `each value at each place is LF, CR or neither`() {
        for value in UInt8.min...UInt8.max {
            for index in 0..<64 {
                var bytes = Array(repeating: 0x61 as UInt8, count: 64)
                bytes[index] = value
                let isBreak = value == 0x0A || value == 0x0D
                let isEqual = self.block(bytes) {
                    $0.breaks == (isBreak ? 1 << UInt64(index) : 0) && $0.containsBreak == isBreak
                }
                #expect(isEqual == true, "\(value) at \(index)")
            }
        }
    }

    @Test func `values near LF and CR beside them are not mistaken for them`() {
        var generator = SeededGenerator(seed: 1)
        let values: [UInt8] = [0x00, 0x09, 0x0A, 0x0B, 0x0C, 0x0D, 0x0E, 0x7F, 0x80, 0x8A, 0x8D, 0xFF]
        for _ in 0..<500 {
            let bytes = (0..<64).map { _ in values[Int.random(in: values.indices, using: &generator)] }
            let expected = bytes.enumerated().reduce(into: 0 as UInt64) { bits, byte in
                if byte.element == 0x0A || byte.element == 0x0D { bits |= 1 << UInt64(byte.offset) }
            }
            #expect(self.block(bytes) { $0.breaks } == expected, "\(bytes)")
        }
    }

    @Test func `a high bit at each place is in the union`() {
        for index in 0..<64 {
            var bytes = Array(repeating: 0x7F as UInt8, count: 64)
            #expect(self.block(bytes) { ($0.union[0] | $0.union[1]) & 0x8080_8080_8080_8080 } == 0)
            bytes[index] = 0x80
            #expect(self.block(bytes) { ($0.union[0] | $0.union[1]) & 0x8080_8080_8080_8080 } != 0)
        }
    }
}
