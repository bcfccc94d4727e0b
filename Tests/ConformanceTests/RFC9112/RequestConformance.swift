// SPDX-License-Identifier: Apache-2.0

import HTTPTypes
import TernHTTP1
import Testing

@Suite("RFC 9112 §3 and §6: requests")
struct RequestConformance {
    struct Case: CustomStringConvertible, Sendable {
        var rule: String
        var head: RequestHead
        var text: String
        var description: String { self.rule }
    }

    private static func head(
        _ method: HTTPRequest.Method,
        _ target: String,
        _ fields: HTTPFields = [:],
        _ bodyFraming: RequestHead.BodyFraming = .none,
        expectsContinue: Bool = false,
        closesConnection: Bool = false
    ) -> RequestHead {
        RequestHead(
            method: method,
            target: target,
            host: "www.example.org",
            fields: fields,
            bodyFraming: bodyFraming,
            expectsContinue: expectsContinue,
            closesConnection: closesConnection
        )
    }

    static let cases: [Case] = [
        .init(
            rule: "RFC 6265bis §5.8.1 one Cookie field, however many the caller has",
            head: head(.get, "/", [.cookie: "a=1; b=2", .accept: "*/*", .cookie: "c=3"]),
            text: "GET / HTTP/1.1\r\nHost: www.example.org\r\nCookie: a=1; b=2; c=3\r\nAccept: */*\r\n\r\n"
        ),
        .init(
            rule: "§3.2.1 origin-form",
            head: head(.get, "/where?q=now"),
            text: "GET /where?q=now HTTP/1.1\r\nHost: www.example.org\r\n\r\n"
        ),
        .init(
            rule: "§3.2.2 absolute-form, for a proxy",
            head: head(.get, "http://www.example.org/pub/WWW/TheProject.html"),
            text: "GET http://www.example.org/pub/WWW/TheProject.html HTTP/1.1\r\nHost: www.example.org\r\n\r\n"
        ),
        .init(
            rule: "§3.2.3 authority-form, for CONNECT",
            head: head(.connect, "www.example.org:80"),
            text: "CONNECT www.example.org:80 HTTP/1.1\r\nHost: www.example.org\r\n\r\n"
        ),
        .init(
            rule: "§3.2.4 asterisk-form, for OPTIONS",
            head: head(.options, "*"),
            text: "OPTIONS * HTTP/1.1\r\nHost: www.example.org\r\n\r\n"
        ),
        .init(
            rule: "§5 fields, one a line",
            head: head(.get, "/", [.accept: "text/html", .acceptLanguage: "en, mi"]),
            text: "GET / HTTP/1.1\r\nHost: www.example.org\r\nAccept: text/html\r\nAccept-Language: en, mi\r\n\r\n"
        ),
        .init(
            rule: "§6.1 a chunked body",
            head: head(.put, "/", [:], .chunked),
            text: "PUT / HTTP/1.1\r\nHost: www.example.org\r\nTransfer-Encoding: chunked\r\n\r\n"
        ),
        .init(
            rule: "§6.2 a body of known length",
            head: head(.post, "/", [.contentType: "text/plain"], .length(12)),
            text: "POST / HTTP/1.1\r\nHost: www.example.org\r\nContent-Type: text/plain\r\nContent-Length: 12\r\n\r\n"
        ),
        .init(
            rule: "§6.2 no body where one is usual",
            head: head(.post, "/"),
            text: "POST / HTTP/1.1\r\nHost: www.example.org\r\nContent-Length: 0\r\n\r\n"
        ),
        .init(
            rule: "§9.6 the last request",
            head: head(.get, "/", closesConnection: true),
            text: "GET / HTTP/1.1\r\nHost: www.example.org\r\nConnection: close\r\n\r\n"
        ),
        .init(
            rule: "§10.1.1 an expectation",
            head: head(.put, "/", [:], .length(9), expectsContinue: true),
            text: "PUT / HTTP/1.1\r\nHost: www.example.org\r\nContent-Length: 9\r\nExpect: 100-continue\r\n\r\n"
        ),
    ]

    @Test(arguments: cases)
    func `a request is written`(_ item: Case) throws {
        try item.head.validate()
        var bytes = [UInt8](repeating: 0, count: item.head.encodedByteCountUpperBound)
        let count = bytes.withUnsafeMutableBytes { buffer in
            var output = OutputRawSpan(buffer: buffer, initializedCount: 0)
            item.head.encode(into: &output)
            return output.finalize(for: buffer)
        }
        #expect(String(decoding: bytes.prefix(count), as: UTF8.self) == item.text)
    }
}
