// SPDX-License-Identifier: Apache-2.0
import HTTPTypes
import Testing

@testable import TernURLSession

@Suite("Head of a response over URLSession")
struct ReceivedHeadTests {
    private func head(
        _ received: KeyValuePairs<String, String>,
        statusCode: Int = 200,
        method: HTTPRequest.Method = .get,
        isEveryCodingDecoded: Bool = false
    ) -> ReceivedHead {
        ReceivedHead(
            statusCode: statusCode,
            received: received.map { (name: $0.key, value: $0.value) },
            method: method,
            isEveryCodingDecoded: isEveryCodingDecoded
        )
    }

    @Test func `fields are in the order of their names`() {
        let head = self.head(["X-B": "2", "Content-Length": "5", "x-a": "1"])
        #expect(head.fields.map(\.name.canonicalName) == ["content-length", "x-a", "x-b"])
        #expect(head.bodyLength == 5)
    }

    @Test(arguments: ["gzip", "x-gzip", "deflate", "br", "GZIP", "deflate, gzip"])
    func `decoded content has no coding and no length`(_ coding: String) {
        let head = self.head(["Content-Encoding": coding, "Content-Length": "5", "ETag": "\"a\""])
        #expect(head.fields == [.eTag: "\"a\""])
        #expect(head.bodyLength == nil)
    }

    @Test func `an unknown coding stays, unless URLSession asked for it`() {
        let head = self.head(["Content-Encoding": "zstd", "Content-Length": "5"])
        #expect(head.fields[.contentEncoding] == "zstd")
        #expect(head.bodyLength == 5)
        let decoded = self.head(["Content-Encoding": "zstd", "Content-Length": "5"], isEveryCodingDecoded: true)
        #expect(decoded.fields.isEmpty)
    }

    @Test func `identity is no coding`() {
        let head = self.head(["Content-Encoding": "identity", "Content-Length": "5"], isEveryCodingDecoded: true)
        #expect(head.bodyLength == 5)
    }

    @Test(arguments: [(200, HTTPRequest.Method.head), (204, .get), (304, .get)])
    func `a response without content keeps its fields`(_ statusCode: Int, _ method: HTTPRequest.Method) {
        let fields: KeyValuePairs = ["Content-Encoding": "gzip", "Content-Length": "5"]
        let head = self.head(fields, statusCode: statusCode, method: method, isEveryCodingDecoded: true)
        #expect(head.fields[.contentEncoding] == "gzip")
        #expect(head.fields[.contentLength] == "5")
        #expect(head.bodyLength == nil)
        #expect(!head.mayHaveContent)
    }

    @Test func `chunks have no length`() {
        #expect(self.head(["Transfer-Encoding": "chunked", "Content-Length": "5"]).bodyLength == nil)
    }

    @Test func `cookies are separated again`() {
        let joined = "a=1; Expires=Wed, 09 Jun 2027 10:18:14 GMT; Path=/, b=2,c=3; Secure, d="
        #expect(
            self.head(["Set-Cookie": joined]).fields[values: .setCookie] == [
                "a=1; Expires=Wed, 09 Jun 2027 10:18:14 GMT; Path=/", "b=2", "c=3; Secure", "d=",
            ]
        )
    }

    @Test(arguments: [
        ("", [""]), ("a=1", ["a=1"]), ("a=1,2", ["a=1,2"]), ("a=1, =2", ["a=1, =2"]), ("a=1,", ["a=1,"]),
        ("a=1; Expires=Sunday, 06-Nov-94 08:49:37 GMT", ["a=1; Expires=Sunday, 06-Nov-94 08:49:37 GMT"]),
        ("a=\"x, y\"", ["a=\"x, y\""]), ("a=1 , b=2", ["a=1", "b=2"]),
    ])
    func `commas in a cookie stay`(_ joined: String, _ values: [String]) {
        #expect(SetCookieValues.separated(joined) == values)
    }

    @Test func `an invalid name is dropped`() {
        #expect(self.head(["X Cache": "hit", "A": "b"]).fields.count == 1)
    }
}
