// SPDX-License-Identifier: Apache-2.0
import ClientTestSupport
import HTTPTypes
import Tern
import TernConnections
import TernErrors
import TernFoundation
import TernRequests
import TernTesting
import TestSupport
import Testing

@Suite("Servers in memory over HTTP/2", .hangLimit)
struct HTTP2ServerTests {
    private static let url = "https://test/"

    @Test(arguments: [HTTPVersion.http11, .http2])
    func `the same script answers over both versions`(version: HTTPVersion) async throws {
        let server = ScriptedServer(steps: [
            .respond(.response(.created, fields: [.contentType: "text/plain"], body: "one")),
            .respond(.chunked(["two", "three"], trailers: [.eTag: "\"end\""])), .respond(.response()),
        ])
        let connector = MemoryConnector(server, version: version)
        let client = Client(connector: connector)
        let request = Request(.post, Self.url + "path?q").body(data: Data("content".utf8))
        let (one, first) = try await client.answer(to: request)
        let (two, second) = try await client.answer(to: Request(.get, Self.url))
        _ = try await client.string(for: Request(.head, Self.url))
        #expect((one, two) == ("one", "twothree"))
        #expect((first.statusCode, first["Content-Type"]) == (201, "text/plain"))
        #expect(second.trailers?[.eTag] == "\"end\"")
        #expect([first, second].map(\.httpVersion) == [version, version])
        #expect(server.requests.map(\.method) == [.post, .get, .head])
        #expect(server.requests.map(\.connection) == [1, 1, 1])
        #expect(server.requests.map(\.stream) == (version == .http2 ? [1, 3, 5] : [nil, nil, nil]))
        let received = try #require(server.requests.first)
        #expect((received.target, received.text) == ("/path?q", "content"))
        #expect(received.hosts == ["test"])
        #expect(connector.attemptCount == 1)
    }

    @Test func `several calls run at once over one connection`() async throws {
        let hold = Observed(false)
        let server = ScriptedServer { request in
            if request.target != "/first" { await hold.wait { $0 } }
            return .response(body: request.target)
        }
        let connector = MemoryConnector(server, version: .http2)
        let client = Client(connector: connector)
        _ = try await client.data(for: Request(.get, Self.url + "first"))
        #expect(connector.openStreamCount == 0)
        async let one = client.string(for: Request(.get, Self.url + "1"))
        async let two = client.string(for: Request(.get, Self.url + "2"))
        async let three = client.string(for: Request(.get, Self.url + "3"))
        try await server.waitForRequests(4)
        try await connector.waitForOpenStreams(3)
        hold.update { $0 = true }
        #expect(try await [one, two, three] == ["/1", "/2", "/3"])
        #expect(Set(server.requests.map(\.connection)) == [1])
        #expect(Set(server.requests.compactMap(\.stream)) == [1, 3, 5, 7])
        try await connector.waitForOpenStreams(0)
        #expect((connector.attemptCount, connector.openCount) == (1, 1))
    }

    @Test(arguments: [HTTPVersion.http11, .http2])
    func `requests that overlap have the numbers of their order`(version: HTTPVersion) async throws {
        let server = ScriptedServer { request in .response(body: "\(request.number ?? 0) \(request.target)") }
        let connector = MemoryConnector(server, version: version)
        let client = Client(connector: connector)
        let answers = try await withThrowingTaskGroup { group in
            for index in 1...50 { group.addTask { try await client.string(for: Request(.get, "\(Self.url)\(index)")) } }
            return try await group.reduce(into: []) { $0.append($1) }
        }
        let expected = server.requests.enumerated().map { "\($0 + 1) \($1.target)" }
        #expect(answers.count == 50 && Set(answers) == Set(expected))
    }

    @Test func `the server tells the client's number of the stream`() async throws {
        let scene = HTTP2FaultScene()
        _ = try await scene.text()
        let (_, response) = try await scene.client.data(from: testURL, delegate: RecordingDelegate())
        let number = response.metrics?.transactions.first?.streamNumber
        #expect(number == 3)
        #expect(scene.server.requests.last?.stream == number)
    }

    @Test func `a request that overlaps with another follows the next list of steps`() async throws {
        let server = ScriptedServer(
            steps: [.respond(.stall)],
            [.respond(.response(body: "one")), .respond(.response(body: "two"))]
        )
        let connector = MemoryConnector(server, version: .http2)
        let client = Client(connector: connector)
        let held = Task { try await client.data(for: Request(.get, Self.url)) }
        try await server.waitForRequests(1)
        #expect(try await client.string(for: Request(.get, Self.url)) == "one")
        #expect(try await client.string(for: Request(.get, Self.url)) == "two")
        #expect(server.requests.map(\.connection) == [1, 1, 1])
        held.cancel()
        try await connector.waitForOpenStreams(0)
    }

    @Test func `a WebSocket uses a stream of an open connection`() async throws {
        let connector = MemoryConnector(
            version: .http2,
            connection: { connection in
                guard let request = try await connection.readRequest() else { return }
                try await connection.send(.response(body: "\(request.stream ?? 0)"))
                let socket = try await ServerWebSocket.accept(connection)
                try await socket.send(.text("stream \(socket.request?.stream ?? 0)"))
                while let frame = try await socket.receive(), frame.opcode != .close {
                    try await socket.send(frame.opcode, payload: frame.payload)
                }
                try await socket.sendClose(.normalClosure)
            }
        )
        let client = Client(connector: connector)
        #expect(try await client.string(for: Request(.get, Self.url)) == "1")
        let socket = try await client.webSocket(for: Request(.get, "wss://test/"))
        try await socket.send("hello")
        var texts: [String] = []
        for try await message in socket {
            if case .text(let text) = message { texts.append(text) }
            if texts.count == 2 { await socket.close() }
        }
        #expect(texts == ["stream 3", "hello"])
        #expect(connector.attemptCount == 1)
        try await connector.waitForOpenStreams(0)
    }

    @Test func `the error of a closure reaches the call`() async {
        struct Mistake: Error {}
        let scene = HTTP2FaultScene(answer: { _ in throw Mistake() })
        let error = await failure { () async throws(ClientError) in try await scene.text() }
        #expect(error?.fault == .interceptorFailed)
        #expect(error?.description.contains("The server of connection 1 threw Mistake()") == true)
    }

    @Test func `servers of streams end with the connector`() async throws {
        let cancelled = Suspension<Bool>()
        var connector: MemoryConnector? = MemoryConnector(
            version: .http2,
            connection: { connection in
                _ = try await connection.readRequest()
                _ = await Suspension<Void>().wait(onCancel: ())
                cancelled.resume(with: Task.isCancelled)
            }
        )
        do {
            let client = try Client(connector: #require(connector))
            let call = Task { try await client.data(for: Request(.get, Self.url)) }
            try await connector?.waitForOpenStreams(1)
            call.cancel()
            _ = await call.result
            try await connector?.waitForOpenStreams(0)
        }
        connector = nil
        #expect(await cancelled.wait(onCancel: false))
    }
}
