// SPDX-License-Identifier: Apache-2.0
import TestSupport
import Testing

@testable import TernStreams

@Suite("Line breaks of one chunk")
struct LineBreaksTests {
    /// Returns the line breaks of a chunk, each as the end of a line and the start of the next one.
    private func breaks(of text: String, from start: Int = 0) -> [[Int]] {
        var breaks = LineBreaks()
        var offset = start
        var result: [[Int]] = []
        Array(text.utf8).withUnsafeBytes { bytes in
            while let found = breaks.next(in: bytes, from: offset) {
                result.append([found.lineEnd, found.nextLine])
                offset = found.nextLine
            }
        }
        return result
    }

    static let vectors: [(text: String, breaks: [[Int]])] = [
        ("", []), ("abc", []), ("\n", [[0, 1]]), ("\r", [[0, 1]]), ("\r\n", [[0, 2]]), ("\n\r", [[0, 1], [1, 2]]),
        ("a\nb\r\nc\rd", [[1, 2], [3, 5], [6, 7]]), ("a\r\r\n", [[1, 2], [2, 4]]), ("abc\r", [[3, 4]]),
    ]

    @Test(arguments: vectors)
    func `every break is found, with its length`(text: String, breaks: [[Int]]) {
        #expect(self.breaks(of: text) == breaks)
    }

    @Test func `what lies before the offset is not seen`() {
        #expect(self.breaks(of: "\n\na\nb", from: 2) == [[3, 4]])
    }

    @Test func `an LF after a passed CR is a break of its own`() {
        #expect(self.breaks(of: "\r\n", from: 1) == [[1, 2]])
    }

    @Test func `after a chunk is forgotten, another is searched`() {
        var breaks = LineBreaks()
        Array("abc\n".utf8).withUnsafeBytes { _ = breaks.next(in: $0, from: 0) }
        breaks.forgetChunk()
        let found = Array("a\n".utf8).withUnsafeBytes { breaks.next(in: $0, from: 0)?.lineEnd }
        #expect(found == 1)
    }

    @Test(arguments: 0..<50 as Range<UInt64>)
    func `breaks of long chunks are those that a simple search finds`(seed: UInt64) {
        var generator = SeededGenerator(seed: seed)
        let alphabet = Array("\n\r".utf8) + Array(repeating: 0x61, count: Int.random(in: 0...60, using: &generator))
        let bytes = (0..<Int.random(in: 0...700, using: &generator)).map { _ in
            alphabet[Int.random(in: alphabet.indices, using: &generator)]
        }
        let expected = bytes.indices.filter { index in
            bytes[index] == 0x0D || bytes[index] == 0x0A && (index == 0 || bytes[index - 1] != 0x0D)
        }
        #expect(self.breaks(of: String(decoding: bytes, as: UTF8.self)).map { $0[0] } == expected)
    }

    @Test(arguments: 0..<50 as Range<UInt64>)
    func `a line counts as ASCII if it is ASCII`(seed: UInt64) {
        var generator = SeededGenerator(seed: seed)
        let alphabet = Array("\n\r".utf8) + Array(repeating: 0x61, count: 40) + [0x80, 0xFF]
        for _ in 0..<20 {
            let count = Int.random(in: 0...300, using: &generator)
            let bytes = (0..<count).map { _ in alphabet[Int.random(in: alphabet.indices, using: &generator)] }
            var breaks = LineBreaks()
            var offset = 0
            bytes.withUnsafeBytes { chunk in
                while let found = breaks.next(in: chunk, from: offset) {
                    let isASCII = bytes[offset..<found.lineEnd].allSatisfy { $0 < 0x80 }
                    #expect(breaks.isASCII(offset..<found.lineEnd, in: chunk) == isASCII, "at \(offset)")
                    offset = found.nextLine
                }
                let isASCII = bytes[offset...].allSatisfy { $0 < 0x80 }
                #expect(breaks.isASCII(offset..<count, in: chunk) == isASCII, "at \(offset)")
            }
        }
    }

    @Test func `each value above 127 is found at each place`() {
        for count in 0..<100 {
            for place in 0...count {
                var bytes = Array(repeating: 0x7F as UInt8, count: count)
                if place < count { bytes[place] = 0x80 | UInt8(place) }
                for start in [0, place / 2, place] {
                    let found = bytes.withUnsafeBytes { ByteSearch.firstNonASCIIOffset(in: $0, from: start) }
                    #expect(found == place, "\(count) bytes from \(start)")
                }
                guard place < count else { continue }
                let found = bytes.withUnsafeBytes { ByteSearch.firstNonASCIIOffset(in: $0, from: place + 1) }
                #expect(found == count)
            }
        }
    }

    static let monotonous = ["\n", "\r", "\r\n", "a\n", "a\r", "a\r\n", "a"]

    @Test(arguments: monotonous)
    func `each byte is looked at twice at most, whichever breaks there are`(pattern: String) throws {
        let bytes = Array(String(repeating: pattern, count: 10_000).utf8)
        var decoder = LineDecoder()
        _ = try decoder.lines(in: bytes)
        #expect(decoder.searchedByteCount <= 2 * bytes.count)
    }

    @Test(arguments: monotonous)
    func `a kind of break at the far end only does not make it quadratic`(pattern: String) throws {
        for end in ["\n", "\r"] {
            let bytes = Array((String(repeating: pattern, count: 10_000) + end).utf8)
            var decoder = LineDecoder()
            _ = try decoder.lines(in: bytes)
            #expect(decoder.searchedByteCount <= 2 * bytes.count)
        }
    }

    @Test(arguments: [1, 2, 3, 100])
    func `a long line in small chunks is looked at twice at most`(chunkSize: Int) throws {
        var decoder = LineDecoder()
        let count = 30_000 / chunkSize
        for _ in 0..<count { #expect(try decoder.lines(in: Array(repeating: 0x61, count: chunkSize)) == []) }
        #expect(decoder.searchedByteCount <= 2 * count * chunkSize)
        #expect(decoder.finish()?.utf8.count == count * chunkSize)
    }
}
