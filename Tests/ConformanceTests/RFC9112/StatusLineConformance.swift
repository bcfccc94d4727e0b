// SPDX-License-Identifier: Apache-2.0

import TernHTTP1
import TestSupport
import Testing

@Suite("RFC 9112 §2 and §4: lines and the status line")
struct StatusLineConformance {
    static let accepted: [Vector<ResponseExpectation>] = [
        .init(
            "§4",
            "version, code, reason",
            "HTTP/1.1 204 No Content\r\n\r\n",
            .decodes("head 204 No Content, none", "end")
        ),
        .init("§4", "an empty reason after its space", "HTTP/1.1 204 \r\n\r\n", .decodes("head 204, none", "end")),
        .init("§4", "an empty reason without its space", "HTTP/1.1 204\r\n\r\n", .decodes("head 204, none", "end")),
        .init("§4", "a reason may hold tabs", "HTTP/1.1 204 a\tb\r\n\r\n", .decodes("head 204 a\tb, none", "end")),
        .init("§4", "a reason may hold blanks only", "HTTP/1.1 204   \r\n\r\n", .decodes("head 204   , none", "end")),
        .init(
            "§4",
            "a reason may hold obs-text",
            "HTTP/1.1 204 schön\r\n\r\n",
            .decodes("head 204 schön, none", "end")
        ),
        .init(
            "§4",
            "obs-text that is not UTF-8 is repaired",
            Array("HTTP/1.1 204 ".utf8) + [0xE9] + Array("\r\n\r\n".utf8),
            .decodes("head 204 \u{FFFD}, none", "end")
        ),
        .init("§2.3", "HTTP/1.0", "HTTP/1.0 204 x\r\n\r\n", .decodes("head 204 x, none", "end")),
        .init(
            "§2.3",
            "a higher minor version is read as 1.1",
            "HTTP/1.9 204 x\r\n\r\n",
            .decodes("head 204 x, none", "end")
        ),
        .init(
            "§4",
            "the highest code",
            "HTTP/1.1 999 x\r\nContent-Length: 0\r\n\r\n",
            .decodes("head 999 x, known(0)", "end")
        ),
        .init(
            "§4",
            "an unknown code",
            "HTTP/1.1 299 x\r\nContent-Length: 0\r\n\r\n",
            .decodes("head 299 x, known(0)", "end")
        ),
    ]

    /// RFC 9112 §2.2: "a recipient MAY recognize a single LF as a line terminator and ignore any preceding CR".
    static let endedByLineFeed: [Vector<ResponseExpectation>] = [
        .init("§2.2", "a status line", "HTTP/1.1 204 x\n\r\n", .decodes("head 204 x, none", "end", fields: [])),
        .init("§2.2", "a status line without a reason", "HTTP/1.1 204\n\n", .decodes("head 204, none", "end")),
        .init(
            "§2.2",
            "a whole head",
            "HTTP/1.1 204 x\nA: b\n\n",
            .decodes("head 204 x, none", "end", fields: ["A: b"])
        ),
        .init("§2.2", "the empty line", "HTTP/1.1 204 x\r\n\n", .decodes("head 204 x, none", "end", fields: [])),
        .init(
            "§2.2",
            "an interim head",
            "HTTP/1.1 100\n\nHTTP/1.1 204 x\r\n\r\n",
            .decodes("interim 100", "head 204 x, none", "end")
        ),
        .init(
            "§2.2",
            "a body that starts with LF",
            "HTTP/1.1 200 x\nContent-Length: 2\n\n\n!",
            .decodes("head 200 x, known(2)", "body \n!", "end")
        ),
    ]

