// SPDX-License-Identifier: Apache-2.0
import HTTPTypes
import TernConnections
import TernErrors
import TernRequests
import TernTransport
import Testing

@Suite("OutgoingHead")
struct OutgoingHeadTests {
    private func call(_ fields: HTTPFields) throws -> HTTPCall {
        var request = Request(.put, "https://test:8443/a?b=c")
        request.fields = fields
        return HTTPCall(request, to: try request.destination(), timeouts: .none, clock: SystemClock())
    }

    private func head(_ fields: HTTPFields, _ length: OutgoingHead.BodyLength = .none) throws -> OutgoingHead {
        try self.head(of: try self.call(fields), length)
    }

    private func head(of call: HTTPCall, _ length: OutgoingHead.BodyLength = .none) throws -> OutgoingHead {
        try OutgoingHead(
            of: call,
            fields: call.request.fields,
            isForwarded: false,
            bodyLength: length,
            expectsContinue: false
        )
    }

    @Test func `a head has the parts of the target, whatever the version`() throws {
        let head = try self.head([.accept: "*/*"], .bytes(3))
        #expect(head.method == .put)
        #expect([head.scheme, head.authority, head.path] == ["https", "test:8443", "/a?b=c"])
        #expect(head.bodyLength == .bytes(3))
        #expect(head.upgrade == nil)
    }

    @Test func `a request for a tunnel has neither scheme nor path`() throws {
        let head = OutgoingHead(tunnelTo: "test:443", fields: [.userAgent: "tern/test"])
        #expect(head.method == .connect)
        #expect([head.scheme, head.authority, head.path] == ["", "test:443", ""])
        #expect(head.fields[.userAgent] == "tern/test")
        #expect(head.bodyLength == .none)
        #expect(head.opensTunnel)
    }

    @Test func `a CONNECT of the caller is a request like others`() throws {
        var call = try self.call([:])
        call.request.method = .connect
        let head = try self.head(of: call)
        #expect(head.path == "/a?b=c")
        #expect(!head.opensTunnel)
    }

    @Test(
        arguments: [
            ([.contentLength: "1"], .none, RequestFailure.framingField(name: "Content-Length or Transfer-Encoding")),
            ([.transferEncoding: "chunked"], .unknown, .framingField(name: "Content-Length or Transfer-Encoding")),
            ([:], .bytes(-1), .bodyNotEncodable("its length is negative")),
        ] as [(HTTPFields, OutgoingHead.BodyLength, RequestFailure)]
    )
    func `no version can send a head that breaks a rule`(
        _ fields: HTTPFields,
        _ length: OutgoingHead.BodyLength,
        _ failure: RequestFailure
    ) {
        #expect(throws: failure) { try self.head(fields, length) }
    }

    @Test func `a Host that no version can send is refused`() throws {
        let name = try #require(HTTPField.Name("Host"))
        #expect(throws: RequestFailure.malformedHost) { try self.head([name: "a b"]) }
        var twice: HTTPFields = [name: "a"]
        twice.append(HTTPField(name: name, value: "b"))
        #expect(throws: RequestFailure.repeatedHost) { try self.head(twice) }
    }

    @Test(
        arguments: [
            ("websocket", .webSocket), ("WebSocket", .webSocket), ("h2c", .other), ("websocket, h2c", .other),
        ] as [(String, OfferedUpgrade)]
    )
    func `a call offers the upgrade that its request names`(_ field: String, _ upgrade: OfferedUpgrade) throws {
        var call = try self.call([.upgrade: field])
        #expect(call.upgrade == upgrade)
        #expect(try self.head(of: call).upgrade == upgrade)
        // An interceptor may send another request first, which offers nothing.
        call.request.fields[.upgrade] = nil
        #expect(call.upgrade == upgrade)
        #expect(try self.head(of: call).upgrade == nil)
    }
}
