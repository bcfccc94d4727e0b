// SPDX-License-Identifier: Apache-2.0

import TernHTTP1
import TestSupport
import Testing

@Suite("RFC 9112 §8: incomplete messages")
struct IncompleteConformance {
    private static let chunkedHead = "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n"

    private static func chunked(_ rule: String, _ body: String, _ data: String? = nil) -> Vector<ResponseExpectation> {
        var expected = ResponseExpectation.breaks(.truncatedChunkedBody, after: "head 200 OK, chunked")
        if let data { expected.lines.append("body \(data)") }
        return .init("§8", rule, Self.chunkedHead + body, expected)
    }

    static let vectors: [Vector<ResponseExpectation>] = [
        .init("§9.3.1", "nothing at all", "", .breaks(.closedBeforeResponse)),
        .init("§8", "one byte", "H", .breaks(.truncatedHead)),
        .init("§8", "a part of the status line", "HTTP/1.1 20", .breaks(.truncatedHead)),
        .init("§8", "a status line alone", "HTTP/1.1 200 OK\r\n", .breaks(.truncatedHead)),
        .init("§8", "a part of a field", "HTTP/1.1 200 OK\r\nServer: te", .breaks(.truncatedHead)),
        .init("§8", "a field without the empty line", "HTTP/1.1 200 OK\r\nServer: tern\r\n", .breaks(.truncatedHead)),
        .init("§8", "half of the empty line", "HTTP/1.1 200 OK\r\nServer: tern\r\n\r", .breaks(.truncatedHead)),
        .init("§8", "a fault in a line that has not ended", "HTTP/1.1 200 OK\r\nBad Name", .breaks(.truncatedHead)),
        .init("§8", "a fault before a CR that ends all", "HTTP/1.1 200 OK\r\nA: \0\r", .breaks(.truncatedHead)),
        .init("§8", "a blank before what never came", "HTTP/1.1 200 OK\r\n ", .breaks(.truncatedHead)),
        .init(
            "§8",
            "an interim response alone",
            "HTTP/1.1 100 x\r\n\r\n",
            .breaks(.truncatedHead, after: "interim 100")
        ),
        .init(
            "§8",
            "nothing of a body",
            "HTTP/1.1 200 OK\r\nContent-Length: 5\r\n\r\n",
            .breaks(.truncatedBody(received: 0, expected: 5), after: "head 200 OK, known(5)")
        ),
        .init(
            "§8",
            "a part of a body",
            "HTTP/1.1 200 OK\r\nContent-Length: 5\r\n\r\nhel",
            .breaks(.truncatedBody(received: 3, expected: 5), after: "head 200 OK, known(5)", "body hel")
        ),
        .init(
            "§8",
            "the largest body",
            "HTTP/1.1 200 OK\r\nContent-Length: 9223372036854775807\r\n\r\n!",
            .breaks(
                .truncatedBody(received: 1, expected: .max),
                after: "head 200 OK, known(9223372036854775807)",
                "body !"
            )
        ),
        chunked("no chunk", ""),
        chunked("a part of a size", "1"),
        chunked("a size", "2\r\n"),
        chunked("the largest size", "7fffffffffffffff\r\n!", "!"),
        chunked("a part of the data", "2\r\nh", "h"),
        chunked("data without CRLF", "2\r\nhi", "hi"),
        chunked("data with half a CRLF", "2\r\nhi\r", "hi"),
        chunked("data, but no last chunk", "2\r\nhi\r\n", "hi"),
        chunked("a fault in a size that has not ended", "xyz"),
        chunked("a last size without CRLF", "0"),
        chunked("a last chunk without the empty line", "0\r\n"),
        chunked("half of the empty line", "0\r\n\r"),
        chunked("a part of a trailer", "0\r\nX-Su"),
        chunked("trailers without the empty line", "0\r\nX-Sum: 1\r\n"),
    ]

    @Test(arguments: vectors)
    func `a message that was cut off is not taken for complete`(_ vector: Vector<ResponseExpectation>) {
        vector.check()
    }

    @Test
    func `§8 every proper prefix of a chunked response is truncated`() {
        let bytes = Array("\(Self.chunkedHead)3;x\r\nabc\r\n0\r\nX-A: b\r\n\r\n".utf8)
        for count in 1..<bytes.count {
            let transcript = ResponseTranscript(of: [bytes[..<count]], as: .decodes())
            let expected: HTTP1Violation = count < Self.chunkedHead.utf8.count ? .truncatedHead : .truncatedChunkedBody
            #expect(transcript.violation == expected, "cut after \(count) bytes")
        }
    }
}
