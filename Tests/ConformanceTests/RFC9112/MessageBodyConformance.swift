// SPDX-License-Identifier: Apache-2.0

import HTTPTypes
import TernHTTP1
import TestSupport
import Testing

@Suite("RFC 9112 §6: where a body ends")
struct MessageBodyConformance {
    private static func length(
        _ rule: String,
        _ value: String,
        _ violation: HTTP1Violation
    ) -> Vector<ResponseExpectation> {
        .init("§6.3", rule, "HTTP/1.1 200 OK\r\nContent-Length:\(value)\r\n\r\n", .breaks(violation))
    }

    private static func coding(
        _ rule: String,
        _ value: String,
        _ violation: HTTP1Violation
    ) -> Vector<ResponseExpectation> {
        .init("§6.1", rule, "HTTP/1.1 200 OK\r\nTransfer-Encoding: \(value)\r\n\r\n0\r\n\r\n", .breaks(violation))
    }

    static let accepted: [Vector<ResponseExpectation>] = [
        .init(
            "§6.3",
            "a length",
            "HTTP/1.1 200 OK\r\nContent-Length: 5\r\n\r\nhello",
            .decodes("head 200 OK, known(5)", "body hello", "end")
        ),
        .init(
            "§6.3",
            "a length of 0",
            "HTTP/1.1 200 OK\r\nContent-Length: 0\r\n\r\n",
            .decodes("head 200 OK, known(0)", "end")
        ),
        .init(
            "§6.3",
            "a length with zeros in front",
            "HTTP/1.1 200 OK\r\ncontent-length:\t0005 \r\n\r\nhello",
            .decodes("head 200 OK, known(5)", "body hello", "end")
        ),
        .init(
            "§6.3",
            "what follows is not looked at",
            "HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\nhello",
            .decodes("head 200 OK, known(2)", "body he", "end", "rest 3")
        ),
        .init(
            "§6.3",
            "neither length nor coding",
            "HTTP/1.1 200 OK\r\n\r\nhello",
            .decodes("head 200 OK, untilClose", "body hello", "end")
        ),
        .init("§6.3", "a close at once", "HTTP/1.0 200 OK\r\n\r\n", .decodes("head 200 OK, untilClose", "end")),
        .init(
            "§6.3",
            "HEAD has no body",
            "HTTP/1.1 200 OK\r\nContent-Length: 5\r\n\r\nHTTP",
            .decodes("head 200 OK, none", "end", "rest 4", to: .head)
        ),
        .init(
            "§6.3",
            "HEAD has no chunks",
            "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n",
            .decodes("head 200 OK, none", "end", to: .head)
        ),
        .init(
            "§6.3",
            "204 has no body",
            "HTTP/1.1 204 x\r\nContent-Length: 5\r\n\r\n",
            .decodes("head 204 x, none", "end")
        ),
        .init(
            "§6.3",
            "304 has no body",
            "HTTP/1.1 304 x\r\nContent-Length: 5\r\n\r\n",
            .decodes("head 304 x, none", "end")
        ),
        .init(
            "§6.3",
            "205 has a body by its fields",
            "HTTP/1.1 205 x\r\nContent-Length: 1\r\n\r\n!",
            .decodes("head 205 x, known(1)", "body !", "end")
        ),
        .init(
            "§6.3",
            "a tunnel after CONNECT",
            "HTTP/1.1 200 OK\r\n\r\ntunnel",
            .decodes("head 200 OK, none", "end", "rest 6", to: .connect)
        ),
        .init(
            "§6.3",
            "a tunnel ignores framing",
            "HTTP/1.1 299 x\r\nContent-Length: 1, x\r\nTransfer-Encoding: y\r\n\r\n",
            .decodes("head 299 x, none", "end", to: .connect)
        ),
        .init(
            "§6.3",
            "a refused tunnel has a body",
            "HTTP/1.1 407 x\r\nContent-Length: 2\r\n\r\nno",
            .decodes("head 407 x, known(2)", "body no", "end", to: .connect)
        ),
        .init(
            "§6.1",
            "codings are case-insensitive",
            "HTTP/1.1 200 OK\r\nTRANSFER-ENCODING: CHUNKed\r\n\r\n0\r\n\r\n",
            .decodes("head 200 OK, chunked", "end")
        ),
        .init(
            "§6.1",
            "empty elements are ignored",
            "HTTP/1.1 200 OK\r\nTransfer-Encoding: , chunked ,\r\n\r\n0\r\n\r\n",
            .decodes("head 200 OK, chunked", "end")
        ),
    ]

