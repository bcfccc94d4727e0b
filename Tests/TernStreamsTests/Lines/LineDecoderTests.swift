// SPDX-License-Identifier: Apache-2.0
import TestSupport
import Testing

@testable import TernStreams

@Suite("Lines")
struct LineDecoderTests {
    static let vectors: [Vector<[String]>] = [
        .init("breaks", "an empty input has no lines", "", []),
        .init("breaks", "a line without a break is given at the end", "a", ["a"]),
        .init("breaks", "LF ends a line", "a\nb", ["a", "b"]),
        .init("breaks", "CR ends a line", "a\rb", ["a", "b"]),
        .init("breaks", "CRLF is one break", "a\r\nb", ["a", "b"]),
        .init("breaks", "LFCR is two breaks", "a\n\rb", ["a", "", "b"]),
        .init("breaks", "CRCRLF is two breaks", "a\r\r\nb", ["a", "", "b"]),
        .init("breaks", "CRLFLF is two breaks", "a\r\n\nb", ["a", "", "b"]),
        .init("breaks", "a break at the end gives no further line", "a\n", ["a"]),
        .init("breaks", "CR at the end gives no further line", "a\r", ["a"]),
        .init("breaks", "CRLF at the end gives no further line", "a\r\n", ["a"]),
        .init("breaks", "a lone LF is an empty line", "\n", [""]),
        .init("breaks", "a lone CRLF is an empty line", "\r\n", [""]),
        .init("breaks", "empty lines are kept", "\n\n\na\n\n", ["", "", "", "a", ""]),
        .init("breaks", "empty lines are kept between CRs", "\r\r\r", ["", "", ""]),
        .init("breaks", "empty lines are kept between CRLFs", "\r\n\r\n", ["", ""]),
        .init("breaks", "kinds may be mixed", "a\nb\rc\r\nd", ["a", "b", "c", "d"]),
        .init("breaks", "LFs before CRs", "a\nb\nc\rd\re", ["a", "b", "c", "d", "e"]),
        .init("breaks", "CRs before LFs", "a\rb\rc\nd\ne", ["a", "b", "c", "d", "e"]),
        .init("text", "U+2028 and U+2029 end nothing", "a\u{2028}b\u{2029}c\n", ["a\u{2028}b\u{2029}c"]),
        .init("text", "U+0085 ends nothing", "a\u{85}b", ["a\u{85}b"]),
        .init("text", "VT and FF end nothing", "a\u{0B}b\u{0C}c", ["a\u{0B}b\u{0C}c"]),
        .init("text", "NUL is text", "a\0b\n", ["a\0b"]),
        .init("text", "white space is kept", " a \n\tb\n", [" a ", "\tb"]),
        .init("text", "characters of several bytes", "é\n€uro\n🐦\n", ["é", "€uro", "🐦"]),
        .init("text", "a byte order mark is left", "\u{FEFF}a\nb", ["\u{FEFF}a", "b"]),
        .init("text", "what is not UTF-8 is repaired", [0x61, 0xFF, 0x62, 0x0A], ["a\u{FFFD}b"]),
        .init("text", "a cut character is repaired", [0xE2, 0x82, 0x0A, 0x61], ["\u{FFFD}", "a"]),
        .init("text", "a cut character at the end is repaired", [0x61, 0xC3], ["a\u{FFFD}"]),
        .init("text", "an overlong LF ends nothing", [0xC0, 0x8A, 0x0A], ["\u{FFFD}\u{FFFD}"]),
    ]

    @Test(arguments: vectors)
    func `lines are the same however the bytes are split`(_ vector: Vector<[String]>) {
        for split in everySplit(of: vector.bytes) {
            var decoder = LineDecoder()
            let result = decoder.lines(from: split)
            #expect(result.lines == vector.expected, "split as \(split.map(\.count))")
            #expect(result.violation == nil)
        }
    }

    @Test(arguments: vectors)
    func `a reference splitter agrees with every vector`(_ vector: Vector<[String]>) {
        #expect(referenceLines(of: vector.bytes) == vector.expected)
    }

    @Test(arguments: 0..<200 as Range<UInt64>)
    func `random input in random chunks gives what a reference splitter gives`(seed: UInt64) {
        var generator = SeededGenerator(seed: seed)
        let alphabet = Array("ab\r\n\r\n\u{2028}é🐦".utf8) + [0xFF, 0xC3, 0x00]
        for _ in 0..<20 {
            let count = Int.random(in: 0...80, using: &generator)
            let bytes = (0..<count).map { _ in alphabet[Int.random(in: alphabet.indices, using: &generator)] }
            let chunks = randomSplit(of: bytes, using: &generator)
            var decoder = LineDecoder()
            let lines = decoder.lines(from: chunks).lines
            #expect(lines == referenceLines(of: bytes), "\(bytes) split as \(chunks.map(\.count))")
        }
    }

