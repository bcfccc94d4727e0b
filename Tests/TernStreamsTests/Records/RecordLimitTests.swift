// SPDX-License-Identifier: Apache-2.0
import TestSupport
import Testing

@testable import TernStreams

@Suite("The limit of a record")
struct RecordLimitTests {
    static let accepted: [(format: RecordFormat, text: String)] = [
        (.lines, "[12]\n[34]\r\n   [56]\r"), (.lines, "[12]"), (.lines, "\u{FEFF}[12]\n"),
        (.lines, "       \n\r\n       "),
        (.textSequence, "\u{1E}[12]\n\u{1E}[34]\u{1E}     [56]"), (.textSequence, "        \u{1E}      \n\u{1E}      "),
        (.textSequence, "\u{1E}[1]\n        \u{1E}123\n"),
    ]

    @Test(arguments: accepted)
    func `a record of just the limit is accepted, without the bytes around it`(format: RecordFormat, text: String) {
        for split in everySplit(of: Array(text.utf8)) {
            var decoder = RecordDecoder(format: format, maximumRecordByteCount: 4)
            let expected = referenceRecords(of: Array(text.utf8), format: format)
            #expect(decoder.outcome(of: split) == expected, "split as \(split.map(\.count))")
        }
    }

    static let refused: [(format: RecordFormat, text: String, numberOfRecord: Int, offset: Int64)] = [
        (.lines, "[123]\n", 0, 0), (.lines, "[123]", 0, 0), (.lines, "1\n\n [12]x\n2", 1, 4), (.lines, "[12]\rx", 0, 0),
        (.lines, "[12]\r\r\n", 0, 0), (.lines, "\u{FEFF}12345\n", 0, 3), (.textSequence, "\u{1E}[123]\n", 0, 1),
        (.textSequence, "\u{1E}1\n\u{1E}  [12] \u{1E}", 1, 6), (.textSequence, "\u{1E}{\n\n\n\n", 0, 1),
        (.textSequence, "\u{1E}[\u{1E}12345", 1, 3), (.textSequence, "\u{1E}1    \n", 0, 1),
    ]

    @Test(arguments: refused)
    func `a longer record is refused, after the records before it`(
        format: RecordFormat,
        text: String,
        number: Int,
        offset: Int64
    ) {
        for split in everySplit(of: Array(text.utf8)) {
            var decoder = RecordDecoder(format: format, maximumRecordByteCount: 4)
            let outcome = decoder.outcome(of: split)
            #expect(
                outcome.violations.last == .tooLong(limit: 4, number: number, offset: offset),
                "split as \(split.map(\.count))"
            )
        }
    }

    @Test(arguments: [0, -1, Int.min])
    func `a limit of zero or less accepts white space only`(limit: Int) throws {
        var decoder = RecordDecoder(format: .lines, maximumRecordByteCount: limit)
        #expect(try decoder.records(in: " \n\r\n") == [])
        let violation = RecordViolation.tooLong(limit: 0, number: 0, offset: 4)
        #expect(throws: violation) { try decoder.records(in: "1") }
    }

    @Test func `a start of a byte order mark counts`() {
        for split in everySplit(of: [0xEF, 0xBB, 0x31]) + [[[0xEF, 0xBB]]] {
            var decoder = RecordDecoder(format: .lines, maximumRecordByteCount: 1)
            #expect(decoder.outcome(of: split).violations == [.tooLong(limit: 1, number: 0, offset: 0)])
        }
    }

    @Test func `once it throws, it always throws, and holds nothing`() {
        var decoder = RecordDecoder(format: .lines, maximumRecordByteCount: 1)
        let violation = RecordViolation.tooLong(limit: 1, number: 0, offset: 0)
        #expect(throws: violation) { try decoder.records(in: "12") }
        #expect(throws: violation) { try decoder.records(in: "\n") }
        #expect(throws: violation) { try decoder.finish() }
        #expect(decoder.heldByteCount == 0)
        var sequence = RecordDecoder(format: .textSequence, maximumRecordByteCount: 1)
        #expect(throws: RecordViolation.notASequence(offset: 0)) { try sequence.records(in: "1") }
        #expect(throws: RecordViolation.notASequence(offset: 0)) { try sequence.records(in: "\u{1E}1\n") }
        #expect(throws: RecordViolation.notASequence(offset: 0)) { try sequence.finish() }
    }

    @Test func `after a truncated record the next one follows`() throws {
        var decoder = RecordDecoder(format: .textSequence, maximumRecordByteCount: 10)
        #expect(throws: RecordViolation.truncated(number: 0, offset: 1)) { try decoder.records(in: "\u{1E}1\u{1E}") }
        #expect(try decoder.records(in: "\u{1E}2\n") == ["2"])
        #expect(throws: RecordViolation.truncated(number: 2, offset: 6)) {
            _ = try decoder.records(in: "\u{1E}3")
            _ = try decoder.finish()
        }
    }

    @Test(arguments: [
        (RecordFormat.lines, "1"), (.lines, "1 \r"), (.textSequence, "\u{1E}[1\n"), (.textSequence, "\u{1E}\"\\"),
    ])
    func `no more than the limit and one CR is ever held`(format: RecordFormat, pattern: String) throws {
        var decoder = RecordDecoder(format: format, maximumRecordByteCount: 100)
        let text = pattern.prefix(2) + String(repeating: String(pattern.drop { $0 == "\u{1E}" }), count: 1000)
        #expect(throws: RecordViolation.self) {
            for byte in text.utf8 {
                _ = try decoder.records(in: [byte])
                #expect(decoder.heldByteCount <= 101)
            }
        }
        #expect(decoder.heldByteCount == 0)
    }

    @Test func `white space between records is not held`() throws {
        for format in [RecordFormat.lines, .textSequence] {
            var decoder = RecordDecoder(format: format, maximumRecordByteCount: 4)
            for _ in 0..<100 {
                #expect(try decoder.records(in: " \n\t\r") == [])
                #expect(decoder.heldByteCount == 0)
            }
            #expect(try decoder.records(in: "\u{1E}1\n") == [format == .lines ? "\u{1E}1" : "1"])
        }
    }

    @Test func `a violation says what happened`() {
        #expect(
            "\(RecordViolation.tooLong(limit: 7, number: 1, offset: 9))"
                == "the record at index 1, which begins at byte 9, is longer than 7 bytes"
        )
        #expect("\(RecordViolation.notASequence(offset: 9))" == "the byte at offset 9 is outside of a record")
        #expect(
            "\(RecordViolation.truncated(number: 1, offset: 9))"
                == "the record at index 1, which begins at byte 9, is truncated"
        )
    }

    @Test(arguments: [-1, Int.min])
    func `a negative limit counts as 0`(limit: Int) {
        var decoder = RecordDecoder(format: .lines, maximumRecordByteCount: limit)
        let outcome = decoder.outcome(of: [Array("\n1\n".utf8)[...]])
        #expect(outcome.violations == [.tooLong(limit: 0, number: 0, offset: 1)])
    }
}
