// SPDX-License-Identifier: Apache-2.0

import TernCompression
import Testing

@Suite("DeflateParameters")
struct DeflateParametersTests {
    @Test
    func `the defaults are those of zlib`() {
        let parameters = DeflateParameters()
        #expect(parameters == DeflateParameters(level: 6, windowBits: 15, memoryLevel: 8, strategy: .standard))
    }

    @Test
    func `memory is counted as in zlib's manual`() {
        #expect(256 << 10...272 << 10 ~= DeflateParameters().memoryByteCount)
        #expect(DeflateParameters(windowBits: 9, memoryLevel: 1).memoryByteCount < 12 << 10)
        for bits in 9..<15 {
            let (less, more) = (DeflateParameters(windowBits: bits), DeflateParameters(windowBits: bits + 1))
            #expect(more.memoryByteCount - less.memoryByteCount == 4 << bits)
        }
        for level in 1..<9 {
            let (less, more) = (DeflateParameters(memoryLevel: level), DeflateParameters(memoryLevel: level + 1))
            #expect(more.memoryByteCount - less.memoryByteCount == 512 << level)
        }
        #expect(Inflater.memoryByteCount(windowBits: 15) == 40 << 10)
        #expect(Inflater.memoryByteCount(windowBits: 8) < 9 << 10)
    }
}