    @Test(arguments: 0..<40 as Range<UInt64>)
    func `long lines in large chunks give what a reference splitter gives`(seed: UInt64) {
        var generator = SeededGenerator(seed: seed)
        let lengths = [0, 1, 15, 16, 62, 63, 64, 65, 127, 128, 129, 300, 1000]
        let ends = ["\n", "\r\n", "\r"]
        let words = ["a", "bc", "a", "bc", seed % 3 == 0 ? "é" : "d", seed % 3 == 1 ? "🐦" : "e"]
        var text = ""
        for _ in 0..<20 {
            let length = lengths[Int.random(in: lengths.indices, using: &generator)]
            for _ in 0..<length { text += words[Int.random(in: words.indices, using: &generator)] }
            text += ends[Int.random(in: ends.indices, using: &generator)]
        }
        let bytes = Array(text.utf8)
        for size in [bytes.count, 1000, 200, 64, 63] {
            let chunks = stride(from: 0, to: bytes.count, by: size).map { bytes[$0..<min($0 + size, bytes.count)] }
            var decoder = LineDecoder()
            let isEqual = decoder.lines(from: chunks).lines == referenceLines(of: bytes)
            #expect(isEqual, "chunks of \(size) bytes")
            #expect(decoder.searchedByteCount <= 2 * bytes.count)
        }
    }

    @Test func `a line is given with the chunk that ends it`() throws {
        var decoder = LineDecoder()
        #expect(try decoder.lines(in: Array("on".utf8)) == [])
        #expect(try decoder.lines(in: Array("e\ntw".utf8)) == ["one"])
        #expect(try decoder.lines(in: Array("o\n".utf8)) == ["two"])
        #expect(decoder.finish() == nil)
    }

    @Test func `a CR at the end of a chunk gives its line at once`() throws {
        var decoder = LineDecoder()
        #expect(try decoder.lines(in: Array("one\r".utf8)) == ["one"])
        #expect(try decoder.lines(in: []) == [])
        #expect(try decoder.lines(in: Array("\n".utf8)) == [])
        #expect(try decoder.lines(in: Array("\n".utf8)) == [""])
    }

    @Test func `the offset moves behind each break and to the end of the chunk`() throws {
        let chunk = Array("a\r\nbc\nd".utf8)
        var decoder = LineDecoder()
        var offset = 0
        #expect(try decoder.next(in: ContiguousArray(chunk).span.bytes, from: &offset) == "a")
        #expect(offset == 3)
        #expect(try decoder.next(in: ContiguousArray(chunk).span.bytes, from: &offset) == "bc")
        #expect(offset == 6)
        #expect(try decoder.next(in: ContiguousArray(chunk).span.bytes, from: &offset) == nil)
        #expect(offset == 7)
        #expect(decoder.finish() == "d")
    }

    @Test func `reading may begin in the middle of a chunk`() throws {
        let chunk = Array("head\nbody\n".utf8)
        var decoder = LineDecoder()
        var offset = 5
        #expect(try decoder.next(in: ContiguousArray(chunk).span.bytes, from: &offset) == "body")
        #expect(try decoder.next(in: ContiguousArray(chunk).span.bytes, from: &offset) == nil)
    }

    @Test func `after the end a decoder is ready for another input`() throws {
        var decoder = LineDecoder()
        #expect(try decoder.lines(in: Array("a\nb".utf8)) == ["a"])
        #expect(decoder.finish() == "b")
        #expect(decoder.finish() == nil)
        #expect(try decoder.lines(in: Array("c\r".utf8)) == ["c"])
        #expect(decoder.finish() == nil)
        #expect(try decoder.lines(in: Array("\nd\n".utf8)) == ["", "d"])
    }

    @Test func `a copy goes its own way`() throws {
        var decoder = LineDecoder()
        #expect(try decoder.lines(in: Array("a".utf8)) == [])
        var copy = decoder
        #expect(try copy.lines(in: Array("b\n".utf8)) == ["ab"])
        #expect(try decoder.lines(in: Array("c\n".utf8)) == ["ac"])
    }
}
