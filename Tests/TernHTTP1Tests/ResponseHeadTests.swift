// SPDX-License-Identifier: Apache-2.0

import HTTPTypes
import TernHTTP1
import Testing

@Suite("ResponseHead")
struct ResponseHeadTests {
    private static func head(_ text: String, to method: HTTPRequest.Method = .get) throws -> ResponseHead {
        try #require(try DecoderRun("\(text)\r\n\r\n", to: method).head)
    }

    @Test
    func `a head says what its status line says`() throws {
        let head = try Self.head("HTTP/1.0 418 I'm a teapot")
        #expect(head.minorVersion == 0)
        #expect(head.statusCode == 418)
        #expect(head.reasonPhrase == "I'm a teapot")
        #expect(head.status.code == 418)
        #expect(head.status.reasonPhrase == "I'm a teapot")
        #expect(head.fields.isEmpty)
    }

    @Test(arguments: [("HTTP/1.0", 0), ("HTTP/1.1", 1), ("HTTP/1.2", 1), ("HTTP/1.9", 1)])
    func `a minor version is 0 or 1`(_ version: String, _ expected: Int) throws {
        #expect(try Self.head("\(version) 200 OK").minorVersion == expected)
    }

    @Test
    func `a reason phrase may be missing with fields behind it`() throws {
        for line in ["HTTP/1.1 200", "HTTP/1.1 200 "] {
            let head = try Self.head("\(line)\r\nServer: tern")
            #expect(head.reasonPhrase == "")
            #expect(head.fields[.server] == "tern")
            #expect(head.fields.makeHTTPFields() == [.server: "tern"])
        }
    }

    @Test
    func `a head makes a response`() throws {
        let response = try Self.head("HTTP/1.1 200 OK\r\nServer: tern\r\nX-Mine: 1").makeHTTPResponse()
        #expect(response.status == .ok)
        #expect(response.status.reasonPhrase == "OK")
        #expect(response.headerFields[.server] == "tern")
        #expect(response.headerFields.count == 2)
    }

    @Test(arguments: [
        ("HTTP/1.1 200 OK\r\nContent-Length: 7", BodyLength.known(7)),
        ("HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked", .chunked),
        ("HTTP/1.1 200 OK", .untilClose),
        ("HTTP/1.1 204 x\r\nContent-Length: 7", .none),
        ("HTTP/1.1 304 x\r\nTransfer-Encoding: chunked", .none),
    ])
    func `a head knows how its body ends`(_ text: String, _ expected: BodyLength) throws {
        #expect(try Self.head(text).bodyLength == expected)
        #expect(try Self.head(text, to: .head).bodyLength == .none)
    }

    @Test
    func `the content length is kept where there is no body`() throws {
        #expect(try Self.head("HTTP/1.1 200 OK\r\nContent-Length: 7", to: .head).contentLength == 7)
        #expect(try Self.head("HTTP/1.1 304 x\r\nContent-Length: 7").contentLength == 7)
        #expect(try Self.head("HTTP/1.1 200 OK").contentLength == nil)
    }

    @Test(arguments: [
        ("HTTP/1.1 204 x", true), ("HTTP/1.1 204 x\r\nConnection: close", false), ("HTTP/1.0 204 x", false),
        ("HTTP/1.0 204 x\r\nConnection: keep-alive", true), ("HTTP/1.1 200 OK", false),
    ])
    func `a head says whether the connection stays`(_ text: String, _ expected: Bool) throws {
        #expect(try Self.head(text).keepsAlive == expected)
    }

    @Test
    func `heads are equal if all that was received is`() throws {
        let head = try Self.head("HTTP/1.1 200 OK\r\nServer: a\r\nContent-Length: 0")
        #expect(try head == Self.head("HTTP/1.1 200 OK\r\nServer: a\r\nContent-Length: 0"))
        #expect(try head != Self.head("HTTP/1.1 200 KO\r\nServer: a\r\nContent-Length: 0"))
        #expect(try head != Self.head("HTTP/1.1 201 OK\r\nServer: a\r\nContent-Length: 0"))
        #expect(try head != Self.head("HTTP/1.0 200 OK\r\nServer: a\r\nContent-Length: 0"))
        #expect(try head != Self.head("HTTP/1.1 200 OK\r\nServer: b\r\nContent-Length: 0"))
        #expect(try head != Self.head("HTTP/1.1 200 OK\r\nServer: a\r\nContent-Length: 0", to: .head))
    }

    @Test
    func `a description holds no received text`() throws {
        let head = try Self.head("HTTP/1.1 200 Secret\r\nX-Secret: 42")
        #expect(head.description == "HTTP/1.1 200, 1 fields")
    }
}
