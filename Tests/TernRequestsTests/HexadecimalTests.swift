// SPDX-License-Identifier: Apache-2.0

import Testing

@testable import TernRequests

@Suite("Hexadecimal")
struct HexadecimalTests {
    /// A random number generator that returns given numbers.
    private struct ScriptedGenerator: RandomNumberGenerator {
        var numbers: [UInt64]

        mutating func next() -> UInt64 { self.numbers.removeFirst() }
    }

    @Test(arguments: [([], ""), ([0], "00"), ([0x0A, 0xF0, 0x9F, 0xFF], "0af09fff")] as [([UInt8], String)])
    func `a byte is two digits, in lower case`(_ bytes: [UInt8], _ expected: String) {
        #expect(bytes.withUnsafeBytes { Hexadecimal.digits(of: $0) } == expected)
    }

    @Test
    func `every byte is written as the standard library has it`() {
        for byte in UInt8.min ... .max {
            let expected = (byte < 16 ? "0" : "") + String(byte, radix: 16)
            #expect([byte].withUnsafeBytes { Hexadecimal.digits(of: $0) } == expected)
        }
    }

    @Test(arguments: [
        (0, 1, "0"), (0, 8, "00000000"), (31, 4, "001f"), (0x1234, 2, "1234"), (.max, 16, "ffffffffffffffff"),
    ])
    func `a number has zeros before it`(_ value: UInt64, _ count: Int, _ expected: String) {
        #expect(Hexadecimal.padded(value, count: count) == expected)
    }

    @Test(arguments: [
        ([0, 0], "00000000000000000000000000000000"), ([1, 0xF], "0000000000000001000000000000000f"),
        ([.max, .max], "ffffffffffffffffffffffffffffffff"),
        ([0x0123_4567_89AB_CDEF, 2], "0123456789abcdef0000000000000002"),
    ])
    func `128 bits are 32 digits, however small the numbers`(_ numbers: [UInt64], _ expected: String) {
        var generator = ScriptedGenerator(numbers: numbers)
        let digits = Hexadecimal.random128(using: &generator)
        #expect(digits == expected)
    }

    @Test
    func `the system's generator gives 32 digits, too, and others each time`() {
        let texts = (0..<100).map { _ in Hexadecimal.random128() }
        #expect(texts.allSatisfy { $0.utf8.count == 32 })
        #expect(Set(texts).count == 100)
    }
}
