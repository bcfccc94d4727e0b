// SPDX-License-Identifier: Apache-2.0

import HTTPTypes
import Testing

@testable import TernHTTP2

@Suite("HPACKDecoder")
struct HPACKDecoderTests {
    @Test(
        arguments: [
            ("80", .invalidFieldIndex), ("be", .invalidFieldIndex), ("7e 01 61", .invalidFieldIndex),
            ("ff 80 80 80 80 80 00", .integerTooLarge), ("ff", .truncatedFieldBlock), ("40", .truncatedFieldBlock),
            ("40 02 61", .truncatedFieldBlock), ("40 01 61", .truncatedFieldBlock),
            ("40 01 61 05 61", .truncatedFieldBlock),
            ("00 ff ff ff ff 03", .truncatedFieldBlock), ("41 82 ff ff", .invalidHuffmanCode),
            ("41 84 ff ff ff fc", .invalidHuffmanCode), ("82 3f e1 1f", .misplacedTableSizeUpdate),
            ("3f e2 1f", .tableSizeUpdateTooLarge), ("20 20 20 82", .misplacedTableSizeUpdate),
        ] as [(String, HTTP2Violation)]
    )
    func `blocks that break a rule`(block: String, violation: HTTP2Violation) {
        var decoder = HPACKDecoder()
        #expect(throws: violation) { try decoder.lines(of: hex(block)) }
        #expect(violation.scope == .connection)
        #expect(violation.code == .compressionError)
    }

    @Test
    func `two size updates may begin a block, and empty the table`() throws {
        var decoder = HPACKDecoder()
        #expect(try decoder.lines(of: hex("40 01 61 01 62")) == ["a:b"])
        #expect(try decoder.lines(of: hex("be")) == ["a:b"])
        #expect(try decoder.lines(of: hex("20 3f e1 1f 82")) == [":method:GET"])
        #expect(decoder.table.maximumByteCount == 4096)
        #expect(throws: HTTP2Violation.invalidFieldIndex) { try decoder.lines(of: hex("be")) }
    }

    @Test
    func `an entry that is larger than the table empties it`() throws {
        var decoder = HPACKDecoder(maximumTableByteCount: 64)
        #expect(try decoder.lines(of: hex("40 01 61 01 62")) == ["a:b"])
        let long = [UInt8](repeating: UInt8(ascii: "x"), count: 40)
        #expect(try decoder.lines(of: [0x40, 1, 0x63, 40] + long).count == 1)
        #expect(decoder.table.count == 0)
        #expect(decoder.table.byteCount == 0)
    }

    @Test
    func `a name may be taken from an entry that its insertion evicts`() throws {
        var decoder = HPACKDecoder(maximumTableByteCount: 64)
        _ = try decoder.lines(of: hex("40 03 61 62 63 01 62"))
        #expect(try decoder.lines(of: hex("7e 02 63 64 be")) == ["abc:cd", "abc:cd"])
        #expect(decoder.table.count == 1)
    }

    @Test
    func `a list over the limit keeps the table in step`() throws {
        var (decoder, encoder) = (HPACKDecoder(), HPACKEncoder())
        let fields = (0..<20).map { ("name-\($0)", "value-\($0)") }
        let block = encoder.block(fields)
        #expect(try decoder.fault(in: block, limit: 500) == .fieldListTooLong(limit: 500))
        #expect(try decoder.lines(of: encoder.block(fields)) == fields.map { "\($0):\($1)" })
        #expect(throws: HTTP2Violation.fieldListOverDecodingLimit(limit: 800)) {
            try decoder.fault(in: block, limit: 400)
        }
    }

    @Test
    func `a bomb ends at the limit and takes no memory`() throws {
        var decoder = HPACKDecoder()
        let entry: [UInt8] = [0x40, 1, 0x61, 0x7F, 0x80, 0x1E] + [UInt8](repeating: 0x62, count: 127 + 3840)
        let block = entry + [UInt8](repeating: 0xBE, count: 12_000)  // 48 MB of fields
        var lines = FieldLines(maximumByteCount: 256 << 10, largestByteCount: 512 << 10)
        #expect(throws: HTTP2Violation.fieldListOverDecodingLimit(limit: 512 << 10)) {
            try decoder.decode(ContiguousArray(block).span.bytes, into: &lines)
        }
        #expect(lines.roomByteCount < 1 << 20)
        #expect(decoder.table.roomByteCount <= 3 * 4096)
    }

    @Test
    func `an endless game with the size of the table takes no memory`() throws {
        var decoder = HPACKDecoder()
        for round in 0..<2000 {
            let size: [UInt8] = round % 2 == 0 ? [0x20] : [0x3F, 0xE1, 0x1F]
            let value = [UInt8](repeating: 0x61, count: round % 100)
            _ = try decoder.lines(of: size + [0x40, 1, 0x62, UInt8(value.count)] + value)
        }
        #expect(decoder.table.roomByteCount <= 3 * 4096)
    }

    @Test(
        arguments: [
            ("00 01 41 01 62", .invalidFieldName), ("00 00 01 62", .invalidFieldName),
            ("00 01 20 01 62", .invalidFieldName),
            ("00 02 61 3a 01 62", .invalidFieldName), ("00 02 61 0a 01 62", .invalidFieldName),
            ("00 01 7f 00", .invalidFieldName), ("00 01 ff 00", .invalidFieldName),
            ("00 01 61 01 00", .invalidFieldValue), ("00 01 61 01 0a", .invalidFieldValue),
            ("00 01 61 01 0d", .invalidFieldValue), ("00 01 61 02 62 7f", .invalidFieldValue), ("00 01 61 01 09", nil),
            ("00 01 61 01 ff", nil), ("00 0a 63 6f 6e 6e 65 63 74 69 6f 6e 00", .connectionSpecificField),
            ("00 07 75 70 67 72 61 64 65 00", .connectionSpecificField), ("0f 2a 01 61", .connectionSpecificField),
            ("00 01 61 00 88", .misplacedPseudoField), ("88 88", .repeatedPseudoField), ("82", .unknownPseudoField),
            ("08 02 39 39", .invalidStatus), ("08 03 30 39 39", .invalidStatus), ("08 04 32 30 30 30", .invalidStatus),
            ("08 03 32 61 30", .invalidStatus), ("08 00", .invalidStatus), ("88 0f 0d 01 61", .invalidContentLength),
            ("88 0f 0d 00", .invalidContentLength), ("88 0f 0d 01 31 0f 0d 01 32", .invalidContentLength),
            ("88 0f 0d 01 31 0f 0d 01 31", nil), ("88 0f 0d 02 2d 31", .invalidContentLength),
            ("88 0f 0d 13 39 39 39 39 39 39 39 39 39 39 39 39 39 39 39 39 39 39 39", .invalidContentLength),
        ] as [(String, HTTP2Violation?)]
    )
    func `fields that make a response malformed`(block: String, fault: HTTP2Violation?) throws {
        var decoder = HPACKDecoder()
        #expect(try decoder.fault(in: hex(block)) == fault)
    }

    @Test
    func `what is wrong with a field is remembered in the table`() throws {
        var decoder = HPACKDecoder()
        #expect(try decoder.fault(in: hex("40 01 61 01 0a")) == .invalidFieldValue)
        #expect(try decoder.fault(in: hex("be")) == .invalidFieldValue)
        #expect(try decoder.fault(in: hex("7e 01 62")) == nil)
        #expect(try decoder.fault(in: hex("40 01 41 01 62")) == .invalidFieldName)
        #expect(try decoder.fault(in: hex("7e 01 63")) == .invalidFieldName)
    }
}
