// SPDX-License-Identifier: Apache-2.0
import ClientTestSupport
import HTTPTypes
import TernConnections
import TernErrors
import TernHTTP
import TernProxies
import TernRequests
import TernTesting
import TernTransport
import TestSupport
import Testing

@Suite("RFC 9113 §8.5: tunnels through a proxy that speaks HTTP/2", .hangLimit)
struct HTTP2TunnelTests {
    private static let proxy = Proxy(.https, host: "proxy", port: 8443)

    /// A proxy that plays the servers behind it, too, and the transport that calls them.
    private struct World {
        /// Decides about a CONNECT.
        typealias Decision = @Sendable (HTTP2Peer, HTTP2Headers) async throws -> Void

        let clock = ManualClock()
        let connects = Journal<HTTP2Headers>()
        let forwarded = Journal<HTTP2Headers>()
        let inner = Journal<String>()
        let resets = Journal<Int>()
        let connector: SteeredConnector
        let transport: HTTPTransport

        init(
            settings: [HTTP2Setting] = [],
            versions: HTTPVersionPolicy = .automatic,
            authorizer: ScriptedAuthorizer? = nil,
            _ decide: @escaping Decision = { peer, connect in try await peer.begin(connect) }
        ) {
            let base = MemoryConnector(clock: self.clock) { [connects, forwarded, inner, resets] connection in
                let peer = HTTP2Peer(connection)
                try await peer.handshake(settings: settings)
                while let frame = try await peer.nextFrame() {
                    switch frame {
                    case .headers(let headers) where headers[":method"] == "CONNECT":
                        connects.note(headers)
                        try await decide(peer, headers)
                    case .headers(let headers) where headers.isRequest:
                        forwarded.note(headers)
                        try await peer.respond(to: headers, "forwarded \(peer.number)")
                    case .data(let stream, let bytes, let endsStream):
                        guard bytes.count > 0, !endsStream else { continue }
                        inner.note(String(decoding: bytes, as: UTF8.self))
                        let text = "stream \(stream) of \(peer.number)"
                        let response = "HTTP/1.1 200 OK\r\nContent-Length: \(text.utf8.count)\r\n\r\n\(text)"
                        try await peer.send(
                            .data(stream, Array(response.utf8)),
                            .windowUpdate(stream, bytes.count),
                            .windowUpdate(0, bytes.count)
                        )
                    case .reset(_, let code): resets.note(code)
                    default: break
                    }
                }
            }
            self.connector = SteeredConnector(base, applicationProtocol: "h2")
            let configuration = HTTPTransportConfiguration(
                router: Router(.proxy(HTTP2TunnelTests.proxy)),
                tunnelAuthorizer: authorizer,
                versions: versions
            )
            self.transport = HTTPTransport(configuration, connector: self.connector, clock: self.clock)
        }

        func answer(_ url: String, timeouts: Timeouts = .none) async throws -> String {
            let request = Request(.get, url)
            let call = HTTPCall(request, to: try request.destination(), timeouts: timeouts, clock: self.clock)
            return try await self.transport.respond(to: call).body.text()
        }

        func error(_ url: String, timeouts: Timeouts = .none) async -> ClientError? {
            do {
                _ = try await self.answer(url, timeouts: timeouts)
                return nil
            } catch {
                return error as? ClientError
            }
        }

        func expectSettled(lent: Int, open: Int, sourceLocation: SourceLocation = #_sourceLocation) async throws {
            try await eventually("\(lent) connections are lent, and \(open) are open") {
                let counts = self.transport.connectionCounts
                return counts.lent == lent && counts.waiting == 0 && self.connector.base.openCount == open
            }
        }
    }

