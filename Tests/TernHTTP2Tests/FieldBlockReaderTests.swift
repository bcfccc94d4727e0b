// SPDX-License-Identifier: Apache-2.0

@_spi(CrossModuleInlining) import TernFields
import TestSupport
import Testing

@testable import TernHTTP2

/// Tests the reader that does not decode a block again if it equals the last one.
@Suite("FieldBlockReader")
struct FieldBlockReaderTests {
    @Test func `a repeated block has the same fields and the same head`() throws {
        var reader = FieldBlockReader()
        let block = hex("88 0f 0d 01 31 00 01 61 01 62")  // :status: 200, content-length: 1, a: b
        let first = try reader.head(of: block)
        let second = try reader.head(of: block)
        #expect(first == second)
        #expect(first.contentLength == 1)
        #expect(reader.texts == [":status:200", "content-length:1", "a:b"])
        let other = try reader.head(of: hex("88 00 01 61 01 63"))
        #expect(other != first)
        #expect(other.contentLength == nil)
        #expect(reader.texts == [":status:200", "a:c"])
        #expect(try reader.head(of: block) == first)
    }

    @Test func `a block that adds to the table adds to it each time`() throws {
        var reader = FieldBlockReader()
        let adding = hex("40 01 61 01 62")
        for _ in 0..<3 {
            try reader.read(adding)
            #expect(reader.texts == ["a:b"])
        }
        try reader.read(hex("c0"))  // the third entry
        #expect(reader.texts == ["a:b"])
        #expect(throws: HTTP2Violation.invalidFieldIndex) { try reader.read(hex("c1")) }
    }

    @Test func `a repeated block adds its lines to the table, and not others`() throws {
        var reader = FieldBlockReader()
        let adding = hex("88 40 01 61 01 62 00 01 63 01 64 40 01 65 01 66")  // adds a: b and e: f, but not c: d
        for _ in 0..<2 {
            try reader.read(adding)
            #expect(reader.texts == [":status:200", "a:b", "c:d", "e:f"])
        }
        try reader.read(hex("be bf c0 c1"))
        #expect(reader.texts == ["e:f", "a:b", "e:f", "a:b"])
    }

    @Test func `a block that refers to the table and adds to it is decoded each time`() throws {
        var reader = FieldBlockReader()
        try reader.read(hex("40 01 61 01 62 40 01 63 01 64"))  // a: b, c: d
        for expected in ["c:d", "e:f", "e:f"] {
            try reader.read(hex("be 40 01 65 01 66"))  // the newest entry, and then e: f, which is added
            #expect(reader.texts == [expected, "e:f"])
        }
        for expected in ["e", "e"] {
            try reader.read(hex("7e 01 78"))  // the name of the newest entry with x, which is added
            #expect(reader.texts == ["\(expected):x"])
        }
    }

    @Test func `a block means other fields after the table has changed`() throws {
        var reader = FieldBlockReader()
        try reader.read(hex("40 01 61 01 62"))
        try reader.read(hex("be"))  // the newest entry
        try reader.read(hex("be"))
        #expect(reader.texts == ["a:b"])
        try reader.read(hex("40 01 63 01 64"))
        try reader.read(hex("be"))
        #expect(reader.texts == ["c:d"])
        try reader.read(hex("20 3f e1 1f 82"))  // empties the table
        #expect(throws: HTTP2Violation.invalidFieldIndex) { try reader.read(hex("be")) }
    }

    @Test func `an empty block removes the fields of the block before it`() throws {
        var reader = FieldBlockReader()
        for block in ["88", "", "", "88"] {
            try reader.read(hex(block))
            #expect(reader.texts == (block.isEmpty ? [] : [":status:200"]))
        }
    }

    @Test func `a repeated block breaks the same rule`() throws {
        var reader = FieldBlockReader()
        for _ in 0..<2 {
            try reader.read(hex("00 01 41 01 62"))
            #expect(reader.lines.fault == .invalidFieldName)
        }
        try reader.read(hex("88"))
        #expect(reader.lines.fault == nil)
    }

