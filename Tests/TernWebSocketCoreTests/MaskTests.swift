// SPDX-License-Identifier: Apache-2.0

import TestSupport
import Testing

@testable import TernWebSocketCore

@Suite("Mask")
struct MaskTests {
    private static let key = MaskingKey(0x37FA_213D)
    private static let keyBytes: [UInt8] = [0x37, 0xFA, 0x21, 0x3D]

    /// Returns masked bytes, with the algorithm as RFC 6455 §5.3 describes it.
    private static func masked(_ bytes: [UInt8], at offset: Int) -> [UInt8] {
        bytes.enumerated().map { $1 ^ Self.keyBytes[($0 + offset) % 4] }
    }

    private static func bytes(_ count: Int) -> [UInt8] { (0..<count).map { UInt8(truncatingIfNeeded: $0 * 37 + 11) } }

    @Test(arguments: 0...70)
    func `bytes of any length are masked while they are appended`(_ count: Int) {
        let plain = Self.bytes(count)
        for offset in 0...70 {
            for prefix in [0, 1, 3] {
                let appended = appending(byteCount: count + prefix) { output in
                    for _ in 0..<prefix { output.append(0xAA) }
                    Mask.append(ContiguousArray(plain).span.bytes, Self.key, at: offset, to: &output)
                }
                #expect(appended == Array(repeating: 0xAA, count: prefix) + Self.masked(plain, at: offset))
            }
        }
    }

    @Test
    func `masking in pieces is masking at once`() {
        let plain = Self.bytes(100)
        for cut in 0...100 {
            let pieces = appending(byteCount: 100) { output in
                let plain = ContiguousArray(plain)
                let span = plain.span.bytes
                Mask.append(span.extracting(first: cut), Self.key, to: &output)
                Mask.append(span.extracting(droppingFirst: cut), Self.key, at: cut, to: &output)
            }
            #expect(pieces == Self.masked(plain, at: 0))
        }
    }

    @Test
    func `a key of zero changes nothing`() {
        let plain = Self.bytes(50)
        let masked = appending(byteCount: 50) { Mask.append(ContiguousArray(plain).span.bytes, MaskingKey(0), to: &$0) }
        #expect(masked == plain)
    }

    @Test
    func `a key is 32 bits of the generator`() {
        var generator = SeededGenerator(seed: 1)
        let keys = (0..<100).map { _ in MaskingKey.random(using: &generator) }
        #expect(Set(keys).count == 100)
        var same = SeededGenerator(seed: 1)
        #expect(MaskingKey.random(using: &same) == keys[0])
    }
}
