// SPDX-License-Identifier: Apache-2.0
import HTTPTypes
import NIOCore
import TernConnections
import TernErrors
import TernRequests
import TernTesting
import TestSupport
import Testing

@Suite("ScriptedServer and ServerConnection", .hangLimit)
struct ScriptedServerTests {
    private static let target = ConnectionEndpoint.host("test", port: 80)

    /// Sends text to a server, and returns everything that the server sends.
    private func talk(_ text: String, to server: ScriptedServer) async throws -> String {
        let connector = MemoryConnector(server)
        defer { withExtendedLifetime(connector) {} }  // a released connector ends its servers
        let connection = try await connector.connect(to: Self.target, deadline: nil)
        try await connection.write(ByteBuffer(string: text), deadline: nil)
        var answer = ""
        while let bytes = try await connection.read(atLeast: 1, deadline: nil) { answer += String(buffer: bytes) }
        return answer
    }

    @Test func `reads method, target, fields and body`() async throws {
        let server = ScriptedServer(steps: [.respond(.response(.noContent))])
        let answer = try await self.talk(
            "POST /a?b=c HTTP/1.1\r\nHost: test\r\nContent-Length: 5\r\nX-Empty:\r\n\r\nhello",
            to: server
        )
        #expect(answer == "HTTP/1.1 204 No Content\r\n\r\n")
        let request = try #require(server.requests.first)
        #expect(request.method == .post)
        #expect(request.target == "/a?b=c")
        #expect(request.fields.map(\.value) == ["test", "5", ""])
        #expect(request.text == "hello")
        #expect(request.connection == 1)
    }

    @Test func `reads a body in chunks`() async throws {
        let server = ScriptedServer(steps: [.respond(.response())])
        let head = "POST / HTTP/1.1\r\nTransfer-Encoding: chunked\r\n\r\n"
        _ = try await self.talk(head + "3\r\none\r\n3\r\ntwo\r\n0\r\n\r\n", to: server)
        #expect(server.requests.first?.text == "onetwo")
    }

    @Test func `answers several requests that come at once`() async throws {
        let server = ScriptedServer(steps: [
            .respond(.response(body: "one")), .respond(.chunked(["two"])), .respond(.response(.notModified)),
        ])
        let answer = try await self.talk(String(repeating: "GET / HTTP/1.1\r\n\r\n", count: 3), to: server)
        #expect(
            answer == "HTTP/1.1 200 OK\r\nContent-Length: 3\r\n\r\none"
                + "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n3\r\ntwo\r\n0\r\n\r\n"
                + "HTTP/1.1 304 Not Modified\r\n\r\n"
        )
    }

    @Test func `sends no body in answer to HEAD`() async throws {
        let server = ScriptedServer(steps: [.respond(.response(body: "hello"))])
        let answer = try await self.talk("HEAD / HTTP/1.1\r\n\r\n", to: server)
        #expect(answer == "HTTP/1.1 200 OK\r\nContent-Length: 5\r\n\r\n")
    }

    @Test(arguments: [
        "nonsense\r\n\r\n", "GET /\r\n\r\n", "GET / HTTP/1.1\r\nno colon\r\n\r\n", "GET / HTTP/3\r\n\r\n",
        "POST / HTTP/1.1\r\nContent-Length: x\r\n\r\n", "POST / HTTP/1.1\r\nTransfer-Encoding: chunked\r\n\r\nx\r\n",
        "POST / HTTP/1.1\r\nContent-Length: -1\r\n\r\n", "POST / HTTP/1.1\r\nTransfer-Encoding: chunked\r\n\r\n-1\r\n",
    ])
    func `fails the connection on what it cannot read`(text: String) async throws {
        let server = ScriptedServer(steps: [.respond(.response())])
        let error = await #expect(throws: ConnectionError.self) { try await self.talk(text, to: server) }
        guard case .failed(let reason)? = error else {
            Issue.record("\(String(describing: error))")
            return
        }
        #expect(reason.hasPrefix("The server of connection 1 could not read "))
        #expect(server.requests.isEmpty)
    }

    @Test func `a request that ends early is reported`() async throws {
        let result = Suspension<ScriptedServerError?>()
        let connector = MemoryConnector { connection in
            do {
                _ = try await connection.readRequest()
                result.resume(with: nil)
            } catch {
                result.resume(with: error as? ScriptedServerError)
            }
        }
        let connection = try await connector.connect(to: Self.target, deadline: nil)
        try await connection.write(ByteBuffer(string: "POST / HTTP/1.1\r\nContent-Length: 5\r\n\r\nhal"), deadline: nil)
        connection.close()
        #expect(await result.wait(onCancel: nil) == .truncatedRequest)
    }

    @Test func `the last list of steps serves all further connections`() async throws {
        let server = ScriptedServer(steps: [.respond(.raw("first"))], [.respond(.raw("other"))])
        let connector = MemoryConnector(server)
        var answers: [String] = []
        for _ in 0..<3 {
            let connection = try await connector.connect(to: Self.target, deadline: nil)
            try await connection.write(ByteBuffer(string: "GET / HTTP/1.1\r\n\r\n"), deadline: nil)
            var answer = ""
            while let bytes = try await connection.read(atLeast: 1, deadline: nil) { answer += String(buffer: bytes) }
            answers.append(answer)
        }
        #expect(answers == ["first", "other", "other"])
        #expect(server.requests.map(\.connection) == [1, 2, 3])
    }

    @Test func `a closure that throws closes the connection`() async throws {
        let server = ScriptedServer { _ in throw CancellationError() }
        #expect(try await self.talk("GET / HTTP/1.1\r\n\r\n", to: server) == "")
        #expect(server.requests.count == 1)
    }
}