    static let refused: [Vector<ResponseExpectation>] = [
        .init("§2.2", "an empty line first", "\r\nHTTP/1.1 204 x\r\n\r\n", .breaks(.malformedStatusLine)),
        .init("§2.2", "an LF first", "\nHTTP/1.1 204 x\r\n\r\n", .breaks(.malformedStatusLine)),
        .init("§2.2", "a bare CR before an LF", "HTTP/1.1 204 a\rb\n\n", .breaks(.bareCarriageReturn)),
        .init("§2.2", "a bare CR in the reason", "HTTP/1.1 204 a\rb\r\n\r\n", .breaks(.bareCarriageReturn)),
        .init("§2.2", "two CRs after the reason", "HTTP/1.1 204 a\r\r\n\r\n", .breaks(.bareCarriageReturn)),
        .init("§2.2", "a bare CR as the empty line", "HTTP/1.1 204 a\r\n\rb\r\n\r\n", .breaks(.bareCarriageReturn)),
        .init(
            "§2.2",
            "a blank before the first field",
            "HTTP/1.1 204 a\r\n A: b\r\n\r\n",
            .breaks(.whitespaceBeforeFields)
        ),
        .init(
            "§2.2",
            "a tab before the first field",
            "HTTP/1.1 204 a\r\n\tA: b\r\n\r\n",
            .breaks(.whitespaceBeforeFields)
        ),
        .init("§2.2", "a line of blanks", "HTTP/1.1 204 a\r\n  \r\n\r\n", .breaks(.whitespaceBeforeFields)),
        .init("§2.3", "HTTP/2.0", "HTTP/2.0 200 OK\r\n\r\n", .breaks(.unsupportedVersion)),
        .init("§2.3", "HTTP/0.9", "HTTP/0.9 200 OK\r\n\r\n", .breaks(.unsupportedVersion)),
        .init("§2.3", "a version without minor", "HTTP/1 200 OK\r\n\r\n", .breaks(.malformedStatusLine)),
        .init("§2.3", "a version of two digits", "HTTP/1.10 200 OK\r\n\r\n", .breaks(.malformedStatusLine)),
        .init("§2.3", "a version of letters", "HTTP/x.y 200 OK\r\n\r\n", .breaks(.malformedStatusLine)),
        .init("§2.3", "the name is case-sensitive", "http/1.1 200 OK\r\n\r\n", .breaks(.malformedStatusLine)),
        .init("§4", "two spaces before the code", "HTTP/1.1  200 OK\r\n\r\n", .breaks(.invalidStatusCode)),
        .init("§4", "a tab before the code", "HTTP/1.1\t200 OK\r\n\r\n", .breaks(.malformedStatusLine)),
        .init("§4", "no code", "HTTP/1.1 \r\n\r\n", .breaks(.invalidStatusCode)),
        .init("§4", "nothing after the version", "HTTP/1.1\r\n\r\n", .breaks(.malformedStatusLine)),
        .init("§4", "a code of two digits", "HTTP/1.1 20 OK\r\n\r\n", .breaks(.invalidStatusCode)),
        .init("§4", "a code of four digits", "HTTP/1.1 2000 OK\r\n\r\n", .breaks(.invalidStatusCode)),
        .init("§4", "a code with a letter", "HTTP/1.1 2x0 OK\r\n\r\n", .breaks(.invalidStatusCode)),
        .init("§4", "a code with a sign", "HTTP/1.1 +20 OK\r\n\r\n", .breaks(.invalidStatusCode)),
        .init("§4", "a code below 100", "HTTP/1.1 099 OK\r\n\r\n", .breaks(.invalidStatusCode)),
        .init("§4", "no space after the code", "HTTP/1.1 200OK\r\n\r\n", .breaks(.malformedStatusLine)),
        .init("§4", "NUL in the reason", "HTTP/1.1 200 a\0b\r\n\r\n", .breaks(.malformedStatusLine)),
        .init("§4", "DEL in the reason", "HTTP/1.1 200 a\u{7F}b\r\n\r\n", .breaks(.malformedStatusLine)),
        .init("§4", "another protocol", "SSH-2.0-OpenSSH_9.6\r\n", .breaks(.malformedStatusLine)),
        .init("§4", "another protocol that sends no line", "\u{15}\u{3}\u{3}\0\u{2}", .breaks(.malformedStatusLine)),
        .init("§4", "a request", "GET / HTTP/1.1\r\n\r\n", .breaks(.malformedStatusLine)),
    ]

    @Test(arguments: accepted)
    func `a status line is read`(_ vector: Vector<ResponseExpectation>) { vector.check() }

    @Test(arguments: endedByLineFeed)
    func `LF alone ends a line of a head, and nothing follows such a response`(_ vector: Vector<ResponseExpectation>) {
        vector.check()
        #expect(!ResponseTranscript(of: [vector.bytes[...]], as: vector.expected).isReusable)
    }

    @Test(arguments: refused)
    func `what is not a status line is refused`(_ vector: Vector<ResponseExpectation>) { vector.check() }
}