    @Test func `tunnels to several servers are streams of one connection`() async throws {
        let world = World()
        #expect(try await world.answer("https://a.test/") == "stream 1 of 1")
        #expect(try await world.answer("https://b.test:444/") == "stream 3 of 1")
        #expect(try await world.answer("https://a.test/again") == "stream 1 of 1")
        #expect(world.connector.base.endpoints == [.host("proxy", port: 8443)])
        #expect(world.connects.all.map { $0[":authority"] } == ["a.test:443", "b.test:444"])
        // "The :scheme and :path pseudo-header fields MUST be omitted."
        #expect(world.connects.all.allSatisfy { $0[":scheme"] == nil && $0[":path"] == nil })
        #expect(world.inner.all.first?.hasPrefix("GET / HTTP/1.1\r\nHost: a.test\r\n") == true)
        #expect(world.connector.layers.all == ["a.test", "b.test"])
        try await world.expectSettled(lent: 1, open: 1)  // the connection to the proxy is lent to two idle ones
        world.transport.shutDown()
        try await world.expectSettled(lent: 0, open: 0)
    }

    @Test func `calls at the same time share the connection that the first one makes`() async throws {
        let world = World()
        try await withThrowingTaskGroup { group in
            for number in 0..<16 { group.addTask { try await world.answer("https://h\(number).test/") } }
            var answers: Set<String> = []
            for try await answer in group { answers.insert(answer) }
            #expect(answers.count == 16)
            #expect(answers.allSatisfy { $0.hasSuffix(" of 1") })
        }
        #expect(world.connector.base.attemptCount == 1)
        world.transport.shutDown()
        try await world.expectSettled(lent: 0, open: 0)
    }

    @Test func `forwarded requests share the connection, too, in the form of HTTP/2`() async throws {
        let world = World()
        #expect(try await world.answer("https://a.test/") == "stream 1 of 1")
        #expect(try await world.answer("http://c.test:81/path?query") == "forwarded 1")
        let request = try #require(world.forwarded.all.first)
        #expect(request[":scheme"] == "http")
        #expect(request[":authority"] == "c.test:81")
        #expect(request[":path"] == "/path?query")
        world.transport.shutDown()
        try await world.expectSettled(lent: 0, open: 0)
    }

    @Test func `past the limit of streams, tunnels use another connection`() async throws {
        let world = World(settings: [HTTP2Setting(identifier: 3, value: 1)])
        #expect(try await world.answer("https://a.test/") == "stream 1 of 1")
        #expect(try await world.answer("https://b.test/") == "stream 1 of 2")
        world.transport.shutDown()
        try await world.expectSettled(lent: 0, open: 0)
    }

    @Test func `credentials answer a challenge on another stream`() async throws {
        let authorizer = ScriptedAuthorizer(nil, "Basic c2VjcmV0")
        let world = World(authorizer: authorizer) { peer, connect in
            if connect["proxy-authorization"] == "Basic c2VjcmV0" { return try await peer.begin(connect) }
            let fields = [("proxy-authenticate", "Basic realm=\"birds\"")]
            try await peer.send(.headers(connect.stream, [(":status", "407")] + fields))
        }
        #expect(try await world.answer("https://a.test/") == "stream 3 of 1")
        #expect(authorizer.record.statuses == [0, 407])
        #expect(authorizer.record.acceptedCount == 1)
        #expect(world.inner.all.allSatisfy { !$0.contains("c2VjcmV0") })
        try await eventually("the refused stream is reset") { world.resets.all == [8] }
    }

    @Test func `without credentials, the challenge is the error`() async throws {
        let world = World { peer, connect in try await peer.respond(to: connect, "who?", status: 407) }
        #expect(await world.error("https://a.test/")?.fault == .proxyFailed(.authenticationRequired))
        try await world.expectSettled(lent: 0, open: 1)
    }

    @Test(arguments: [403, 502, 300])
    func `a refusal is the error, and the connection stays`(_ status: Int) async throws {
        let world = World { peer, connect in
            if connect[":authority"] == "b.test:443" { return try await peer.begin(connect) }
            try await peer.respond(to: connect, "no", status: status)
        }
        let error = await world.error("https://a.test/")
        #expect(error?.fault == .proxyFailed(.refused(status: status)))
        #expect(error?.context.phase == .proxy)
        #expect(try await world.answer("https://b.test/").hasSuffix(" of 1"))
        world.transport.shutDown()
        try await world.expectSettled(lent: 0, open: 0)
    }

