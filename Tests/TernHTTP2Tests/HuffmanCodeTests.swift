// SPDX-License-Identifier: Apache-2.0

import TestSupport
import Testing

@testable import TernHTTP2

@Suite("RFC 7541 §5.2: the Huffman code")
struct HuffmanCodeTests {
    private static func encoded(_ text: [UInt8]) -> [UInt8] {
        var output: [UInt8] = [7]
        text.withUnsafeBytes { bytes in
            let byteCount = HuffmanCode.shared.encodedByteCount(bytes)
            HuffmanCode.shared.encode(bytes, byteCount: byteCount, into: &output)
        }
        return Array(output.dropFirst())
    }

    private static func decoded(_ bytes: [UInt8]) throws -> [UInt8] {
        var output = [UInt8](repeating: 0, count: HuffmanCode.decodedByteCountUpperBound(bytes.count))
        let count = try bytes.withUnsafeBytes { bytes in
            try output.withUnsafeMutableBytes { try HuffmanCode.shared.decode(bytes, into: $0) }
        }
        return Array(output[..<count])
    }

    @Test
    func `the words are those of Appendix B`() {
        #expect(Self.encoded([0]) == hex("ffc7"))  // 13 bits: 1ff8
        #expect(Self.encoded(Array("0".utf8)) == hex("07"))
        #expect(Self.encoded([0x0A]) == hex("ffff fff3"))  // 30 bits: 3ffffffc
        #expect(Self.encoded([0xF9]) == hex("ffff ffef"))  // 28 bits: ffffffe
        #expect(Self.encoded(Array("~".utf8)) == hex("ffef"))  // 13 bits: 1ffd
        #expect(HuffmanCode.lengths.count == 257)
    }

    @Test
    func `every byte comes back, at every place of a byte`() throws {
        for byte in UInt8.min...UInt8.max {
            for before in 0..<9 {
                let text = [UInt8](repeating: UInt8(ascii: "a"), count: before) + [byte, UInt8(ascii: "x")]
                #expect(try Self.decoded(Self.encoded(text)) == text)
            }
        }
    }

    @Test
    func `random texts come back`() throws {
        var generator = SeededGenerator(seed: 7541)
        for length in 0..<400 {
            let isText = length % 2 == 0
            let text = (0..<length).map { _ in UInt8.random(in: isText ? 0x20...0x7E : 0...0xFF, using: &generator) }
            #expect(try Self.decoded(Self.encoded(text)) == text)
        }
    }

    @Test
    func `padding is up to seven 1 bits`() throws {
        #expect(try Self.decoded([0x1F]) == [UInt8(ascii: "a")])  // 00011 111
        #expect(try Self.decoded([]) == [])
        for bytes in ["1e", "18", "1fff", "ff", "ffff", "ffff ffff", "07ff", "1fff ffff"] {
            #expect(throws: HTTP2Violation.invalidHuffmanCode, "\(bytes)") { try Self.decoded(hex(bytes)) }
        }
    }

    @Test
    func `the end of string is an error`() {
        for bytes in ["ffff fffc", "ffff ffff", "1fff ffff ff", "ffff fffd 8f"] {
            #expect(throws: HTTP2Violation.invalidHuffmanCode, "\(bytes)") { try Self.decoded(hex(bytes)) }
        }
    }

    @Test
    func `any bytes are decoded or refused`() {
        var generator = SeededGenerator(seed: 52)
        for length in 0..<2000 {
            let bytes = (0..<length % 50).map { _ in UInt8.random(in: 0...0xFF, using: &generator) }
            guard let text = try? Self.decoded(bytes) else { continue }
            #expect(Self.encoded(text) == bytes)
        }
    }
}
