// SPDX-License-Identifier: Apache-2.0

import TernHTTP1
import TestSupport
import Testing

@Suite("RFC 9112 §7.1: chunks and trailers")
struct ChunkedConformance {
    private static let head = "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n"

    private static func reads(
        _ section: String,
        _ rule: String,
        _ body: String,
        _ lines: String...
    ) -> Vector<ResponseExpectation> {
        var expected = ResponseExpectation.decodes("head 200 OK, chunked")
        expected.lines += lines
        return .init(section, rule, Self.head + body, expected)
    }

    private static func refuses(
        _ section: String,
        _ rule: String,
        _ body: String,
        _ violation: HTTP1Violation,
        after data: String? = nil
    ) -> Vector<ResponseExpectation> {
        var expected = ResponseExpectation.breaks(violation, after: "head 200 OK, chunked")
        if let data { expected.lines.append("body \(data)") }
        return .init(section, rule, Self.head + body, expected)
    }

    static let accepted: [Vector<ResponseExpectation>] = [
        reads("§7.1", "no data", "0\r\n\r\n", "end"),
        reads("§7.1", "one chunk", "5\r\nhello\r\n0\r\n\r\n", "body hello", "end"),
        reads("§7.1", "two chunks", "3\r\nhel\r\n2\r\nlo\r\n0\r\n\r\n", "body hello", "end"),
        reads("§7.1", "data that looks like framing", "7\r\n\r\n0\r\n\r\n\r\n0\r\n\r\n", "body \r\n0\r\n\r\n", "end"),
        reads("§7.1", "lower-case digits", "a\r\n0123456789\r\n0\r\n\r\n", "body 0123456789", "end"),
        reads("§7.1", "upper-case digits", "A\r\n0123456789\r\n0\r\n\r\n", "body 0123456789", "end"),
        reads("§7.1", "16 digits", "0000000000000002\r\nhi\r\n0\r\n\r\n", "body hi", "end"),
        reads("§7.1", "many zeros at the end", "2\r\nhi\r\n00000\r\n\r\n", "body hi", "end"),
        reads("§7.1", "what follows is not looked at", "0\r\n\r\nHTTP", "end", "rest 4"),
        reads("§7.1.1", "an extension", "2;a\r\nhi\r\n0\r\n\r\n", "body hi", "end"),
        reads("§7.1.1", "an extension with a value", "2;a=b\r\nhi\r\n0;c=\"d;e\"\r\n\r\n", "body hi", "end"),
        reads("§7.1.1", "blanks around an extension", "2 \t; a = b\r\nhi\r\n0\r\n\r\n", "body hi", "end"),
        reads("§7.1.1", "blanks after a size", "2  \r\nhi\r\n0 \r\n\r\n", "body hi", "end"),
        reads("§7.1.1", "obs-text in an extension", "2;ä=ö\r\nhi\r\n0\r\n\r\n", "body hi", "end"),
        reads("§7.1.2", "one trailer", "0\r\nX-Sum: 1\r\n\r\n", "end X-Sum: 1"),
        reads("§7.1.2", "two trailers", "1\r\n!\r\n0\r\nX-A: 1\r\nX-B: 2\r\n\r\n", "body !", "end X-A: 1 X-B: 2"),
        reads("§7.1.2", "a trailer and a next response", "0\r\nX-A: 1\r\n\r\nHTTP", "end X-A: 1", "rest 4"),
        reads("§6.5.1", "a length in the trailers is dropped", "0\r\nContent-Length: 9\r\n\r\n", "end"),
        reads("§6.5.1", "a bad length in the trailers is dropped", "0\r\nContent-Length: x\r\n\r\n", "end"),
        reads(
            "§6.5.1",
            "a coding in the trailers is dropped",
            "0\r\nA: 1\r\ntransfer-encoding: x\r\nB: 2\r\n\r\n",
            "end A: 1 B: 2"
        ),
        reads(
            "§6.5.1",
            "what steers routing and content is dropped",
            "0\r\nHost: a\r\nConnection: close\r\nTrailer: b\r\nContent-Type: c\r\nContent-Encoding: d\r\nContent-Range: e\r\n\r\n",
            "end"
        ),
    ]

    static let irregular: [Vector<ResponseExpectation>] = [
        reads("§2.2", "LF as the last line", "0\r\n\n", "end"),
        reads("§2.2", "a trailer ended by LF", "0\r\nA: b\n\r\n", "end A: b"),
        reads("§5.2", "a folded trailer", "0\r\nA: b\r\n c\r\n\r\n", "end A: b   c"),
        reads("§5.1", "a blank before a trailer's colon", "0\r\nA : b\r\n\r\n", "end A: b"),
        reads(
            "§5.1",
            "a trailer whose name is not a token is dropped",
            "0\r\nX Y: z\r\n w\r\nA: b\r\n\r\n",
            "end A: b"
        ),
        reads("§5.1", "a trailer without a name is dropped", "0\r\n: z\r\n\r\n", "end"),
        reads("§6.5.1", "a folded length is dropped", "0\r\nContent-Length:\r\n 9\r\nA: b\r\n\r\n", "end A: b"),
    ]

