// SPDX-License-Identifier: Apache-2.0

import TernHTTP1
import TestSupport
import Testing

@Suite("RFC 9112 §4, §5 and §7.1: limits a recipient sets")
struct LimitsConformance {
    private static func limits(_ change: (inout HTTP1Limits) -> Void) -> HTTP1Limits {
        var limits = HTTP1Limits()
        change(&limits)
        return limits
    }

    private static let head = limits { $0.maximumHeadByteCount = 32 }
    private static let fields = limits { $0.maximumFieldCount = 2 }
    private static let chunkLine = limits { $0.maximumChunkLineByteCount = 8 }
    private static let excess = limits { $0.maximumExcessChunkFramingByteCount = 20 }
    private static let trailers = limits { $0.maximumTrailerByteCount = 12 }
    private static let chunkedHead = "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n"

    static let vectors: [Vector<ResponseExpectation>] = [
        .init(
            "§5",
            "a head of 32 bytes",
            "HTTP/1.1 204 x\r\nX: 123456789\r\n\r\n",
            .decodes("head 204 x, none", "end", limits: head)
        ),
        .init(
            "§5",
            "a head of 33 bytes",
            "HTTP/1.1 204 x\r\nX: 1234567890\r\n\r\n",
            .breaks(.headTooLong(limit: 32), limits: head)
        ),
        .init(
            "§5",
            "a field that never ends",
            "HTTP/1.1 204 x\r\nX: 1234567890123456789",
            .breaks(.headTooLong(limit: 32), limits: head)
        ),
        .init(
            "§4",
            "a status line that never ends",
            "HTTP/1.1 200 0123456789012345678901234",
            .breaks(.headTooLong(limit: 32), limits: head)
        ),
        .init(
            "§4",
            "a long head with a fault at its end",
            "HTTP/1.1 200 x\r\nX: 123456789012\u{1}\r\n\r\n",
            .breaks(.headTooLong(limit: 32), limits: head)
        ),
        .init(
            "§4",
            "interim heads count for themselves",
            "HTTP/1.1 100\r\n\r\nHTTP/1.1 100\r\n\r\nHTTP/1.1 204\r\n\r\n",
            .decodes("interim 100", "interim 100", "head 204, none", "end", limits: head)
        ),
        .init(
            "§5",
            "two fields",
            "HTTP/1.1 204 x\r\nA: 1\r\nB: 2\r\n\r\n",
            .decodes("head 204 x, none", "end", limits: fields)
        ),
        .init(
            "§5",
            "three fields",
            "HTTP/1.1 204 x\r\nA: 1\r\nB: 2\r\nC: 3\r\n\r\n",
            .breaks(.tooManyFields(limit: 2), limits: fields)
        ),
        .init(
            "§7.1.1",
            "a chunk line of 8 bytes",
            "\(chunkedHead)1;abcd\r\n!\r\n0\r\n\r\n",
            .decodes("head 200 OK, chunked", "body !", "end", limits: chunkLine)
        ),
        .init(
            "§7.1.1",
            "a chunk line of 9 bytes",
            "\(chunkedHead)1;abcde\r\n!\r\n0\r\n\r\n",
            .breaks(.chunkLineTooLong(limit: 8), after: "head 200 OK, chunked", limits: chunkLine)
        ),
        .init(
            "§7.1.1",
            "a second chunk line that is too long",
            "\(chunkedHead)1\r\n!\r\n1;abcde\r\n!\r\n",
            .breaks(.chunkLineTooLong(limit: 8), after: "head 200 OK, chunked", "body !", limits: chunkLine)
        ),
        .init(
            "§7.1.1",
            "an extension that never ends",
            "\(chunkedHead)1;aaaaaaaaaaaaaaaa",
            .breaks(.chunkLineTooLong(limit: 8), after: "head 200 OK, chunked", limits: chunkLine)
        ),
        .init(
            "§7.1.1",
            "chunk lines that take 20 bytes too much together",
            "\(chunkedHead)1;\(String(repeating: "x", count: 22))\r\n!\r\n1;\(String(repeating: "x", count: 22))\r\n!\r\n0\r\n\r\n",
            .decodes("head 200 OK, chunked", "body !!", "end", limits: excess)
        ),
        .init(
            "§7.1.1",
            "chunk lines that take 21 bytes too much together",
            "\(chunkedHead)1;\(String(repeating: "x", count: 22))\r\n!\r\n1;\(String(repeating: "x", count: 23))\r\n!\r\n",
            .breaks(.excessiveChunkFraming(limit: 20), after: "head 200 OK, chunked", "body !", limits: excess)
        ),
        .init(
            "§7.1.1",
            "a chunk line that its data outweighs",
            "\(chunkedHead)a;\(String(repeating: "x", count: 40))\r\n0123456789\r\n0\r\n\r\n",
            .decodes("head 200 OK, chunked", "body 0123456789", "end", limits: excess)
        ),
        .init(
            "§7.1.1",
            "many chunks of one byte",
            "\(chunkedHead)\(String(repeating: "1\r\n!\r\n", count: 40))0\r\n\r\n",
            .decodes("head 200 OK, chunked", "body \(String(repeating: "!", count: 40))", "end", limits: excess)
        ),
        .init(
            "§7.1.1",
            "a last chunk line that takes too much",
            "\(chunkedHead)0;\(String(repeating: "x", count: 33))\r\n\r\n",
            .breaks(.excessiveChunkFraming(limit: 20), after: "head 200 OK, chunked", limits: excess)
        ),
        .init(
            "§7.1.2",
            "trailers of 12 bytes",
            "\(chunkedHead)0\r\nX: 12345\r\n\r\n",
            .decodes("head 200 OK, chunked", "end X: 12345", limits: trailers)
        ),
        .init(
            "§7.1.2",
            "trailers of 13 bytes",
            "\(chunkedHead)0\r\nX: 123456\r\n\r\n",
            .breaks(.trailersTooLong(limit: 12), after: "head 200 OK, chunked", limits: trailers)
        ),
        .init(
            "§7.1.2",
            "trailers that never end",
            "\(chunkedHead)0\r\nX: 12345678901234567890",
            .breaks(.trailersTooLong(limit: 12), after: "head 200 OK, chunked", limits: trailers)
        ),
        .init(
            "§7.1.2",
            "too many trailers",
            "\(chunkedHead)0\r\nA: 1\r\nB: 2\r\nC: 3\r\n\r\n",
            .breaks(.tooManyFields(limit: 2), after: "head 200 OK, chunked", limits: fields)
        ),
    ]

    @Test(arguments: vectors)
    func `a limit holds however the bytes come`(_ vector: Vector<ResponseExpectation>) { vector.check() }
}