    @Test func `a block that adds many lines to the table is decoded each time`() throws {
        var reader = FieldBlockReader()
        let block = Array(repeatElement(hex("40 01 61 01 62"), count: HPACKDecoder.maximumRepeatedInsertionCount + 1))
        for _ in 0..<2 {
            try reader.read(block.flatMap { $0 })
            #expect(reader.lines.count == block.count)
            try reader.read(hex("be fe"))  // the newest, and one more than the limit before it
            #expect(reader.texts == ["a:b", "a:b"])
        }
    }

    @Test func `a block whose list is too long adds its lines each time`() throws {
        // The list has room for one line of the three; the others overwrite it.
        var reader = FieldBlockReader(
            decoder: HPACKDecoder(),
            lines: FieldLines(maximumByteCount: 40, largestByteCount: 1 << 20)
        )
        for _ in 0..<2 {
            try reader.read(hex("40 01 61 01 62 40 01 63 01 64 40 01 65 01 66"))  // a: b, c: d, e: f
            #expect(reader.lines.fault == .fieldListTooLong(limit: 40))
        }
        for (index, text) in [("be", "e:f"), ("bf", "c:d"), ("c0", "a:b"), ("c1", "e:f"), ("c2", "c:d"), ("c3", "a:b")]
        {
            try reader.read(hex(index))
            #expect(reader.texts == [text])
        }
    }

    @Test func `a long block is not remembered`() throws {
        var reader = FieldBlockReader()
        var encoder = HPACKEncoder()
        try reader.read(encoder.block([("a", String(repeating: "\\", count: 100_000))], .none))
        #expect(reader.roomByteCount - reader.lines.roomByteCount <= FieldBlockReader.maximumRememberedByteCount)
    }

    @Test(arguments: 0..<20)
    func `blocks in any order have the fields that a decoder finds`(seed: UInt64) throws {
        var random = SeededGenerator(seed: seed)
        // Without state, the encoder would refer to its table, so each block is made by hand.
        let blocks = [
            "82", "88", "be", "bf", "40 01 61 01 62", "40 01 63 01 64", "00 01 61 01 62", "20", "3f e1 1f", "",
        ]
        var (reader, decoder) = (FieldBlockReader(), HPACKDecoder())
        for _ in 0..<500 {
            var block: [UInt8] = []
            for _ in 0..<Int.random(in: 1...2, using: &random) {
                block += hex(blocks.randomElement(using: &random) ?? "")
            }
            for _ in 0..<Int.random(in: 1...3, using: &random) {
                let expected = Result { () throws(HTTP2Violation) in try decoder.lines(of: block) }
                let found = Result { () throws(HTTP2Violation) in
                    try reader.read(block)
                    return reader.texts
                }
                #expect(found == expected)
                // After an error, neither can be used.
                if case .failure = expected { (reader, decoder) = (FieldBlockReader(), HPACKDecoder()) }
            }
        }
    }
}

extension FieldBlockReader {
    fileprivate init() {
        self.init(decoder: HPACKDecoder(), lines: FieldLines(maximumByteCount: 1 << 20, largestByteCount: 1 << 21))
    }

    fileprivate mutating func read(_ block: [UInt8]) throws(HTTP2Violation) {
        try block.withUnsafeBufferPointer { (bytes) throws(HTTP2Violation) in
            try self.read(ByteView(UnsafeRawBufferPointer(bytes)))
        }
    }

    fileprivate mutating func head(of block: [UInt8]) throws(HTTP2Violation) -> HTTP2ResponseHead {
        try self.read(block)
        return self.makeHead(statusCode: self.lines.statusCode ?? 0)
    }

    fileprivate var texts: [String] { self.lines.text.split(separator: "\n").map(String.init) }
}