    static let refused: [Vector<ResponseExpectation>] = [
        refuses("§7.1", "an empty size", "\r\nhi\r\n", .invalidChunkSize),
        refuses("§7.1", "an extension without a size", ";a\r\nhi\r\n", .invalidChunkSize),
        refuses("§7.1", "a blank before the size", " 2\r\nhi\r\n", .invalidChunkSize),
        refuses("§7.1", "no hexadecimal digit", "g\r\n", .invalidChunkSize),
        refuses("§7.1", "a letter behind the size", "2g\r\nhi\r\n", .invalidChunkSize),
        refuses("§7.1", "a prefix", "0x2\r\nhi\r\n", .invalidChunkSize),
        refuses("§7.1", "a minus", "-2\r\nhi\r\n", .invalidChunkSize),
        refuses("§7.1", "a plus", "+2\r\nhi\r\n", .invalidChunkSize),
        refuses("§7.1", "2^63", "8000000000000000\r\n", .chunkSizeTooLarge),
        refuses("§7.1", "2^64 - 1", "ffffffffffffffff\r\n", .chunkSizeTooLarge),
        refuses("§7.1", "17 digits", "10000000000000000\r\n", .chunkSizeTooLarge),
        refuses("§7.1", "17 digits that are zeros", "00000000000000002\r\nhi", .chunkSizeTooLarge),
        refuses("§7.1", "too much data", "2\r\nhi!\r\n0\r\n\r\n", .missingChunkTerminator, after: "hi"),
        refuses("§7.1", "LF after the data", "2\r\nhi\n0\r\n\r\n", .missingChunkTerminator, after: "hi"),
        refuses("§7.1", "CR alone after the data", "2\r\nhi\r0\r\n\r\n", .missingChunkTerminator, after: "hi"),
        refuses("§7.1", "no CRLF after the data", "2\r\nhi0\r\n\r\n", .missingChunkTerminator, after: "hi"),
        refuses("§2.2", "LF after the size", "2\nhi\r\n0\r\n\r\n", .bareLineFeed),
        refuses("§2.2", "LF alone as a line", "\n", .bareLineFeed),
        refuses("§2.2", "LF after an extension", "2;a\nhi\r\n0\r\n\r\n", .bareLineFeed),
        refuses("§2.2", "a bare CR in a chunk line", "2\r;a\r\nhi\r\n", .bareCarriageReturn),
        refuses("§2.2", "a bare CR in an extension", "2;a\rb\r\nhi\r\n", .bareCarriageReturn),
        refuses("§7.1.1", "no semicolon", "2 a\r\nhi\r\n", .invalidChunkExtension),
        refuses("§7.1.1", "a second size", "2 3\r\nhi\r\n", .invalidChunkExtension),
        refuses("§7.1.1", "NUL in an extension", "2;a\0\r\nhi\r\n", .invalidChunkExtension),
        refuses("§7.1.1", "a control character in an extension", "2;a=\"\u{1}\"\r\nhi\r\n", .invalidChunkExtension),
        refuses("§7.1.2", "LF after the last size", "0\n\r\n", .bareLineFeed),
        refuses("§7.1.2", "a trailer without a colon", "0\r\nX-Sum\r\n\r\n", .missingColon),
        refuses("§7.1.2", "a blank before the first trailer", "0\r\n A: b\r\n\r\n", .whitespaceBeforeFields),
        refuses("§7.1.2", "NUL in a trailer", "0\r\nA: \0\r\n\r\n", .controlCharacterInFieldValue),
        refuses("§5.1", "a disguised length in the trailers", "0\r\nContent Length: 9\r\n\r\n", .invalidFieldName),
        refuses("§7.1.2", "a response instead of the last line", "0\r\nHTTP/1.1 200 OK\r\n\r\n", .invalidFieldName),
    ]

    @Test(arguments: accepted)
    func `chunks are taken apart`(_ vector: Vector<ResponseExpectation>) { vector.check() }

    @Test(arguments: irregular)
    func `an irregular trailer is read, and nothing follows it`(_ vector: Vector<ResponseExpectation>) {
        vector.check()
        #expect(!ResponseTranscript(of: [vector.bytes[...]], as: vector.expected).isReusable)
    }

    @Test(arguments: refused)
    func `what is not a chunk is refused`(_ vector: Vector<ResponseExpectation>) { vector.check() }
}
