// SPDX-License-Identifier: Apache-2.0
import ClientTestSupport
import HTTPTypes
import Synchronization
import Tern
import TernErrors
import TernFoundation
import TernRequests
import TernTesting
import TernTransport
import TestSupport
import Testing

/// An interceptor that records its name and the calls that pass it.
private struct Watching: Interceptor {
    let name: String
    let log: @Sendable (String) -> Void

    func respond(to call: HTTPCall, next: NextStages) async throws(ClientError) -> HTTPReply {
        self.log("\(self.name) \(call.request.fields[.userAgent] ?? "-")")
        return try await next.respond(to: call)
    }
}

/// An interceptor that sends a request again after a 503.
private struct RetryOnce: Interceptor {
    func respond(to call: HTTPCall, next: NextStages) async throws(ClientError) -> HTTPReply {
        let reply = try await next.respond(to: call)
        guard reply.response.statusCode == 503 else { return reply }
        var call = call
        call.attempt += 1
        return try await next.respond(to: call)
    }
}

@Suite("Client", .hangLimit)
struct ClientTests {
    @Test func `default fields are added and never replace`() async throws {
        let scene = ClientScene { _ in .response() }
        _ = try await scene.client.data(from: testURL)
        _ = try await scene.client.data(for: Request(.get, "http://test/").header(.userAgent, "mine"))
        let fields = scene.server.requests.map(\.fields)
        #expect(fields.map { $0[.accept] } == ["*/*", "*/*"])
        #expect(fields[0][.userAgent] == TernVersion.product)
        #expect(fields[1][values: .userAgent] == ["mine"])
    }

    @Test func `the product has the first two numbers of the version`() {
        let numbers = TernVersion.number.split(separator: ".")
        #expect(numbers.count == 3 && TernVersion.product == "tern/" + numbers.prefix(2).joined(separator: "."))
    }

    @Test func `all default fields of one name are added, or none`() async throws {
        let name = try #require(HTTPField.Name("X-Client"))
        var configuration = Client.Configuration()
        configuration.defaultFields[values: name] = ["a", "b"]
        let scene = ClientScene(configuration) { _ in .response() }
        let requests = [Request(url: testURL), Request(url: testURL).header(.acceptLanguage, "de")]
        for request in requests + [Request(url: testURL).header(name, "mine")] {
            _ = try await scene.client.data(for: request)
        }
        #expect(scene.server.requests.map { $0.fields[values: name] } == [["a", "b"], ["a", "b"], ["mine"]])
    }

    @Test func `without default fields a request has its own only`() async throws {
        var configuration = Client.Configuration()
        configuration.defaultFields = [:]
        configuration.decodesContent = false
        let scene = ClientScene(configuration) { _ in .response() }
        _ = try await scene.client.data(from: testURL)
        #expect(scene.server.requests[0].fields.map(\.name.canonicalName) == ["host"])
    }

    @Test func `interceptors of the call come before those of attempts, and all see the default fields`() async throws {
        let seen = Mutex<[String]>([])
        let log: @Sendable (String) -> Void = { line in seen.withLock { $0.append(line) } }
        var configuration = Client.Configuration()
        configuration.defaultFields = [.userAgent: "tern"]
        configuration.callInterceptors = [Watching(name: "call 1", log: log), Watching(name: "call 2", log: log)]
        configuration.attemptInterceptors = [Watching(name: "attempt", log: log)]
        let scene = ClientScene(configuration) { _ in .response() }
        _ = try await scene.client.data(from: testURL)
        #expect(seen.withLock { $0 } == ["call 1 tern", "call 2 tern", "attempt tern"])
    }

    @Test func `an interceptor that asks again frees the connection of the first answer`() async throws {
        var configuration = Client.Configuration()
        configuration.attemptInterceptors = [RetryOnce()]
        let count = Flag()
        let scene = ClientScene(configuration) { _ in
            count.raise()
            return count.count == 1 ? .response(.serviceUnavailable, body: "later") : .response(body: "now")
        }
        let (data, _) = try await scene.client.data(from: testURL)
        #expect(data == Data("now".utf8))
        #expect(scene.connector.attemptCount == 1)
    }

    @Test func `a transport of one's own takes the network's place`() async throws {
        let transport = ScriptedTransport(
            .response(.accepted, body: "hi"),
            .failure { .connectionFailed(.refused, $0) }
        )
        let client = Client(transport: transport)
        let (data, response) = try await client.data(from: testURL)
        #expect(data == Data("hi".utf8))
        #expect(response.statusCode == 202)
        let error = await failure { () async throws(ClientError) in try await client.data(from: testURL) }
        #expect(error?.isConnectivity == true)
        #expect(transport.calls.map(\.request.url) == [testURL, testURL])
    }

    @Test func `a reply can be had without reading its body`() async throws {
        let scene = ClientScene { _ in halfResponse }
        do {
            let reply = try await scene.client.reply(for: Request(.get, "http://test/"))
            #expect(reply.response.statusCode == 200)
            #expect(reply.body.length == 9)
            #expect(scene.connector.openCount == 1)
        }
        await scene.expectNoExchange()
    }

    @Test func `a client that is released closes idle connections`() async throws {
        let connector = MemoryConnector.tested { _ in .response() }
        do {
            let client = Client(configuration: .patient.tested, connector: connector)
            _ = try await client.data(from: testURL)
            #expect(connector.openCount == 1)
        }
        #expect(connector.openCount == 0)
        try await connector.waitForServers()
    }

    @Test func `a client that is released during a call lets the call end`() async throws {
        let connector = MemoryConnector.tested { _ in .chunked(["one", "two"]) }
        var client: Client? = Client(configuration: .patient.tested, connector: connector)
        let bytes = try #require(try await client?.bytes(from: testURL).0)
        client = nil
        var text = ""
        for try await chunk in bytes.chunks { text += String(decoding: chunk, as: UTF8.self) }
        #expect(text == "onetwo")
        #expect(connector.openCount == 0)
    }

    @Test func `a client that is released while a call hangs can still be cancelled`() async throws {
        let connector = MemoryConnector.tested { _ in .stall }
        var client: Client? = Client(configuration: .patient.tested, connector: connector)
        let calling = Task { [client] in try await client?.data(from: testURL) }
        client = nil
        try await connector.waitForOpen(1)
        calling.cancel()
        await #expect(throws: ClientError.self) { try await calling.value }
        try await connector.waitForOpen(0)
    }

    @Test func `limits of the client hold, and those of a request come before them`() async throws {
        var configuration = Client.Configuration()
        configuration.timeouts = Timeouts(firstByte: .seconds(5))
        let scene = ClientScene(configuration) { _ in .stall }
        for (request, limit) in [
            (Request(.get, "http://test/"), Duration.seconds(5)),
            (Request(.get, "http://test/").timeout(.seconds(2)), .seconds(2)),
            (Request(.get, "http://test/").timeouts(Timeouts(firstByte: .seconds(7))), .seconds(7)),
        ] {
            let calling = Task { try await scene.client.data(for: request) }
            try await scene.clock.waitForScheduled(in: limit)
            scene.clock.advance(by: limit)
            let error = await #expect(throws: ClientError.self) { try await calling.value }
            guard case .timedOut(_, limit: limit, let context)? = error else {
                Issue.record("\(String(describing: error))")
                continue
            }
            #expect(context.elapsed == limit)
        }
    }
}
