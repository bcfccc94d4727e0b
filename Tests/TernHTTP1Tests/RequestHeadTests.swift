// SPDX-License-Identifier: Apache-2.0

import HTTPTypes
import TernHTTP1
import Testing

@Suite("RequestHead")
struct RequestHeadTests {
    private static func head(
        target: String = "/",
        host: String = "example.com",
        fields: HTTPFields = [:],
        bodyFraming: RequestHead.BodyFraming = .none
    ) -> RequestHead {
        RequestHead(method: .get, target: target, host: host, fields: fields, bodyFraming: bodyFraming)
    }

    @Test
    func `the defaults are a request without a body on a connection that stays`() {
        let head = RequestHead(method: .get, target: "/", host: "example.com")
        #expect(head.fields.isEmpty)
        #expect(head.bodyFraming == .none)
        #expect(!head.expectsContinue)
        #expect(!head.closesConnection)
    }

    @Test(arguments: [
        "/", "*", "/a/b?c=d&e=%20", "http://example.com/a", "example.com:443", "/a;b=c,d", "/[]{}|^\"<>\\`~",
        "/0123456789012345678901234567890123456789",
    ])
    func `a target of visible ASCII is accepted`(_ target: String) {
        #expect(throws: Never.self) { try Self.head(target: target).validate() }
    }

    @Test(arguments: [
        "", " ", "/a b", "/a\tb", "/a\rb", "/a\nb", "/a\r\nX: y", "/a HTTP/1.1\r\nX: y", "/a\0", "/a\u{7F}", "/ä",
        "/a#b", "#", "/0123456789012345678901234567890123456789 ",
    ])
    func `a target that could break the line or the meaning is refused`(_ target: String) {
        #expect(throws: RequestHeadError.invalidTarget) { try Self.head(target: target).validate() }
    }

    @Test(arguments: ["", "example.com", "example.com:8080", "[::1]:80", "xn--bcher-kva.example", "127.0.0.1"])
    func `a host of visible ASCII is accepted`(_ host: String) {
        #expect(throws: Never.self) { try Self.head(host: host).validate() }
    }

    @Test(arguments: [" ", "a b", "a\r\nX: y", "a\n", "a\t", "bücher.example", "a\0", "example.com\u{7F}"])
    func `a host that could break the line is refused`(_ host: String) {
        #expect(throws: RequestHeadError.invalidHost) { try Self.head(host: host).validate() }
    }

    @Test
    func `a host among the fields is checked like the other`() throws {
        let host = try #require(HTTPField.Name("Host"))
        #expect(throws: Never.self) { try Self.head(fields: [host: "other.example"]).validate() }
        #expect(throws: RequestHeadError.invalidHost) { try Self.head(fields: [host: "a b"]).validate() }
        let fields: HTTPFields = [host: "a", .accept: "*/*", host: "a"]
        #expect(throws: RequestHeadError.repeatedHost) { try Self.head(fields: fields).validate() }
    }

    @Test(arguments: ["Content-Length", "content-length", "Transfer-Encoding", "TRANSFER-ENCODING"])
    func `framing cannot be given as a field`(_ name: String) throws {
        var fields: HTTPFields = [.accept: "*/*"]
        fields.append(HTTPField(name: try #require(HTTPField.Name(name)), value: "0"))
        #expect(throws: RequestHeadError.framingField) { try Self.head(fields: fields).validate() }
    }

    @Test(arguments: [HTTPField.Name.contentType, .connection, .te, .trailer, .upgrade, .expect, .contentEncoding])
    func `other fields can`(_ name: HTTPField.Name) {
        #expect(throws: Never.self) { try Self.head(fields: [name: "x"]).validate() }
    }

    @Test
    func `a length cannot be negative`() {
        #expect(throws: RequestHeadError.negativeBodyLength) { try Self.head(bodyFraming: .length(-1)).validate() }
        #expect(throws: Never.self) { try Self.head(bodyFraming: .length(0)).validate() }
        #expect(throws: Never.self) { try Self.head(bodyFraming: .length(.max)).validate() }
    }

    @Test
    func `a method is a token`() throws {
        for name in ["GET", "get", "M-SEARCH", "!#$%&'*+-.^_`|~"] {
            var head = Self.head()
            head.method = try #require(HTTPRequest.Method(name))
            #expect(throws: Never.self) { try head.validate() }
        }
    }

    /// Tests the checks that ``RequestHead/validate()`` leaves to HTTPTypes, to detect a change in HTTPTypes.
    @Test(arguments: ["a\r\nX: y", "a\nb", "a\rb", "a\0b", "\r\n"])
    func `no field value can hold CR, LF or NUL`(_ value: String) {
        let fields = [
            HTTPField(name: .accept, value: value),
            HTTPField(name: .accept, value: Array(value.utf8)),
            HTTPField(name: .accept, lenientValue: Array(value.utf8)),
        ]
        for field in fields {
            #expect(field.withUnsafeBytesOfValue { !$0.contains { [0x00, 0x0A, 0x0D].contains($0) } })
        }
        var changed = HTTPField(name: .accept, value: "a")
        changed.value = value
        #expect(changed.withUnsafeBytesOfValue { !$0.contains { [0x00, 0x0A, 0x0D].contains($0) } })
        var set = HTTPFields()
        set[.accept] = value
        #expect(set[.accept]?.utf8.contains { [0x00, 0x0A, 0x0D].contains($0) } == false)
    }

    /// Tests another check that ``RequestHead/validate()`` leaves to HTTPTypes.
    @Test(arguments: ["", "a b", "a:", "a\r\nb", "é", "a\0", ":path"])
    func `no field name is other than a token`(_ name: String) {
        #expect(HTTPField.Name(name) == nil)
    }

    /// Tests another check that ``RequestHead/validate()`` leaves to HTTPTypes.
    @Test(arguments: ["", "GET /", "GET\r\n", "é"])
    func `no method is other than a token`(_ name: String) {
        #expect(HTTPRequest.Method(name) == nil)
    }
}