    @Test func `a proxy that speaks before the client is refused`() async throws {
        let world = World { peer, connect in try await peer.begin(connect, "hello") }
        guard case .proxyFailed(.violation(let section, _), _)? = await world.error("https://a.test/") else {
            Issue.record("no violation")
            return
        }
        #expect(section == "RFC 9110 §9.3.6")
        try await world.expectSettled(lent: 0, open: 1)
    }

    @Test func `a tunnel that a connection does not take any more goes to another one`() async throws {
        let world = World { peer, connect in
            guard peer.number == 1 else { return try await peer.begin(connect) }
            try await peer.send(.goAway(last: 0, 0))
        }
        #expect(try await world.answer("https://a.test/") == "stream 1 of 2")
        #expect(world.connects.all.map { $0[":authority"] } == ["a.test:443", "a.test:443"])
        world.transport.shutDown()
        try await world.expectSettled(lent: 0, open: 0)
    }

    @Test func `a refused stream is opened once more`() async throws {
        let refused = Observed(false)
        let world = World { peer, connect in
            let isFirst = refused.update { state in
                defer { state = true }
                return !state
            }
            if isFirst { try await peer.send(.reset(connect.stream, 7)) } else { try await peer.begin(connect) }
        }
        #expect(try await world.answer("https://a.test/") == "stream 3 of 1")
        world.transport.shutDown()
        try await world.expectSettled(lent: 0, open: 0)
    }

    @Test func `a proxy that refuses every stream is given up`() async throws {
        let world = World { peer, connect in try await peer.send(.reset(connect.stream, 7)) }
        #expect(await world.error("https://a.test/")?.fault == .connectionLost(.streamReset(code: 7)))
        #expect(world.connects.all.count == 4)
        try await world.expectSettled(lent: 0, open: 1)
    }

    @Test func `the end of one tunnel does not concern the others`() async throws {
        let world = World { peer, connect in
            try await peer.begin(connect)
            if connect[":authority"] == "a.test:443" { try await peer.send(.reset(connect.stream, 8)) }
        }
        #expect(await world.error("https://a.test/") != nil)
        #expect(try await world.answer("https://b.test/").hasSuffix(" of 1"))
        world.transport.shutDown()
        try await world.expectSettled(lent: 0, open: 0)
    }

    @Test func `cancelling a call resets its CONNECT, and the connection stays`() async throws {
        let world = World { peer, connect in
            if connect[":authority"] != "silent.test:443" { try await peer.begin(connect) }
        }
        let call = Task { try await world.answer("https://silent.test/") }
        try await eventually("CONNECT is sent") { world.connects.all.count == 1 }
        call.cancel()
        await #expect(throws: ClientError.self) { try await call.value }
        try await eventually("the stream is reset") { world.resets.all == [8] }
        #expect(try await world.answer("https://a.test/") == "stream 3 of 1")
        world.transport.shutDown()
        try await world.expectSettled(lent: 0, open: 0)
    }

    @Test func `a silent proxy meets the time limit for connecting`() async throws {
        let world = World { _, _ in }
        var timeouts = Timeouts.none
        timeouts.connect = .seconds(10)
        async let error = world.error("https://a.test/", timeouts: timeouts)
        try await eventually("CONNECT is sent") { world.connects.all.count == 1 }
        try await world.clock.waitForScheduled(in: .seconds(10))
        world.clock.advance(by: .seconds(10))
        #expect(await error?.fault == .timedOut(.connect))
        try await eventually("the stream is reset") { world.resets.all == [8] }
    }

    @Test func `a client limited to HTTP/1.1 does not offer HTTP/2 to the proxy`() async throws {
        let world = World(versions: .http1)
        // The proxy chooses HTTP/2 all the same, which is an error.
        #expect(await world.error("https://a.test/")?.fault == .tlsFailed(.unsupportedProtocol("h2")))
    }

