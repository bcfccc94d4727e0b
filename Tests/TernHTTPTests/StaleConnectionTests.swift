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

/// Tests servers that close an idle connection at the moment when the client sends a request on it.
@Suite("RFC 9112 §9.3.1: a reused connection that was closed", .hangLimit)
struct StaleConnectionTests {
    /// Returns a scene whose first connection answers one request, and ends in the given way at the next request.
    private func scene(_ ending: ScriptedResponse) -> Scene {
        Scene([.respond(.response(body: "one")), .respond(ending)], [.respond(.response(body: "again")), .receive])
    }

    @Test(
        arguments: [HTTPRequest.Method.get, .head, .options, .put, .delete],
        [ScriptedResponse.close, .reset].indices
    )
    func `an idempotent request goes out once more on a new connection`(
        method: HTTPRequest.Method,
        ending: Int
    ) async throws {
        let scene = self.scene(ending == 0 ? .close : .reset)
        _ = try await scene.answer()
        let answer = try await scene.answer(to: Request(method, "http://test/"))
        #expect(answer == Answer(text: method == .head ? "" : "again"))
        #expect(scene.server.requests.map(\.connection) == [1, 1, 2])
        #expect(scene.connector.attemptCount == 2)
        scene.expectNoLeak(idle: 1)
    }

    @Test(arguments: [HTTPRequest.Method.post, .patch])
    func `another request does not, once it was written`(method: HTTPRequest.Method) async throws {
        let scene = self.scene(.close)
        _ = try await scene.answer()
        let failure = await scene.failure(of: Request(method, "http://test/").body(data: Data("x".utf8)))
        #expect(failure?.ending == Ending(.connectionLost(.closed), in: .head))
        #expect(scene.connector.attemptCount == 1)
        scene.expectNoLeak(idle: 0)
    }

    @Test(arguments: [HTTPRequest.Method.get, .put])
    func `nor does one that must not be repeated, whatever its method`(method: HTTPRequest.Method) async throws {
        let scene = self.scene(.close)
        _ = try await scene.answer()
        var request = Request(method, "http://test/")
        request.options.isRepeatable = false
        #expect(await scene.failure(of: request)?.ending == Ending(.connectionLost(.closed), in: .head))
        #expect(scene.connector.attemptCount == 1)
        scene.expectNoLeak(idle: 0)
    }

    @Test func `any request does when nothing of it was written`() async throws {
        let clock = ManualClock()
        let connector = DeadOnWriteConnector(MemoryConnector(clock: clock) { _ in .response(body: "fine") })
        let transport = HTTPTransport(HTTPTransportConfiguration(), connector: connector, clock: clock)
        let request = Request(.post, "http://test/").body(data: Data("x".utf8))
        let call = HTTPCall(request, to: try request.destination(), timeouts: .none, clock: clock)
        _ = try await transport.respond(to: call).body.text()
        connector.breakConnections()
        #expect(try await transport.respond(to: call).body.text() == "fine")
        #expect(connector.base.attemptCount == 2)
    }

    @Test func `a request goes out twice at most`() async throws {
        let scene = Scene([.respond(.response()), .respond(.close)], [.respond(.close)], [.respond(.response())])
        _ = try await scene.answer()
        #expect(await scene.failure()?.ending == Ending(.connectionLost(.closed), in: .head))
        #expect(scene.connector.attemptCount == 2)
        scene.expectNoLeak(idle: 0)
    }

    @Test func `a request on a new connection is not sent again`() async throws {
        let scene = Scene([.respond(.close)], [.respond(.response())])
        #expect(await scene.failure()?.ending == Ending(.connectionLost(.closed), in: .head))
        #expect(scene.connector.attemptCount == 1)
    }

    @Test func `a response that has begun is not asked for again`() async throws {
        let scene = Scene(
            [.respond(.response()), .respond(.raw("HTTP/1.1 2", ending: .close))],
            [.respond(.response())]
        )
        _ = try await scene.answer()
        #expect(await scene.failure()?.ending == Ending(.connectionLost(.closed), in: .head))
        #expect(scene.connector.attemptCount == 1)
    }

    @Test(arguments: [true, false])
    func `a stream is sent again only if it can be read twice`(isReplayable: Bool) async throws {
        let scene = self.scene(.close)
        _ = try await scene.answer()
        let pieces: @Sendable () -> AsyncStream<[UInt8]> = {
            AsyncStream { continuation in
                continuation.yield(Array("stream".utf8))
                continuation.finish()
            }
        }
        var request = Request(.put, "http://test/")
        request.body = isReplayable ? .replayableStream(pieces) : .stream(pieces())
        request.options.expectsContinue = false
        if isReplayable {
            #expect(try await scene.answer(to: request).text == "again")
            #expect(scene.server.requests.last?.text == "stream")
        } else {
            #expect(await scene.failure(of: request)?.ending == Ending(.connectionLost(.closed), in: .head))
            #expect(scene.connector.attemptCount == 1)
        }
    }

    @Test func `a connection found dead when it is lent is replaced in its place, before any waiting call`()
        async throws
    {
        var configuration = HTTPTransportConfiguration()
        configuration.pool.maximumConnectionsPerHost = 1
        let server = ScriptedServer(steps: [
            .respond(.response(body: "two")), .respond(.response(body: "three")), .receive,
        ])
        let sent = Observed(false)
        let scene = Scene(server, configuration) { connection in
            guard connection.number == 1 else { return await server.serve(connection) }
            _ = try await connection.readRequest()
            guard try await connection.send(.response(body: "one")) else { return }
            try await connection.write("junk")
            sent.update { $0 = true }
            await connection.waitForEnd()
        }
        _ = try await scene.answer()
        // The next call has to find the bytes on the idle connection. If they arrived later, it would read them as its
        // response.
        await sent.wait { $0 }
        #expect(try await scene.answer(to: Request(.post, "http://test/")).text == "two")
        #expect(try await scene.answer().text == "three")
        scene.expectNoLeak(idle: 0...1)
    }
}
