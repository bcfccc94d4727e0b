// SPDX-License-Identifier: Apache-2.0

import HTTPTypes
import TernHTTP1
import TestSupport
import Testing

@Suite("RFC 9110 §15.2: interim responses and upgrades")
struct InformationalConformance {
    private static let final = "HTTP/1.1 204 x\r\n\r\n"

    private static var twoAtMost: HTTP1Limits {
        var limits = HTTP1Limits()
        limits.maximumInformationalCount = 2
        return limits
    }

    /// A 101 with fields for framing, which "is always terminated by the first empty line after the header fields,
    /// regardless of the header fields present in the message" (RFC 9112 §6.3).
    private static func upgrade(_ rule: String, _ fields: String) -> Vector<ResponseExpectation> {
        let head = "HTTP/1.1 101 x\r\nUpgrade: websocket\r\n\(fields)\r\n\r\n"
        let expected = ResponseExpectation.decodes("head 101 x, none", "end", "rest 5", allowsUpgrade: true)
        return .init("§6.3", "an upgrade with \(rule)", "\(head)hello", expected)
    }

    static let vectors: [Vector<ResponseExpectation>] = [
        .init(
            "§15.2.1",
            "100, then the answer",
            "HTTP/1.1 100 Continue\r\n\r\n\(final)",
            .decodes("interim 100", "head 204 x, none", "end")
        ),
        .init(
            "§15.2",
            "many interim responses",
            "HTTP/1.1 100\r\n\r\nHTTP/1.1 102 x\r\n\r\nHTTP/1.1 103 x\r\nLink: </a>\r\n\r\n\(final)",
            .decodes("interim 100", "interim 102", "interim 103", "head 204 x, none", "end")
        ),
        .init(
            "§15.2",
            "an unknown interim response",
            "HTTP/1.1 199 x\r\n\r\n\(final)",
            .decodes("interim 199", "head 204 x, none", "end")
        ),
        .init(
            "§15.2",
            "an interim response has no body",
            "HTTP/1.1 103 x\r\nContent-Length: 9\r\n\r\n\(final)",
            .decodes("interim 103", "head 204 x, none", "end")
        ),
        .init(
            "§15.2",
            "also before the answer to HEAD",
            "HTTP/1.1 103 x\r\n\r\n\(final)",
            .decodes("interim 103", "head 204 x, none", "end", to: .head)
        ),
        .init(
            "§15.2",
            "as many as allowed",
            "HTTP/1.1 100\r\n\r\nHTTP/1.1 100\r\n\r\n\(final)",
            .decodes("interim 100", "interim 100", "head 204 x, none", "end", limits: twoAtMost)
        ),
        .init(
            "§15.2",
            "one more than allowed",
            "HTTP/1.1 100\r\n\r\nHTTP/1.1 100\r\n\r\nHTTP/1.1 100\r\n\r\n",
            .breaks(
                .tooManyInformationalResponses(limit: 2),
                after: "interim 100",
                "interim 100",
                limits: twoAtMost
            )
        ),
        .init(
            "§15.2.2",
            "an upgrade nobody asked for",
            "HTTP/1.1 101 x\r\nUpgrade: y\r\n\r\n",
            .breaks(.unexpectedUpgrade)
        ),
        .init(
            "§15.2.2",
            "an upgrade",
            "HTTP/1.1 101 x\r\nUpgrade: websocket\r\n\r\n\u{81}",
            .decodes("head 101 x, none", "end", "rest 2", allowsUpgrade: true)
        ),
        .init(
            "§15.2.2",
            "an upgrade after an interim response",
            "HTTP/1.1 100\r\n\r\nHTTP/1.1 101 x\r\n\r\n",
            .decodes("interim 100", "head 101 x, none", "end", allowsUpgrade: true)
        ),
        .init(
            "§7.8",
            "an upgrade in HTTP/1.0",
            "HTTP/1.0 101 x\r\nUpgrade: websocket\r\nConnection: upgrade\r\n\r\n",
            .breaks(.upgradeInHTTP10, allowsUpgrade: true)
        ),
        upgrade("a length of 0", "Content-Length: 0"),
        upgrade("a length", "Content-Length: 5"),
        upgrade("a length that is none", "Content-Length: x"),
        upgrade("two lengths", "Content-Length: 1\r\nContent-Length: 2"),
        upgrade("a folded length", "Content-Length:\r\n 0"),
        upgrade("chunks", "Transfer-Encoding: chunked"),
        upgrade("chunks and a length", "Transfer-Encoding: chunked\r\nContent-Length: 0"),
        upgrade("no coding", "Transfer-Encoding: identity"),
        upgrade("an unknown coding", "Transfer-Encoding: zip"),
        .init(
            "§6.3",
            "interim responses with framing fields",
            """
            HTTP/1.1 100 x\r\nTransfer-Encoding: chunked\r\n\r\nHTTP/1.1 103 x\r\nContent-Length: x\r\n\r\n\
            HTTP/1.1 102 x\r\nTransfer-Encoding: zip\r\nContent-Length: 1, 2\r\n\r\n\(final)
            """,
            .decodes("interim 100", "interim 103", "interim 102", "head 204 x, none", "end")
        ),
        .init(
            "§15.2.2",
            "a refused upgrade",
            "HTTP/1.1 426 x\r\nContent-Length: 0\r\n\r\n",
            .decodes("head 426 x, known(0)", "end", allowsUpgrade: true)
        ),
        .init(
            "§4",
            "an empty line after an interim response",
            "HTTP/1.1 100\r\n\r\n\r\n\(final)",
            .breaks(.malformedStatusLine, after: "interim 100")
        ),
    ]

    @Test(arguments: vectors)
    func `interim responses come before the final one`(_ vector: Vector<ResponseExpectation>) { vector.check() }

    @Test
    func `§15.2.2 a connection that was upgraded is not reusable`() {
        let bytes = Array("HTTP/1.1 101 x\r\nConnection: upgrade\r\nUpgrade: websocket\r\n\r\n".utf8)
        #expect(!ResponseTranscript(of: [bytes[...]], as: .decodes(allowsUpgrade: true)).isReusable)
    }
}
