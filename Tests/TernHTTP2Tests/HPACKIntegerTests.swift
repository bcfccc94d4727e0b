// SPDX-License-Identifier: Apache-2.0

@_spi(CrossModuleInlining) import TernFields
import Testing

@testable import TernHTTP2

@Suite("RFC 7541 §5.1: integers")
struct HPACKIntegerTests {
    static func decode(_ bytes: [UInt8], _ prefix: Int) throws(HTTP2Violation) -> Int {
        try bytes.withUnsafeBufferPointer { (buffer) throws(HTTP2Violation) -> Int in
            var offset = 0
            let value = try HPACKInteger.decode(
                ByteView(UnsafeRawBufferPointer(buffer)),
                &offset,
                prefixBitCount: prefix
            )
            #expect(offset == buffer.count)
            return value
        }
    }

    @Test(arguments: 4...7)
    func `every number comes back`(prefix: Int) throws {
        let borders = [
            0, 1, 14, 15, 30, 31, 62, 63, 126, 127, 128, 254, 255, 256, 16_383, 16_384, HPACKInteger.largest,
        ]
        for value in borders {
            var output: [UInt8] = []
            HPACKInteger.encode(value, prefixBitCount: prefix, pattern: 0x80, into: &output)
            #expect(output[0] & 0x80 == 0x80)
            #expect(try Self.decode(output, prefix) == value)
            for count in 0..<output.count {
                #expect(throws: HTTP2Violation.truncatedFieldBlock) { try Self.decode(Array(output[..<count]), prefix) }
            }
        }
    }

    @Test
    func `superfluous zeros are read, up to five bytes`() throws {
        #expect(try Self.decode([0x1F, 0x80, 0x80, 0x80, 0x80, 0x00], 5) == 31)
        #expect(throws: HTTP2Violation.integerTooLarge) {
            try Self.decode([0x1F, 0x80, 0x80, 0x80, 0x80, 0x80, 0x00], 5)
        }
    }

    @Test(arguments: [
        "1fff ffff ff07", "1fff ffff ff0f", "1fff ffff ff7f", "1fff ffff ffff ffff ffff 7f", "1f80 8080 8010",
    ])
    func `what exceeds the limit is an error`(bytes: String) {
        #expect(throws: HTTP2Violation.integerTooLarge) { try Self.decode(hex(bytes), 5) }
    }
}
