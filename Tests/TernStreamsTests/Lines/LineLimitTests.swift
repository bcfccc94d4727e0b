// SPDX-License-Identifier: Apache-2.0
import TestSupport
import Testing

@testable import TernStreams

@Suite("The limit of a line")
struct LineLimitTests {
    static let accepted: [(text: String, lines: [String])] = [
        ("abc", ["abc"]), ("abc\n", ["abc"]), ("abc\r\nabc\r\n", ["abc", "abc"]), ("\n\nabc\r", ["", "", "abc"]),
        ("é1\n", ["é1"]),
    ]

    @Test(arguments: accepted)
    func `a line of just the limit is accepted, and its break does not count`(text: String, lines: [String]) {
        for split in everySplit(of: Array(text.utf8)) {
            var decoder = LineDecoder(maximumLineByteCount: 3)
            let result = decoder.lines(from: split)
            #expect(result.lines == lines, "split as \(split.map(\.count))")
            #expect(result.violation == nil)
        }
    }

    static let refused: [(text: String, linesBefore: [String])] = [
        ("abcd", []), ("abcd\n", []), ("abc\nabcd\nabc", ["abc"]), ("\r\nabcdefgh", [""]), ("éé\n", []),
    ]

    @Test(arguments: refused)
    func `a longer line is refused, after the lines before it`(text: String, linesBefore: [String]) {
        for split in everySplit(of: Array(text.utf8)) {
            var decoder = LineDecoder(maximumLineByteCount: 3)
            let result = decoder.lines(from: split)
            #expect(result.lines == linesBefore, "split as \(split.map(\.count))")
            #expect(result.violation == .tooLong(limit: 3))
        }
    }

    @Test func `a line is refused before its end is seen`() throws {
        var decoder = LineDecoder(maximumLineByteCount: 3)
        #expect(try decoder.lines(in: Array("ab".utf8)) == [])
        #expect(try decoder.lines(in: Array("c".utf8)) == [])
        #expect(throws: LineViolation.tooLong(limit: 3)) { try decoder.lines(in: Array("d".utf8)) }
    }

    @Test func `once it throws, it always throws, and holds nothing`() {
        var decoder = LineDecoder(maximumLineByteCount: 1)
        #expect(throws: LineViolation.tooLong(limit: 1)) { try decoder.lines(in: Array("ab".utf8)) }
        #expect(throws: LineViolation.tooLong(limit: 1)) { try decoder.lines(in: Array("\n".utf8)) }
        #expect(throws: LineViolation.tooLong(limit: 1)) { try decoder.lines(in: []) }
        #expect(decoder.finish() == nil)
        #expect(decoder.heldByteCount == 0)
    }

    @Test(arguments: [0, -1, Int.min])
    func `a limit of zero or less accepts empty lines only`(limit: Int) throws {
        var decoder = LineDecoder(maximumLineByteCount: limit)
        #expect(try decoder.lines(in: Array("\n\r\n".utf8)) == ["", ""])
        #expect(throws: LineViolation.tooLong(limit: 0)) { try decoder.lines(in: Array("a".utf8)) }
    }

    @Test func `a mebibyte is the limit unless another is set`() {
        #expect(LineDecoder().maximumLineByteCount == 1_048_576)
    }

    @Test func `no more than the limit is ever held`() throws {
        var decoder = LineDecoder(maximumLineByteCount: 10)
        for _ in 0..<10 {
            #expect(try decoder.lines(in: [0x61]) == [])
            #expect(decoder.heldByteCount <= 10)
        }
        #expect(throws: LineViolation.self) { try decoder.lines(in: [0x61]) }
        #expect(decoder.heldByteCount == 0)
    }

    @Test func `a violation says what happened`() {
        #expect("\(LineViolation.tooLong(limit: 7))" == "a line is longer than 7 bytes")
    }

    @Test(arguments: [-1, Int.min])
    func `a negative limit counts as 0`(limit: Int) {
        var decoder = LineDecoder(maximumLineByteCount: limit)
        let result = decoder.lines(from: [Array("\nabc\n".utf8)[...]])
        #expect(result.lines == [""])
        #expect(result.violation == .tooLong(limit: 0))
    }
}
