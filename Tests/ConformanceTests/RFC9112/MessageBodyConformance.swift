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

    private static func takes(
        _ section: String,
        _ rule: String,
        _ fields: String,
        _ body: String,
        _ lines: String...,
        version: String = "1.1",
        status: String = "200",
        to method: HTTPRequest.Method = .get
    ) -> Vector<ResponseExpectation> {
        var expected = ResponseExpectation.decodes(to: method)
        expected.lines = lines
        return .init(section, rule, "HTTP/\(version) \(status) x\r\n\(fields)\r\n\r\n\(body)", expected)
    }

    /// Framing that is unambiguous for a client, although it may confuse other recipients.
    static let irregular: [Vector<ResponseExpectation>] = [
        takes(
            "§6.3",
            "a list of equal lengths",
            "Content-Length: 2, 2",
            "hi",
            "head 200 x, known(2)",
            "body hi",
            "end"
        ),
        takes(
            "§6.3",
            "a repeated field",
            "Content-Length: 2\r\nContent-Length: 02",
            "hi",
            "head 200 x, known(2)",
            "body hi",
            "end"
        ),
        takes(
            "§6.3",
            "a coding overrides a length",
            "Content-Length: 5\r\nTransfer-Encoding: chunked",
            "1\r\n!\r\n0\r\n\r\n",
            "head 200 x, chunked",
            "body !",
            "end"
        ),
        takes(
            "§6.3",
            "a coding overrides lengths that differ",
            "Transfer-Encoding: chunked\r\nContent-Length: 5, x, 6",
            "0\r\n\r\n",
            "head 200 x, chunked",
            "end"
        ),
        takes(
            "§6.3",
            "a coding overrides a folded length",
            "Transfer-Encoding: chunked\r\nContent-Length:\r\n 5",
            "0\r\n\r\n",
            "head 200 x, chunked",
            "end"
        ),
        takes(
            "§6.1",
            "chunked in HTTP/1.0",
            "Connection: keep-alive\r\nTransfer-Encoding: chunked",
            "0\r\n\r\n",
            "head 200 x, chunked",
            "end",
            version: "1.0"
        ),
        takes("§6.1", "an unknown coding", "Transfer-Encoding: zip", "hi", "head 200 x, untilClose", "body hi", "end"),
        takes("§6.1", "chunked in quotes", "Transfer-Encoding: \"chunked\"", "", "head 200 x, untilClose", "end"),
        takes(
            "§6.1",
            "chunked with a parameter",
            "Transfer-Encoding: chunked;q=1",
            "",
            "head 200 x, untilClose",
            "end"
        ),
        takes("§6.1", "a longer word", "Transfer-Encoding: xchunked", "", "head 200 x, untilClose", "end"),
        takes("§6.1", "no coding", "Transfer-Encoding:", "hi", "head 200 x, untilClose", "body hi", "end"),
        takes("§6.1", "commas only", "Transfer-Encoding: , ,", "", "head 200 x, untilClose", "end"),
        takes("§6.3", "chunked, then gzip", "Transfer-Encoding: chunked, gzip", "", "head 200 x, untilClose", "end"),
        takes(
            "§6.3",
            "gzip in a second field",
            "Transfer-Encoding: chunked\r\nTransfer-Encoding: gzip",
            "",
            "head 200 x, untilClose",
            "end"
        ),
        takes(
            "§6.3",
            "an unknown coding overrides a length",
            "Transfer-Encoding: zip\r\nContent-Length: 1",
            "hi",
            "head 200 x, untilClose",
            "body hi",
            "end"
        ),
        takes(
            "§6.3",
            "gzip, then chunked",
            "Transfer-Encoding: gzip, chunked",
            "0\r\n\r\n",
            "head 200 x, chunked",
            "end"
        ),
        takes(
            "§6.1",
            "chunked twice",
            "Transfer-Encoding: chunked, Chunked",
            "1\r\n!\r\n0\r\n\r\n",
            "head 200 x, chunked",
            "body !",
            "end"
        ),
        takes(
            "§6.1",
            "chunked in two fields",
            "Transfer-Encoding: chunked\r\nTransfer-Encoding: chunked",
            "1\r\n!\r\n0\r\n\r\n",
            "head 200 x, chunked",
            "body !",
            "end"
        ),
        takes(
            "§6.1",
            "chunked twice overrides a length",
            "Content-Length: 3\r\nTransfer-Encoding: chunked\r\nA: b\r\nTransfer-Encoding: chunked",
            "1\r\n!\r\n0\r\n\r\n",
            "head 200 x, chunked",
            "body !",
            "end"
        ),
        takes(
            "§6.3",
            "identity beside a length",
            "Transfer-Encoding: Identity\r\nContent-Length: 1",
            "!",
            "head 200 x, known(1)",
            "body !",
            "end"
        ),
        takes("§6.3", "a bad length to HEAD", "Content-Length: x", "", "head 200 x, none", "end", to: .head),
        takes(
            "§6.3",
            "lengths that differ in 304",
            "Content-Length: 1, 2",
            "",
            "head 304 x, none",
            "end",
            status: "304"
        ),
        takes(
            "§6.3",
            "a coding and a length to HEAD",
            "Transfer-Encoding: zip, chunked, chunked\r\nContent-Length: 5",
            "",
            "head 200 x, none",
            "end",
            to: .head
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
        length("a list of different lengths", " 5,6", .conflictingContentLengths),
        length("a list with an empty element", " 5,", .invalidContentLength),
        length("a list with nonsense", " 5, x", .invalidContentLength),
        length("nonsense, then different lengths", " x, 5, 6", .invalidContentLength),
        length("equal, then different", " 5, 5, 6", .conflictingContentLengths),
        length("different, then equal", " 5, 6, 5", .conflictingContentLengths),
        length("fields that differ", " 5\r\ncontent-length: 6", .conflictingContentLengths),
        coding("chunked twice, and another", "chunked, chunked, gzip", .repeatedChunkedCoding),
        coding("another, and chunked twice", "gzip, chunked, chunked", .repeatedChunkedCoding),
        coding(
            "chunked, another, and chunked, in three fields",
            "chunked\r\nTransfer-Encoding: zip\r\nTransfer-Encoding: chunked",
            .repeatedChunkedCoding
        ),
        coding("chunked twice, folded", "chunked,\r\n chunked", .foldedFieldLine),
        coding("chunked, another, and chunked", "chunked, gzip, chunked", .repeatedChunkedCoding),
        coding("a folded coding", "\r\n chunked", .foldedFieldLine),
        coding("a folded list", "chunked,\r\n gzip", .foldedFieldLine),
        coding("a control character", "\u{B}chunked", .controlCharacterInFieldValue),
        length("a folded length", "\r\n 5", .foldedFieldLine),
        length("a length with an empty fold", " 5\r\n ", .foldedFieldLine),
        length("a control character", " 5\u{B}", .controlCharacterInFieldValue),
        .init(
            "§5.1",
            "a space before the colon of a length",
            "HTTP/1.1 200 OK\r\nContent-Length : 5\r\n\r\nhello",
            .breaks(.whitespaceBeforeColon)
        ),
        .init(
            "§5.1",
            "a space before the colon of a coding",
            "HTTP/1.1 200 OK\r\nTransfer-Encoding : chunked\r\n\r\n0\r\n\r\n",
            .breaks(.whitespaceBeforeColon)
        ),
        .init(
            "§5.1",
            "a tab before the colon of a coding",
            "HTTP/1.1 200 OK\r\nTransfer-Encoding\t: chunked\r\n\r\n0\r\n\r\n",
            .breaks(.whitespaceBeforeColon)
        ),
        disguised("Transfer Encoding: chunked"),
        disguised("Transfer- Encoding: chunked"),
        disguised("Transfer-Encoding chunked: chunked"),
        disguised("\u{FEFF}Transfer-Encoding: chunked"),
        disguised("transfer-encoding\u{A0}: chunked"),
        disguised("(Transfer-Encoding): chunked"),
        disguised("Content Length: 5"),
        disguised("Content -Length: 5"),
        disguised("CONTENT-LENGTH;: 5"),
        disguised("\"Content-Length\": 5"),
        disguised("Con\u{200B}tent-Length: 5"),
        disguised("A b Content-Length: 5"),
    ]

    /// A field whose name is not a token, but which another recipient could take for a framing field.
    private static func disguised(_ line: String) -> Vector<ResponseExpectation> {
        let head = "HTTP/1.1 200 OK\r\nServer: tern\r\n\(line)\r\n\r\n"
        return .init("§5.1", line, "\(head)hello", .breaks(.invalidFieldName))
    }

    @Test(arguments: accepted)
    func `the end of a body is found`(_ vector: Vector<ResponseExpectation>) { vector.check() }

    @Test(arguments: irregular)
    func `irregular framing without doubt is obeyed, and nothing follows`(_ vector: Vector<ResponseExpectation>) {
        vector.check()
        let transcript = ResponseTranscript(of: [vector.bytes[...]], as: vector.expected)
        #expect(!transcript.isReusable)
        #expect(transcript.heads.last?.keepsAlive == false)
    }

    @Test
    func `§6.3 a length that a coding overrides is not the body's`() {
        let bytes = Array("HTTP/1.1 200 x\r\nContent-Length: 5\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n".utf8)
        let transcript = ResponseTranscript(of: [bytes[...]], as: .decodes())
        #expect(transcript.heads.map(\.contentLength) == [nil])
        #expect(transcript.heads.map(\.fields.count) == [1])
        #expect(transcript.heads.map(\.reasonPhrase) == ["x"])
    }

    @Test(arguments: refused)
    func `framing that can be read in two ways is refused`(_ vector: Vector<ResponseExpectation>) { vector.check() }
}