    static let refused: [Vector<ResponseExpectation>] = [
        length("an empty length", "", .invalidContentLength),
        length("a length of blanks", "  ", .invalidContentLength),
        length("a plus", " +5", .invalidContentLength),
        length("a minus", " -5", .invalidContentLength),
        length("hexadecimal", " 0x5", .invalidContentLength),
        length("a fraction", " 5.0", .invalidContentLength),
        length("a blank inside", " 5 5", .invalidContentLength),
        length("a letter behind", " 5a", .invalidContentLength),
        length("digits outside ASCII", " ５", .invalidContentLength),
        length("2^63", " 9223372036854775808", .invalidContentLength),
        length("a very long number", " 99999999999999999999999999", .invalidContentLength),
        length("a list of equal lengths", " 5, 5", .repeatedContentLength),
        length("a list of different lengths", " 5,6", .conflictingContentLengths),
        length("a list with an empty element", " 5,", .invalidContentLength),
        length("a list with nonsense", " 5, x", .invalidContentLength),
        length("nonsense, then different lengths", " x, 5, 6", .invalidContentLength),
        length("equal, then different", " 5, 5, 6", .conflictingContentLengths),
        length("different, then equal", " 5, 6, 5", .conflictingContentLengths),
        length("a repeated field", " 5\r\nContent-Length: 5", .repeatedContentLength),
        length("fields that differ", " 5\r\ncontent-length: 6", .conflictingContentLengths),
        length("a length and a coding", " 5\r\nTransfer-Encoding: chunked", .contentLengthWithTransferEncoding),
        length("a bad length and a coding", " x\r\nTransfer-Encoding: chunked", .contentLengthWithTransferEncoding),
        coding("an unknown coding", "zip", .unsupportedTransferCoding),
        coding("identity", "identity", .unsupportedTransferCoding),
        coding("gzip alone", "gzip", .unsupportedTransferCoding),
        coding("gzip, then chunked", "gzip, chunked", .unsupportedTransferCoding),
        coding("chunked with a parameter", "chunked;q=1", .unsupportedTransferCoding),
        coding("chunked in quotes", "\"chunked\"", .unsupportedTransferCoding),
        coding("a longer word", "xchunked", .unsupportedTransferCoding),
        coding("no coding", "", .unsupportedTransferCoding),
        coding("commas only", ", ,", .unsupportedTransferCoding),
        coding("chunked, then gzip", "chunked, gzip", .chunkedNotFinal),
        coding("chunked twice", "chunked, chunked", .repeatedChunkedCoding),
        coding("chunked in two fields", "chunked\r\nTransfer-Encoding: chunked", .repeatedChunkedCoding),
        coding("gzip in a second field", "chunked\r\nTransfer-Encoding: gzip", .chunkedNotFinal),
        .init(
            "§6.1",
            "HTTP/1.0 has no codings",
            "HTTP/1.0 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n",
            .breaks(.transferEncodingInHTTP10)
        ),
        .init(
            "§6.3",
            "a malformed length counts also for HEAD",
            "HTTP/1.1 200 OK\r\nContent-Length: x\r\n\r\n",
            .breaks(.invalidContentLength, to: .head)
        ),
        .init(
            "§6.3",
            "conflicting lengths count also for 304",
            "HTTP/1.1 304 x\r\nContent-Length: 1, 2\r\n\r\n",
            .breaks(.conflictingContentLengths)
        ),
    ]

    @Test(arguments: accepted)
    func `the end of a body is found`(_ vector: Vector<ResponseExpectation>) { vector.check() }

    @Test(arguments: refused)
    func `framing that can be read in two ways is refused`(_ vector: Vector<ResponseExpectation>) { vector.check() }
}
