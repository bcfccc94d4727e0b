// SPDX-License-Identifier: Apache-2.0

import HTTPTypes
import TernHTTP1
import TestSupport
import Testing

@Suite("RFC 9112 §9.3: persistence")
struct PersistenceConformance {
    struct Case: CustomStringConvertible, Sendable {
        var rule: String
        var head: String
        var isReusable: Bool
        var method = HTTPRequest.Method.get
        var description: String { "§9.3 \(self.rule)" }
    }

    static let cases: [Case] = [
        .init(rule: "1.1 persists", head: "HTTP/1.1 200 OK\r\nContent-Length: 0\r\n", isReusable: true),
        .init(rule: "1.1 with close", head: "HTTP/1.1 204 x\r\nConnection: close\r\n", isReusable: false),
        .init(rule: "close in another case", head: "HTTP/1.1 204 x\r\nconnection: Close\r\n", isReusable: false),
        .init(rule: "close in a list", head: "HTTP/1.1 204 x\r\nConnection: x, close ,y\r\n", isReusable: false),
        .init(
            rule: "close in a second field",
            head: "HTTP/1.1 204 x\r\nConnection: x\r\nConnection: close\r\n",
            isReusable: false
        ),
        .init(rule: "close wins", head: "HTTP/1.1 204 x\r\nConnection: keep-alive, close\r\n", isReusable: false),
        .init(rule: "a word that holds close", head: "HTTP/1.1 204 x\r\nConnection: closed\r\n", isReusable: true),
        .init(
            rule: "keep-alive is superfluous",
            head: "HTTP/1.1 204 x\r\nConnection: keep-alive\r\n",
            isReusable: true
        ),
        .init(rule: "1.0 closes", head: "HTTP/1.0 204 x\r\n", isReusable: false),
        .init(rule: "1.0 with keep-alive", head: "HTTP/1.0 204 x\r\nConnection: Keep-Alive\r\n", isReusable: true),
        .init(rule: "1.0 with both", head: "HTTP/1.0 204 x\r\nConnection: keep-alive, close\r\n", isReusable: false),
        .init(rule: "a body until the close", head: "HTTP/1.1 200 OK\r\nConnection: keep-alive\r\n", isReusable: false),
        .init(rule: "a tunnel", head: "HTTP/1.1 200 OK\r\n", isReusable: false, method: .connect),
        .init(
            rule: "a refused tunnel",
            head: "HTTP/1.1 407 x\r\nContent-Length: 0\r\n",
            isReusable: true,
            method: .connect
        ),
        .init(rule: "HEAD", head: "HTTP/1.1 200 OK\r\n", isReusable: true, method: .head),
    ]

    @Test(arguments: cases)
    func `a connection is reused only if both sides keep it`(_ item: Case) {
        for split in everySplit(of: Array("\(item.head)\r\n".utf8)) {
            let transcript = ResponseTranscript(of: split, as: .decodes(to: item.method))
            #expect(transcript.violation == nil)
            #expect(transcript.isReusable == item.isReusable)
        }
    }

    @Test
    func `§9.3 a complete chunked response leaves the connection reusable`() {
        let bytes = Array("HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n1\r\n!\r\n0\r\n\r\n".utf8)
        for split in everySplit(of: bytes) {
            #expect(ResponseTranscript(of: split, as: .decodes()).isReusable)
        }
    }
}
