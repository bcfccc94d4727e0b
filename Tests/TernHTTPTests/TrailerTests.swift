// SPDX-License-Identifier: Apache-2.0
import ClientTestSupport
import HTTPTypes
import NIOCore
import TernConnections
import TernErrors
import TernHTTP
import TernRequests
import TernTesting
import TernTransport
import TestSupport
import Testing

/// Tests trailer fields after the body of a response (RFC 9110 §6.5, RFC 9112 §7.1.2).
@Suite("Trailers", .hangLimit)
struct TrailerTests {
    private static let head = "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n"
    private static let body = "5\r\nhello\r\n6\r\n world\r\n"
    private static let end = "0\r\nX-One: first\r\nContent-Length: 9\r\nx-two:  second \r\nX-One: third\r\n\r\n"

    /// Returns a transport whose server sends a response, which arrives in pieces.
    private func transport(_ text: String, bytesPerPiece: Int = .max) -> HTTPTransport {
        let clock = ManualClock()
        let plan = ConnectionPlan.accept(toClient: [.drip(bytesPerPiece: bytesPerPiece)])
        let connector = MemoryConnector(plan: plan, clock: clock) { connection in
            while try await connection.readHead() != nil { try await connection.write(text) }
        }
        return HTTPTransport(HTTPTransportConfiguration(), connector: connector, clock: clock)
    }

    private func reply(_ transport: HTTPTransport) async throws -> HTTPReply {
        let request = Request(.get, "http://test/")
        let call = HTTPCall(request, to: try request.destination(), timeouts: .none, clock: SystemClock())
        return try await transport.respond(to: call)
    }

    private func expectTrailers(_ response: Response, sourceLocation: SourceLocation = #_sourceLocation) throws {
        let trailers = try #require(response.trailers, sourceLocation: sourceLocation)
        #expect(trailers.map(\.value) == ["first", "second", "third"], sourceLocation: sourceLocation)
        #expect(trailers["X-Two"] == "second", sourceLocation: sourceLocation)
        #expect(!trailers.contains(.contentLength), sourceLocation: sourceLocation)
        #expect(!response.fields.contains(HTTPField.Name("X-One") ?? .cookie), sourceLocation: sourceLocation)
    }

    @Test func `they are there when the body was read, wherever the response was cut`() async throws {
        let text = Self.head + Self.body + Self.end
        for byteCount in 1...text.utf8.count {
            let transport = self.transport(text, bytesPerPiece: byteCount)
            let reply = try await self.reply(transport)
            #expect(try await reply.body.text() == "hello world")
            try self.expectTrailers(reply.response)
            #expect(transport.connectionCounts.idle == 1)
        }
    }

    @Test func `there are none before the body has ended`() async throws {
        let transport = self.transport(Self.head + Self.body + Self.end, bytesPerPiece: 7)
        let reply = try await self.reply(transport)
        var reader = reply.body.makeReader()
        var text = ""
        while let bytes = try await reader.next() {
            text += String(buffer: bytes)
            if text.utf8.count < 11 { #expect(reply.response.trailers == nil) }
        }
        try self.expectTrailers(reply.response)
    }

    @Test func `copies of a response have them, too`() async throws {
        let reply = try await self.reply(self.transport(Self.head + Self.body + Self.end, bytesPerPiece: 7))
        var changed = reply.response
        changed.fields[.server] = "mine"
        let redirected = changed.after([])
        _ = try await reply.body.text()
        try self.expectTrailers(changed)
        try self.expectTrailers(redirected)
    }

    @Test(arguments: [
        "HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\nhi",
        "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n2\r\nhi\r\n0\r\n\r\n",
        "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n2\r\nhi\r\n0\r\nHost: evil\r\n\r\n",
    ])
    func `a response without any has none`(_ text: String) async throws {
        let reply = try await self.reply(self.transport(text))
        #expect(try await reply.body.text() == "hi")
        #expect(reply.response.trailers == nil)
    }

    @Test func `a body that was discarded has none`() async throws {
        let transport = self.transport(Self.head + Self.body)
        var reply = try await self.reply(transport)
        reply.discardBody()
        #expect(reply.response.trailers == nil)
    }

    // MARK: Of a request

    @Test func `a task that writes a body ends it with trailers`() async throws {
        let received = Journal<String>()
        let scene = DuplexScene { connection in
            _ = try await connection.readHead()
            var text = ""
            while !text.hasSuffix("\r\n\r\n"), let bytes = try await connection.read() {
                text += String(decoding: bytes, as: UTF8.self)
            }
            received.note(text)
            try await connection.write("HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\nhi")
            await connection.waitForEnd()
        }
        async let text = scene.reply().body.text()
        try await scene.writer.write("one".utf8)
        scene.writer.finish(trailers: [.eTag: "\"1\"", .authorization: "secret"])
        #expect(try await text == "hi")
        #expect(await received.wait(for: 1) == ["3\r\none\r\n0\r\nETag: \"1\"\r\n\r\n"])
        #expect(scene.transport.connectionCounts.idle == 1)
    }

    @Test func `a body whose length was announced has no place for trailers`() async throws {
        let received = Journal<String>()
        let scene = DuplexScene(length: 3) { connection in
            _ = try await connection.readHead()
            received.note(String(decoding: try await connection.readBytes(3), as: UTF8.self))
            try await connection.write("HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\nhi")
            if let rest = try await connection.read() { received.note(String(decoding: rest, as: UTF8.self)) }
        }
        async let text = scene.reply().body.text()
        try await scene.writer.write("one".utf8)
        scene.writer.finish(trailers: [.eTag: "\"1\""])
        #expect(try await text == "hi")
        #expect(await received.wait(for: 1) == ["one"])
    }
}
