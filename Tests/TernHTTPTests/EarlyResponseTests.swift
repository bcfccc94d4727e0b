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

@Suite("RFC 9112 §9.5: a response before the request is complete", .hangLimit)
struct EarlyResponseTests {
    /// Returns a request whose stream has one piece and then waits, until the client releases the stream.
    private func endlessRequest(_ ended: Flag) -> Request {
        let stream = AsyncStream<[UInt8]> { continuation in
            continuation.onTermination = { _ in ended.raise() }
            continuation.yield(Array("first".utf8))
        }
        var request = Request(.post, "http://test/").body(stream: stream)
        request.options.expectsContinue = false
        return request
    }

    @Test func `a refusal stops the upload, and its body is read to the end`() async throws {
        let ended = Flag()
        let scene = Scene([.receiveHead, .send(.response(.contentTooLarge, body: "too large"))])
        #expect(try await scene.answer(to: self.endlessRequest(ended)) == Answer(status: 413, text: "too large"))
        await ended.wait()
        scene.expectNoLeak(idle: 0)
    }

    @Test func `a refusal whose body comes later is read to the end too`() async throws {
        let ended = Flag()
        let server = ScriptedServer(steps: [
            .receiveHead, .send(.raw("HTTP/1.1 413 No\r\nContent-Length: 9\r\n\r\n")), .send(.raw("too ")),
            .send(.raw("large")), .send(.stall),
        ])
        let scene = Scene(server, plan: .accept(toClient: [.drip(bytesPerPiece: 3)]))
        let reply = try await scene.reply(to: self.endlessRequest(ended))
        await ended.wait()  // the upload has ended, and the response continues
        #expect(try await reply.body.text() == "too large")
        scene.expectNoLeak(idle: 0)
    }

    @Test func `a success lets the upload go on`() async throws {
        let (stream, continuation) = AsyncStream<[UInt8]>.makeStream()
        var request = Request(.post, "http://test/").body(stream: stream)
        request.options.expectsContinue = false
        let connector = MemoryConnector { connection in
            guard var request = try await connection.readHead() else { return }
            try await connection.write("HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n3\r\nyes\r\n")
            try await connection.readBody(of: &request)
            try await connection.write("\(request.body.count)\r\n\(request.text)\r\n0\r\n\r\n")
            await connection.waitForEnd()
        }
        let transport = HTTPTransport(HTTPTransportConfiguration(), connector: connector)
        let call = HTTPCall(request, to: try request.destination(), timeouts: .none, clock: SystemClock())
        let reply = try await transport.respond(to: call)
        var reader = reply.body.makeReader()
        #expect(try await reader.next().map { String(buffer: $0) } == "yes")
        continuation.yield(Array("late".utf8))
        continuation.finish()
        #expect(try await reader.next().map { String(buffer: $0) } == "late")
        #expect(try await reader.next() == nil)
        #expect(transport.connectionCounts.lent == 0)
    }

    @Test func `a success that ends before the upload ends it too`() async throws {
        let ended = Flag()
        let scene = Scene([.receiveHead, .send(.response(body: "enough")), .send(.stall)])
        #expect(try await scene.answer(to: self.endlessRequest(ended)) == Answer(text: "enough"))
        await ended.wait()
        scene.expectNoLeak(idle: 0)
    }

    @Test func `releasing the response ends the upload`() async throws {
        let ended = Flag()
        let scene = Scene([
            .receiveHead, .send(.raw("HTTP/1.1 200 OK\r\nContent-Length: 9\r\n\r\nhalf")), .send(.stall),
        ])
        _ = try await scene.reply(to: self.endlessRequest(ended))
        await ended.wait()
        scene.expectNoLeak(idle: 0)
    }

    @Test func `a server that answers and resets gets its answer through`() async throws {
        let ended = Flag()
        let scene = Scene([.receiveHead, .send(.response(.contentTooLarge, body: "no", ending: .close))])
        #expect(try await scene.answer(to: self.endlessRequest(ended)) == Answer(status: 413, text: "no"))
        scene.expectNoLeak(idle: 0)
    }
}
