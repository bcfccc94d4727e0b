// SPDX-License-Identifier: Apache-2.0

import TernCompression
import TestSupport
import Testing

@Suite("ContentDecoder")
struct ContentDecoderTests {
    /// Encoded content, and the expected result of decoding it.
    struct Content: CustomTestStringConvertible, Sendable {
        let testDescription: String
        let coding: ContentCoding
        let encoded: [UInt8]
        var bytes: [UInt8] = []
        var violation: ContentViolation?
        /// The offsets within the content at which shorter content would also be complete.
        var inner: [Int] = []
    }

    private static let gzip = KnownVector.gzip.compressed
    private static let zlib = KnownVector.zlib.compressed
    private static let raw = KnownVector.fixed.compressed
    private static let text = KnownVector.text
    private static let fields = KnownVector.fullHeader.compressed

    static let all: [Content] = members + deflated + refused

    private static let members = [
        Content(testDescription: "one member", coding: .gzip, encoded: gzip, bytes: text),
        Content(
            testDescription: "three members",
            coding: .gzip,
            encoded: gzip + fields + gzip,
            bytes: text + Array("fields".utf8) + text,
            inner: [gzip.count, gzip.count + fields.count]
        ),
        Content(
            testDescription: "empty members (curl issue 3796)",
            coding: .gzip,
            encoded: KnownVector.emptyGzip.compressed + gzip + KnownVector.emptyGzip.compressed,
            bytes: text,
            inner: [20, 20 + gzip.count]
        ),
        Content(
            testDescription: "members and padding",
            coding: .gzip,
            encoded: gzip + gzip + [0, 0, 0, 0, 0],
            bytes: text + text,
            inner: [gzip.count] + (0..<5).map { 2 * gzip.count + $0 }
        ),
        Content(testDescription: "nothing at all, gzip", coding: .gzip, encoded: []),
        Content(testDescription: "an empty member", coding: .gzip, encoded: KnownVector.emptyGzip.compressed),
    ]

    private static let deflated = [
        Content(testDescription: "deflate", coding: .deflate, encoded: zlib, bytes: text),
        Content(
            testDescription: "deflate with a small window",
            coding: .deflate,
            encoded: KnownVector.smallWindow.compressed,
            bytes: text
        ),
        Content(testDescription: "deflate, raw", coding: .deflate, encoded: raw, bytes: text),
        Content(
            testDescription: "deflate, raw, stored",
            coding: .deflate,
            encoded: KnownVector.stored.compressed,
            bytes: text
        ),
        Content(
            testDescription: "deflate, raw, with a first byte as of a header",
            coding: .deflate,
            encoded: [0x08, 0x02, 0x00, 0xFD, 0xFF, 0x61, 0x62, 0x03, 0x00],
            bytes: [0x61, 0x62]
        ),
        Content(
            testDescription: "deflate, raw, with a header but for a window that is too large",
            coding: .deflate,
            encoded: [0x88, 0x1C, 0x00, 0xE3, 0xFF] + text.prefix(0x1C) + [0x03, 0x00],
            bytes: Array(text.prefix(0x1C))
        ),
        Content(
            testDescription: "deflate, raw, with a check value",
            coding: .deflate,
            encoded: raw + [1, 2, 3, 4],
            bytes: text,
            inner: (0..<4).map { raw.count + $0 }
        ),
        Content(testDescription: "nothing at all, deflate", coding: .deflate, encoded: []),
        Content(testDescription: "empty, zlib", coding: .deflate, encoded: KnownVector.emptyZlib.compressed),
        Content(testDescription: "empty, raw", coding: .deflate, encoded: KnownVector.emptyRaw.compressed),
    ]

    private static let refused = [
        Content(
            testDescription: "garbage behind a member",
            coding: .gzip,
            encoded: gzip + [0x0D, 0x0A],
            bytes: text,
            violation: .trailingData
        ),
        Content(
            testDescription: "garbage behind padding",
            coding: .gzip,
            encoded: gzip + [0, 0, 1],
            bytes: text,
            violation: .trailingData
        ),
        Content(
            testDescription: "a member behind padding",
            coding: .gzip,
            encoded: gzip + [0] + gzip,
            bytes: text,
            violation: .trailingData
        ),
        Content(
            testDescription: "what only begins like a member",
            coding: .gzip,
            encoded: gzip + [0x1F, 0x9D],
            bytes: text,
            violation: .corrupt(message: "incorrect header check")
        ),
        Content(
            testDescription: "padding behind zlib",
            coding: .deflate,
            encoded: zlib + [0],
            bytes: text,
            violation: .trailingData
        ),
        Content(
            testDescription: "more than a check value behind raw",
            coding: .deflate,
            encoded: raw + [1, 2, 3, 4, 5],
            bytes: text,
            violation: .trailingData
        ),
        Content(
            testDescription: "a dictionary",
            coding: .deflate,
            encoded: KnownVector.bytes("78bb16c004374b81b30016c00437"),
            violation: .needsDictionary
        ),
        Content(
            testDescription: "a wrong check value",
            coding: .gzip,
            encoded: gzip.dropLast(5) + [0x00] + gzip.suffix(4),
            bytes: text,
            violation: .corrupt(message: "incorrect data check")
        ),
        Content(
            testDescription: "a wrong length",
            coding: .gzip,
            encoded: gzip.dropLast() + [0x01],
            bytes: text,
            violation: .corrupt(message: "incorrect length check")
        ),
        Content(
            testDescription: "zlib named gzip",
            coding: .gzip,
            encoded: zlib,
            violation: .corrupt(message: "incorrect header check")
        ),
    ]

