// SPDX-License-Identifier: Apache-2.0
import ClientTestSupport
import HTTPTypes
import TernConnections
import TernErrors
import TernFoundation
import TernHTTP
import TernRequests
import TernTesting
import TernTransport
import TestSupport
import Testing

@Suite("Connections and their reuse", .hangLimit)
struct ReuseTests {
    @Test func `a second request goes over the same connection`() async throws {
        let scene = Scene { .response(body: $0.target) }
        #expect(try await scene.answer(to: Request(.get, "http://test/one")) == Answer(text: "/one"))
        let second = try await scene.answer(to: Request(.get, "http://test/two"))
        #expect(second == Answer(text: "/two", isReused: true))
        #expect(scene.connector.attemptCount == 1)
        #expect(scene.server.requests.map(\.connection) == [1, 1])
        scene.expectNoLeak(idle: 1)
    }

    static let lasting: [ScriptedResponse] = [
        .response(body: "hello"),
        .response(body: ""),
        .chunked(["hel", "lo"]),
        .chunked([]),
        .response(.noContent),
        .response(.notModified, fields: [.contentLength: "99"]),
        .raw("HTTP/1.0 200 OK\r\nConnection: keep-alive\r\nContent-Length: 2\r\n\r\nhi"),
    ]

    @Test(arguments: lasting.indices)
    func `a response whose end is known leaves the connection for the next`(index: Int) async throws {
        let scene = Scene { _ in Self.lasting[index] }
        let first = try await scene.answer()
        let second = try await scene.answer()
        #expect(!first.isReused)
        #expect(second.isReused)
        #expect(first.text == second.text)
        scene.expectNoLeak(idle: 1)
    }

    static let final: [(response: ScriptedResponse, text: String)] = [
        (.response(fields: [.connection: "close"], body: "bye"), "bye"),
        (.raw("HTTP/1.0 200 OK\r\nContent-Length: 2\r\n\r\nhi"), "hi"),
        (.raw("HTTP/1.1 200 OK\r\n\r\nto the end", ending: .close), "to the end"),
        (.raw("HTTP/1.1 200 OK\r\n\r\nto the end", ending: .finish), "to the end"),
        (.raw("HTTP/1.1 200 OK\r\n\r\n", ending: .close), ""),
        (.raw("HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\nhi and more"), "hi"),
        (.raw("HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\nhiHTTP/1.1 200 OK\r\nContent-Length: 4\r\n\r\nevil"), "hi"),
        (.raw("HTTP/1.1 204 No Content\r\n\r\nexcess"), ""),
        (.raw("HTTP/1.1 200 OK\nContent-Length: 2\r\n\r\nhi"), "hi"),
        (.raw("HTTP/1.1 200 OK\r\nContent-Length: 2\r\nA: b\r\n c\r\n\r\nhi"), "hi"),
        (.raw("HTTP/1.1 200 OK\r\nContent-Length: 2\r\nContent-Length: 2\r\n\r\nhi"), "hi"),
        (.raw("HTTP/1.1 200 OK\r\nContent-Length: 9\r\nTransfer-Encoding: chunked\r\n\r\n2\r\nhi\r\n0\r\n\r\n"), "hi"),
        (.raw("HTTP/1.1 103 A\nB: c\n\nHTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\nhi"), "hi"),
    ]

    @Test(arguments: final.indices)
    func `a response that ends the connection, or is followed by something, is the last on it`(index: Int) async throws
    {
        let scene = Scene { _ in Self.final[index].response }
        #expect(try await scene.answer() == Answer(status: index == 7 ? 204 : 200, text: Self.final[index].text))
        scene.expectNoLeak(idle: 0)
        #expect(try await !scene.answer().isReused)
        #expect(scene.connector.attemptCount == 2)
    }

    @Test func `a response to HEAD has no body, whatever it announces`() async throws {
        let scene = Scene { .response(body: "not sent to \($0.method.rawValue)") }
        let reply = try await scene.reply(to: Request(.head, "http://test/"))
        #expect(reply.response.contentLength == 16)
        #expect(try await reply.body.text() == "")
        #expect(try await scene.answer().isReused)
    }

    @Test func `requests to different origins do not share connections`() async throws {
        let scene = Scene { .response(body: $0.fields[.init("Host") ?? .accept] ?? "") }
        let urls = ["http://one/", "http://two/", "http://one:81/", "http://one/again"]
        var answers: [Answer] = []
        for url in urls { answers.append(try await scene.answer(to: Request(.get, url))) }
        #expect(answers.map(\.text) == ["one", "two", "one:81", "one"])
        #expect(answers.map(\.isReused) == [false, false, false, true])
        #expect(scene.connector.endpoints == [.host("one", port: 80), .host("two", port: 80), .host("one", port: 81)])
        scene.expectNoLeak(idle: 3)
    }

    @Test func `a path of a socket makes another target`() async throws {
        let scene = Scene { _ in .response() }
        _ = try await scene.answer()
        _ = try await scene.answer(to: Request(.get, "http://test/").unixSocket(path: "/run/x"))
        #expect(scene.connector.endpoints == [.host("test", port: 80), .unixSocket(path: "/run/x")])
    }

