// SPDX-License-Identifier: Apache-2.0

import HTTPTypes
import TernHTTP1
import Testing

@Suite("RequestHead, encoded")
struct RequestHeadEncodingTests {
    private static func encoded(
        _ method: HTTPRequest.Method = .get,
        fields: HTTPFields = [:],
        bodyFraming: RequestHead.BodyFraming = .none,
        expectsContinue: Bool = false,
        closesConnection: Bool = false
    ) -> String {
        RequestHead(
            method: method,
            target: "/a?b",
            host: "example.com",
            fields: fields,
            bodyFraming: bodyFraming,
            expectsContinue: expectsContinue,
            closesConnection: closesConnection
        ).encoded()
    }

    @Test
    func `the smallest request is a line and a host`() {
        #expect(Self.encoded() == "GET /a?b HTTP/1.1\r\nHost: example.com\r\n\r\n")
    }

    @Test
    func `fields follow the host in their order and spelling`() throws {
        let fields: HTTPFields = [.userAgent: "tern", .accept: "*/*", try #require(.init("x-Mine")): "", .accept: "a"]
        let lines = "User-Agent: tern\r\nAccept: */*\r\nx-Mine: \r\nAccept: a\r\n"
        #expect(Self.encoded(fields: fields) == "GET /a?b HTTP/1.1\r\nHost: example.com\r\n\(lines)\r\n")
    }

    @Test
    func `a host among the fields takes the place of the other`() throws {
        let host = try #require(HTTPField.Name("host"))
        let text = Self.encoded(fields: [.accept: "*/*", host: "other.example"])
        #expect(text == "GET /a?b HTTP/1.1\r\nHost: other.example\r\nAccept: */*\r\n\r\n")
    }

    @Test
    func `a head with TE says that this is for the next recipient alone`() {
        // RFC 9110 §10.1.4
        let start = "GET /a?b HTTP/1.1\r\nHost: example.com\r\n"
        #expect(Self.encoded(fields: [.te: "trailers"]) == "\(start)TE: trailers\r\nConnection: TE\r\n\r\n")
        for value in ["TE", "te", "Upgrade, TE", "upgrade,te"] {
            let text = Self.encoded(fields: [.te: "trailers", .connection: value])
            #expect(text == "\(start)TE: trailers\r\nConnection: \(value)\r\n\r\n")
        }
        let both = Self.encoded(fields: [.connection: "Upgrade", .te: "trailers"], closesConnection: true)
        #expect(both == "\(start)Connection: Upgrade\r\nTE: trailers\r\nConnection: TE\r\nConnection: close\r\n\r\n")
    }

    @Test(arguments: [HTTPRequest.Method.post, .put, .patch])
    func `a method that usually has a body says that it has none`(_ method: HTTPRequest.Method) {
        #expect(Self.encoded(method).hasSuffix("Host: example.com\r\nContent-Length: 0\r\n\r\n"))
    }

    @Test(arguments: [HTTPRequest.Method.get, .head, .delete, .options, .trace, .connect])
    func `other methods say nothing`(_ method: HTTPRequest.Method) {
        #expect(Self.encoded(method) == "\(method.rawValue) /a?b HTTP/1.1\r\nHost: example.com\r\n\r\n")
    }

    @Test(arguments: [0, 1, 4711, Int64.max])
    func `a length is given for any method`(_ length: Int64) {
        for method in [HTTPRequest.Method.get, .post] {
            let text = Self.encoded(method, bodyFraming: .length(length))
            #expect(text.hasSuffix("Host: example.com\r\nContent-Length: \(length)\r\n\r\n"))
        }
    }

    @Test
    func `chunks are announced`() {
        let text = Self.encoded(.post, bodyFraming: .chunked)
        #expect(text.hasSuffix("Host: example.com\r\nTransfer-Encoding: chunked\r\n\r\n"))
    }

    @Test
    func `100 is expected if there is something to wait with`() {
        let line = "Expect: 100-continue\r\n"
        #expect(Self.encoded(.post, bodyFraming: .length(1), expectsContinue: true).contains(line))
        #expect(Self.encoded(.post, bodyFraming: .chunked, expectsContinue: true).contains(line))
        #expect(!Self.encoded(.post, bodyFraming: .length(0), expectsContinue: true).contains(line))
        #expect(!Self.encoded(.post, expectsContinue: true).contains(line))
        #expect(!Self.encoded(.post, bodyFraming: .length(1)).contains(line))
    }

    @Test
    func `an expectation among the fields is not doubled`() {
        let fields: HTTPFields = [.expect: "100-continue"]
        let text = Self.encoded(.post, fields: fields, bodyFraming: .length(1), expectsContinue: true)
        #expect(text.split(separator: "\r\n").filter { $0.hasPrefix("Expect") }.count == 1)
    }

    @Test
    func `the last request on a connection says so`() {
        #expect(Self.encoded(closesConnection: true).hasSuffix("Host: example.com\r\nConnection: close\r\n\r\n"))
    }

    @Test
    func `framing among the fields is never written`() {
        let text = Self.encoded(.post, fields: [.contentLength: "9", .transferEncoding: "x"], bodyFraming: .length(1))
        #expect(text == "POST /a?b HTTP/1.1\r\nHost: example.com\r\nContent-Length: 1\r\n\r\n")
    }

    @Test
    func `the bytes of a value are written as they are`() {
        let value: [UInt8] = [0x61, 0xFF, 0x62]
        let head = RequestHead(
            method: .get,
            target: "/",
            host: "h",
            fields: HTTPFields([HTTPField(name: .cookie, value: value)])
        )
        var bytes = [UInt8](repeating: 0, count: head.encodedByteCountUpperBound)
        bytes.withUnsafeMutableBytes { buffer in
            var output = OutputRawSpan(buffer: buffer, initializedCount: 0)
            head.encode(into: &output)
            _ = output.finalize(for: buffer)
        }
        let expected = Array("GET / HTTP/1.1\r\nHost: h\r\nCookie: ".utf8) + value + Array("\r\n\r\n".utf8)
        #expect(bytes.starts(with: expected))
    }

    @Test
    func `a head is appended behind what is there`() {
        let head = RequestHead(method: .get, target: "/", host: "h")
        var bytes = [UInt8](repeating: 0x2E, count: head.encodedByteCountUpperBound + 2)
        let count = bytes.withUnsafeMutableBytes { buffer in
            var output = OutputRawSpan(buffer: buffer, initializedCount: 2)
            head.encode(into: &output)
            return output.finalize(for: buffer)
        }
        #expect(String(decoding: bytes.prefix(count), as: UTF8.self) == "..GET / HTTP/1.1\r\nHost: h\r\n\r\n")
    }

    @Test
    func `the bound holds with everything added`() throws {
        let method = try #require(HTTPRequest.Method("A-RATHER-LONG-METHOD"))
        let fields: HTTPFields = [.accept: String(repeating: "a", count: 1000), .userAgent: ""]
        for framing in [RequestHead.BodyFraming.none, .length(.max), .chunked] {
            let head = RequestHead(
                method: method,
                target: "/" + String(repeating: "t", count: 1000),
                host: String(repeating: "h", count: 1000),
                fields: fields,
                bodyFraming: framing,
                expectsContinue: true,
                closesConnection: true
            )
            let count = head.encoded().utf8.count
            #expect(count <= head.encodedByteCountUpperBound)
            #expect(count > head.encodedByteCountUpperBound - 192)
        }
    }

    @Test
    func `a span that is too small traps`() async {
        await #expect(processExitsWith: .failure) {
            var bytes = [UInt8](repeating: 0, count: 16)
            bytes.withUnsafeMutableBytes { buffer in
                var output = OutputRawSpan(buffer: buffer, initializedCount: 0)
                RequestHead(method: .get, target: "/", host: "example.com").encode(into: &output)
                _ = output.finalize(for: buffer)
            }
        }
    }
}
