// SPDX-License-Identifier: Apache-2.0
import TernStreams
import TestSupport
import Testing

@Suite("JSON records")
struct RecordDecoderTests {
    typealias Expected = RecordOutcome

    private static func records(_ records: TextRecord..., violations: RecordViolation...) -> Expected {
        RecordOutcome(records: records, violations: violations)
    }

    static let lines: [Vector<Expected>] = [
        .init("lines", "an empty input has no records", "", Self.records()),
        .init("lines", "LF ends a record", "{}\n[]\n", Self.records(.init("{}", 0, 0), .init("[]", 1, 3))),
        .init("lines", "the last record needs no LF", "1\n2", Self.records(.init("1", 0, 0), .init("2", 1, 2))),
        .init("lines", "a CR before the LF is removed", "1\r\n2\r", Self.records(.init("1", 0, 0), .init("2", 1, 3))),
        .init("lines", "only one CR is removed", "1\r\r\n", Self.records(.init("1\r", 0, 0))),
        .init("lines", "CR ends nothing", "[1,\r2]\n", Self.records(.init("[1,\r2]", 0, 0))),
        .init(
            "lines",
            "blank lines are skipped",
            "\n\n1\n \t\n\r\n2\n\n",
            Self.records(.init("1", 0, 2), .init("2", 1, 9))
        ),
        .init(
            "lines",
            "white space before a record is skipped",
            "  1 \n\t2",
            Self.records(.init("1 ", 0, 2), .init("2", 1, 6))
        ),
        .init("lines", "only white space", " \r\n\t", Self.records()),
        .init(
            "lines",
            "one byte order mark is skipped",
            "\u{FEFF}1\n\u{FEFF}2",
            Self.records(.init("1", 0, 3), .init("\u{FEFF}2", 1, 5))
        ),
        .init("lines", "only a byte order mark", "\u{FEFF}", Self.records()),
        .init("lines", "a start of a mark is a record", [0xEF, 0xBB], Self.records(.init("\u{FFFD}", 0, 0))),
        .init(
            "lines",
            "a start of a mark, then text",
            [0xEF, 0xBB, 0x31, 0x0A, 0x32],
            Self.records(.init("\u{FFFD}1", 0, 0), .init("2", 1, 4))
        ),
        .init("lines", "RS is text", "\u{1E}1\n", Self.records(.init("\u{1E}1", 0, 0))),
        .init(
            "lines",
            "other line breaks are text",
            "\"\u{2028}\u{85}\"\n",
            Self.records(.init("\"\u{2028}\u{85}\"", 0, 0))
        ),
    ]

    static let sequences: [Vector<Expected>] = [
        .init("§2.1", "an empty input has no records", "", Self.records()),
        .init(
            "§2.2",
            "RS starts a record, and LF ends it",
            "\u{1E}{}\n\u{1E}1\n",
            Self.records(.init("{}", 0, 1), .init("1", 1, 5))
        ),
        .init(
            "§2.1",
            "empty records are ignored",
            "\u{1E}\u{1E}\n\u{1E} \u{1E}1\n\u{1E}\n",
            Self.records(.init("1", 0, 6))
        ),
        .init(
            "§2.1",
            "after RS at the end, the record is missing",
            "\u{1E}1\n\u{1E}",
            Self.records(.init("1", 0, 1), violations: .truncated(number: 1, offset: 4))
        ),
        .init("§2.1", "white space before the first RS is ignored", " \n\u{1E}1\n", Self.records(.init("1", 0, 3))),
        .init(
            "§2.1",
            "other bytes before the first RS are a violation",
            " {}\n\u{1E}1\n",
            Self.records(violations: .notASequence(offset: 1))
        ),
        .init(
            "§2.1",
            "a byte order mark before the first RS is a violation",
            "\u{FEFF}\u{1E}1\n",
            Self.records(violations: .notASequence(offset: 0))
        ),
        .init(
            "§2.1",
            "bytes after a record are a violation",
            "\u{1E}1\n\n2\n",
            Self.records(.init("1", 0, 1), violations: .notASequence(offset: 4))
        ),
        .init(
            "§2.1",
            "a value may contain LF",
            "\u{1E}{\n  \"a\": [\n1]\n}\n\u{1E}2\n",
            Self.records(.init("{\n  \"a\": [\n1]\n}", 0, 1), .init("2", 1, 18))
        ),
        .init(
            "§2.1",
            "brackets in strings do not count",
            "\u{1E}\"{[\\\"\"\n\u{1E}[\"]\\\\\"]\n",
            Self.records(.init("\"{[\\\"\"", 0, 1), .init("[\"]\\\\\"]", 1, 9))
        ),
        .init(
            "§2.1",
            "RS ends a complete value",
            "\u{1E}{}\u{1E}\"a\"\u{1E}1 \u{1E}[]\r\n",
            Self.records(.init("{}", 0, 1), .init("\"a\"", 1, 4), .init("1 ", 2, 8), .init("[]\r", 3, 11))
        ),
        .init(
            "§2.3",
            "a truncated record does not end the sequence",
            "\u{1E}{\"a\":\u{1E}\"b\u{1E}[\n\u{1E}2\n",
            Self.records(
                .init("2", 3, 13),
                violations: .truncated(number: 0, offset: 1),
                .truncated(number: 1, offset: 7),
                .truncated(number: 2, offset: 10)
            )
        ),
        .init(
            "§2.4",
            "a number before RS may be truncated",
            "\u{1E}1\u{1E}2\n",
            Self.records(.init("2", 1, 3), violations: .truncated(number: 0, offset: 1))
        ),
        .init(
            "§2.4",
            "a number at the end may be truncated",
            "\u{1E}1\n\u{1E}12",
            Self.records(.init("1", 0, 1), violations: .truncated(number: 1, offset: 4))
        ),
        .init(
            "§2.4",
            "true at the end may be truncated",
            "\u{1E}true",
            Self.records(violations: .truncated(number: 0, offset: 1))
        ),
        .init(
            "§2.4",
            "null at the end may be truncated",
            "\u{1E} null",
            Self.records(violations: .truncated(number: 0, offset: 2))
        ),
        .init("§2.4", "white space delimits a value at the end", "\u{1E}false ", Self.records(.init("false ", 0, 1))),
        .init("§2.4", "an object at the end is complete", "\u{1E}{}", Self.records(.init("{}", 0, 1))),
        .init("§2.4", "a string at the end is complete", "\u{1E}\"\"", Self.records(.init("\"\"", 0, 1))),
        .init(
            "§2.4",
            "an open array at the end is truncated",
            "\u{1E}[1 ",
            Self.records(violations: .truncated(number: 0, offset: 1))
        ),
        .init(
            "§2.4",
            "an open string at the end is truncated",
            "\u{1E}\"a\\\"",
            Self.records(violations: .truncated(number: 0, offset: 1))
        ),
        .init("§2.1", "a value that is not JSON is a record", "\u{1E}}]x\n", Self.records(.init("}]x", 0, 1))),
    ]