    @Test(arguments: Self.all)
    func `content is decoded or refused, however it is cut`(_ content: Content) throws {
        for pieces in everySplit(of: content.encoded) {
            for room in [1, 5, content.bytes.count, 1000] where room > 0 {
                let result = try Decoded(pieces, content.coding, roomByteCount: room)
                expectEqual(result.bytes, content.bytes)
                #expect(result.violation == content.violation)
            }
        }
    }

    @Test(arguments: Self.all.filter { $0.violation == nil && !$0.bytes.isEmpty })
    func `content that was cut off is noticed`(_ content: Content) throws {
        var ends: Set<Int> = [0]
        for count in 1...content.encoded.count {
            let result = try Decoded(Array(content.encoded.prefix(count)), content.coding)
            #expect(content.bytes.starts(with: result.bytes))
            if result.violation == nil { ends.insert(count) } else { #expect(result.violation == .truncated) }
        }
        #expect(ends == Set(content.inner + [0, content.encoded.count]))
    }

    @Test
    func `a second member that was cut off is noticed at every byte`() throws {
        for count in Self.gzip.indices.dropFirst() {
            let result = try Decoded(Self.gzip + Self.gzip.prefix(count), .gzip)
            #expect(result.violation == .truncated)
        }
    }

    @Test
    func `output that was not fetched is noticed at the end`() throws {
        var decoder = try ContentDecoder(.gzip)
        var bytes: [UInt8] = []
        let progress = try bytes.append(room: 10) { (output) throws(ContentViolation) in
            try decoder.decode(ContiguousArray(Self.gzip).span.bytes, into: &output)
        }
        #expect(progress.status == .needsOutput)
        #expect(throws: ContentViolation.truncated) { try decoder.finish() }
        _ = try bytes.append(room: 100) { (output) throws(ContentViolation) in
            try decoder.decode(
                ContiguousArray(Self.gzip).span.bytes.extracting(droppingFirst: progress.consumedByteCount),
                into: &output
            )
        }
        try decoder.finish()
        expectEqual(bytes, Self.text)
    }

    @Test(arguments: [ContentCoding.gzip, .deflate])
    func `empty input changes nothing`(_ coding: ContentCoding) throws {
        let encoded = coding == .gzip ? Self.gzip + Self.gzip : Self.zlib
        let pieces: [ArraySlice<UInt8>] = encoded.indices.flatMap { [encoded[..<0], encoded[$0...$0], encoded[..<0]] }
        let result = try Decoded(pieces, coding)
        #expect(result.violation == nil)
        expectEqual(result.bytes, (coding == .gzip ? Self.text + Self.text : Self.text))
    }

    @Test(arguments: Sample.allCases)
    func `every kind of data is decoded`(_ sample: Sample) throws {
        let bytes = sample.bytes(50_000)
        try expectEqual(Decoded(Deflater.whole(bytes, .gzip), .gzip), Decoded(bytes: bytes))
        try expectEqual(Decoded(Deflater.whole(bytes, .zlib), .deflate), Decoded(bytes: bytes))
        try expectEqual(Decoded(Deflater.whole(bytes, .raw), .deflate, Cuts(pieceByteCount: 1)), Decoded(bytes: bytes))
    }

    @Test
    func `raw data of every kind of compressor is told from zlib`() throws {
        for sample in Sample.allCases {
            for level in 0...9 {
                let first = try Deflater.whole(sample.bytes(), .raw, DeflateParameters(level: level))
                try expectEqual(Decoded(first, .deflate).bytes, sample.bytes())
            }
        }
        for windowBits in 9...15 {
            for level in 0...9 {
                let parameters = DeflateParameters(level: level, windowBits: windowBits)
                try expectEqual(Decoded(Deflater.whole(Self.text, .zlib, parameters), .deflate).bytes, Self.text)
            }
        }
    }
}