    @Test func `bytes that come while the connection is idle are never the next answer`() async throws {
        let server = ScriptedServer(steps: [.respond(.response(body: "three")), .receive])
        let sent = Observed(false)
        let scene = Scene(server, HTTPTransportConfiguration()) { connection in
            guard connection.number == 1 else { return await server.serve(connection) }
            _ = try await connection.readRequest()
            guard try await connection.send(.response(body: "one")) else { return }
            try await connection.write("HTTP/1.1 200 OK\r\nContent-Length: 4\r\n\r\nevil")
            sent.update { $0 = true }
            guard try await connection.readRequest() != nil else { return }
            try await connection.send(.response(body: "two"))
            await connection.waitForEnd()
        }
        #expect(try await scene.answer().text == "one")
        // Bytes that arrived after the next request would be its response.
        await sent.wait { $0 }
        let second = try await scene.answer()
        #expect(second.text != "evil")
        scene.expectNoLeak(idle: 0...1)
    }

    @Test func `a connection that the server closes while it is idle leaves the pool`() async throws {
        let scene = Scene([.respond(.response(body: "one"))], [.respond(.response(body: "two"))])
        _ = try await scene.answer()
        try await scene.connector.waitForOpen(0)
        try await eventually("it leaves the pool") { scene.transport.connectionCounts.idle == 0 }
        #expect(try await scene.answer() == Answer(text: "two"))
    }

    @Test(arguments: [ScriptedResponse.Ending.close, .finish, .reset])
    func `a connection that ends right behind the response does not stay in the pool`(
        ending: ScriptedResponse.Ending
    ) async throws {
        let scene = Scene { _ in .response(body: "bye", ending: ending) }
        _ = try? await scene.answer()
        try await scene.connector.waitForOpen(0)
        // The pool forgets the connection after it has closed it.
        try await eventually("it leaves the pool") { scene.transport.connectionCounts == (0, 0, 0) }
        scene.expectNoLeak(idle: 0)
    }

    /// If a server answered without reading, each request would wait behind the unread requests before it.
    @Test func `a connection on which a request was not sent to its end does not serve another`() async throws {
        let response = "HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\nhi"
        let server = ScriptedServer { _ in .stall }
        let scene = Scene(server, plan: .accept(toServer: [.stall()]), HTTPTransportConfiguration()) { connection in
            try await connection.write(response)
            await connection.waitForEnd()
        }
        let request = Request(.post, "http://test/").body(data: Data(count: 10_000))
        for count in 1...3 {
            #expect(try await scene.answer(to: request) == Answer(text: "hi"))
            scene.expectNoLeak(idle: 0)
            #expect(scene.connector.attemptCount == count)
        }
    }

    @Test func `an idle connection expires`() async throws {
        let scene = Scene { _ in .response() }
        _ = try await scene.answer()
        try await scene.clock.waitForScheduled(in: .seconds(60))
        scene.clock.advance(by: .seconds(59))
        scene.expectNoLeak(idle: 1)
        scene.clock.advance(by: .seconds(1))
        scene.expectNoLeak(idle: 0)
    }

    @Test func `shutting down closes what is idle and refuses what comes`() async throws {
        let scene = Scene { _ in .response() }
        _ = try await scene.answer()
        scene.transport.shutDown()
        scene.expectNoLeak(idle: 0)
        let failure = await scene.failure()
        #expect(failure?.ending == Ending(.connectionLost(.shutDown), in: .wait))
    }

    @Test func `shutting down lets an exchange end, and then closes its connection`() async throws {
        let scene = Scene { _ in .chunked(["one", "two"]) }
        let reply = try await scene.reply()
        scene.transport.shutDown()
        _ = try await reply.body.text()
        scene.expectNoLeak(idle: 0)
    }

    @Test func `shutting down ends the calls that wait`() async throws {
        var configuration = HTTPTransportConfiguration()
        configuration.pool.maximumConnectionsPerHost = 1
        let scene = Scene(ScriptedServer { _ in .chunked(["held", "on"]) }, configuration)
        let holding = try await scene.reply()
        let calling = Task { await scene.failure() }
        try await eventually("the call waits") { scene.transport.connectionCounts.waiting == 1 }
        scene.transport.shutDown()
        #expect(await calling.value?.ending == Ending(.connectionLost(.shutDown), in: .wait))
        _ = try await holding.body.text()
        scene.expectNoLeak(idle: 0)
    }

    @Test func `releasing the transport closes idle connections`() async throws {
        let connector = MemoryConnector { _ in .response() }
        do {
            let transport = HTTPTransport(HTTPTransportConfiguration(), connector: connector)
            let request = Request(.get, "http://test/")
            let call = HTTPCall(request, to: try request.destination(), timeouts: .none, clock: SystemClock())
            _ = try await transport.respond(to: call)
            #expect(connector.openCount == 1)
        }
        #expect(connector.openCount == 0)
        try await connector.waitForServers()
    }
}