    @Test(arguments: lines)
    func `records of lines are the same however the bytes are split`(_ vector: Vector<Expected>) {
        for split in everySplit(of: vector.bytes) + everyPairOfCuts(of: vector.bytes) {
            var decoder = RecordDecoder(format: .lines, maximumRecordByteCount: 100)
            #expect(decoder.outcome(of: split) == vector.expected, "split as \(split.map(\.count))")
        }
        #expect(referenceRecords(of: vector.bytes, format: .lines) == vector.expected)
    }

    @Test(arguments: sequences)
    func `RFC 7464 records are the same however the bytes are split`(_ vector: Vector<Expected>) {
        for split in everySplit(of: vector.bytes) + everyPairOfCuts(of: vector.bytes) {
            var decoder = RecordDecoder(format: .textSequence, maximumRecordByteCount: 100)
            #expect(decoder.outcome(of: split) == vector.expected, "split as \(split.map(\.count))")
        }
        #expect(referenceRecords(of: vector.bytes, format: .textSequence) == vector.expected)
    }

    @Test(arguments: [RecordFormat.lines, .textSequence], 0..<100 as Range<UInt64>)
    func `random input in random chunks gives what a reference gives`(format: RecordFormat, seed: UInt64) {
        var generator = SeededGenerator(seed: seed)
        let words: [[UInt8]] =
            [
                "{", "}", "[", "]", "\"", "\\", "1", "null", " ", "\n", "\n", "\r\n", "\u{1E}", "\n\u{1E}",
                "{}\n\u{1E}", "é",
            ]
            .map { Array($0.utf8) } + [[0xEF, 0xBB], [0xBF]]
        for _ in 0..<30 {
            let count = Int.random(in: 0...40, using: &generator)
            let random = (0..<count).flatMap { _ in words[Int.random(in: words.indices, using: &generator)] }
            let bytes = format == .textSequence ? [0x1E] + random : random
            let chunks = randomSplit(of: bytes, using: &generator)
            var decoder = RecordDecoder(format: format, maximumRecordByteCount: 1000)
            let expected = referenceRecords(of: bytes, format: format)
            #expect(decoder.outcome(of: chunks) == expected, "\(bytes) split as \(chunks.map(\.count))")
        }
    }

    @Test func `a record is given with the chunk that ends it`() throws {
        var lines = RecordDecoder(format: .lines, maximumRecordByteCount: 100)
        #expect(try lines.records(in: "{\"a\"") == [])
        #expect(try lines.records(in: ":1}\n2\r") == ["{\"a\":1}"])
        #expect(try lines.records(in: "\n") == ["2"])
        var sequence = RecordDecoder(format: .textSequence, maximumRecordByteCount: 100)
        #expect(try sequence.records(in: "\u{1E}{\n") == [])
        #expect(try sequence.records(in: "}\n") == ["{\n}"])
        #expect(try sequence.records(in: "\u{1E}{}") == [])
        #expect(try sequence.records(in: "\u{1E}") == ["{}"])
    }

    @Test func `a copy goes its own way`() throws {
        var decoder = RecordDecoder(format: .lines, maximumRecordByteCount: 100)
        #expect(try decoder.records(in: "1") == [])
        var copy = decoder
        #expect(try copy.records(in: "2\n") == ["12"])
        #expect(try decoder.records(in: "3\n") == ["13"])
    }
}