    // MARK: A proxy that could have chosen HTTP/2

    /// A proxy that chooses HTTP/1.1, and the transport that calls the servers behind it.
    private struct OldWorld {
        let clock = ManualClock()
        let connector: SteeredConnector
        let transport: HTTPTransport

        init(_ server: ScriptedServer, authorizer: ScriptedAuthorizer? = nil) {
            self.connector = SteeredConnector(
                MemoryConnector(server, clock: self.clock),
                applicationProtocol: "http/1.1"
            )
            let configuration = HTTPTransportConfiguration(
                router: Router(.proxy(HTTP2TunnelTests.proxy)),
                tunnelAuthorizer: authorizer,
                versions: .automatic
            )
            self.transport = HTTPTransport(configuration, connector: self.connector, clock: self.clock)
        }

        func answer(_ url: String) async throws -> String {
            let request = Request(.get, url)
            let call = HTTPCall(request, to: try request.destination(), timeouts: .none, clock: self.clock)
            return try await self.transport.respond(to: call).body.text()
        }
    }

    @Test func `a proxy that chooses HTTP/1.1 gives each tunnel a connection`() async throws {
        let server = ScriptedServer { request in
            request.method == .connect ? .raw(Scene.established) : .response(body: "fine")
        }
        let world = OldWorld(server)
        for (host, count) in [("a", 1), ("b", 2), ("a", 2)] {
            #expect(try await world.answer("https://\(host).test/") == "fine")
            #expect(world.connector.base.attemptCount == count)
        }
        #expect(world.connector.layers.all == [])
        #expect(server.requests.map(\.target) == ["a.test:443", "/", "b.test:443", "/", "/"])
        #expect(world.transport.connectionCounts == (2, 0, 0))
    }

    @Test func `over HTTP/1.1, a challenge is answered on the same connection`() async throws {
        let server = ScriptedServer(steps: [
            .respond(Scene.whoAsks), .respond(.raw(Scene.established)), .respond(.response(body: "fine")), .receive,
        ])
        let world = OldWorld(server, authorizer: ScriptedAuthorizer(nil, "Basic YTph"))
        #expect(try await world.answer("https://a.test/") == "fine")
        #expect(world.connector.base.attemptCount == 1)
        #expect(world.transport.connectionCounts == (1, 0, 0))
    }

    @Test func `over HTTP/1.1, a connection that opened no tunnel stays for others`() async throws {
        let server = ScriptedServer(steps: [.respond(Scene.whoAsks), .respond(.response(body: "forwarded")), .receive])
        let world = OldWorld(server)
        await #expect(throws: ClientError.self) { try await world.answer("https://a.test/") }
        #expect(try await world.answer("http://b.test/") == "forwarded")
        #expect(server.requests.map(\.target) == ["a.test:443", "http://b.test/"])
        #expect(world.connector.base.attemptCount == 1)
    }

    @Test func `over HTTP/1.1, a reused connection that was lost is replaced once, by a new one`() async throws {
        let forwarded = ScriptedServer.Step.respond(.response(body: "forwarded"))
        let lost: [ScriptedServer.Step] = [forwarded, .receive, .send(.close)]
        let opens: [ScriptedServer.Step] = [
            .respond(.raw(Scene.established)), .respond(.response(body: "fine")), .receive,
        ]
        let world = OldWorld(ScriptedServer(steps: lost, opens))
        #expect(try await world.answer("http://b.test/") == "forwarded")
        #expect(try await world.answer("https://a.test/") == "fine")
        #expect(world.connector.base.attemptCount == 2)

        let deaf = OldWorld(ScriptedServer(steps: lost, [.receive, .send(.close)]))
        #expect(try await deaf.answer("http://b.test/") == "forwarded")
        await #expect(throws: ClientError.self) { try await deaf.answer("https://a.test/") }
        #expect(deaf.connector.base.attemptCount == 2)
    }
}
