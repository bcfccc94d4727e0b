// SPDX-License-Identifier: Apache-2.0
import ClientTestSupport
import Tern
import TernTesting
import TernURLLoading
import TestSupport
import Testing

@testable import TernURLSession

@Suite("URLSession, failures and cancelled calls", .hangLimit)
struct SystemFailureTests {
    private let client = Client.overURLSession()

    // MARK: Cancelled calls

    @Test func `a call is cancelled while it awaits the head`() async throws {
        let server = try await RawServer()
        let client = self.client
        try await server.expectCancellation(when: { try await server.isReached() }) { () async throws(ClientError) in
            _ = try await client.data(for: server.get("/stall-before-head"))
        }
    }

    @Test(arguments: ["/stall-in-body", "/stall-in-chunk", "/drip-for-ever"])
    func `a call is cancelled while its body arrives`(_ path: String) async throws {
        let server = try await RawServer()
        let client = self.client
        let arrived = Flag()
        try await server.expectCancellation(when: { await arrived.wait() }) { () async throws(ClientError) in
            for try await _ in try await client.bytes(for: server.get(path)).0.chunks { arrived.raise() }
        }
    }

    @Test func `a call is cancelled while the server does not take its body`() async throws {
        let server = try await RawServer()
        let client = self.client
        let delegate = RecordingDelegate()
        let body = Data(repeating: 7, count: 30_000_000)
        let sent = { try await eventually("sent") { !delegate.sentProgress.isEmpty } }
        try await server.expectCancellation(when: sent) { () async throws(ClientError) in
            _ = try await client.upload(for: Request(.post, server.url("/never-reads")), from: body, delegate: delegate)
        }
    }

    @Test func `a call is cancelled while its stream has no bytes`() async throws {
        let server = try await RawServer()
        let client = self.client
        let asked = Flag()
        let stream = AsyncStream<Data> {
            asked.raise()
            try? await Task.sleep(for: .seconds(3600))
            return nil
        }
        try await server.expectCancellation(when: { await asked.wait() }) { () async throws(ClientError) in
            _ = try await client.upload(for: Request(.post, server.url("/upload")), from: stream)
        }
    }

    @Test func `a cancelled task sends nothing`() async throws {
        let server = try await RawServer()
        let client = self.client
        let task = Task {
            try? await Task.sleep(for: .seconds(3600))
            return await fault { () async throws(ClientError) in try await client.data(for: server.get("/fine")) }
        }
        task.cancel()
        #expect(await task.value == .cancelled)
        #expect(server.connectionCount == 0)
    }

    @Test func `calls end by themselves when their client is released`() async throws {
        let server = try await RawServer()
        func answer() async throws -> Data { try await Client.overURLSession().data(for: server.get("/fine")).0 }
        #expect(String(decoding: try await answer(), as: UTF8.self) == "fine")
        try await server.isLeft()
    }

    // MARK: Time limits

    private func outcome(_ request: Request, _ timeouts: Timeouts) async -> Fault? {
        await fault { () async throws(ClientError) in
            try await self.client.data(for: request.timeouts(timeouts))
        }
    }

    @Test func `a server that does not answer is given up`() async throws {
        let server = try await RawServer()
        let limit = Timeouts.patient(firstByte: .milliseconds(50))
        #expect(await self.outcome(server.get("/stall-before-head"), limit) == .timedOut(.firstByte))
        try await server.isLeft()
    }

    @Test(arguments: ["/stall-in-body", "/stall-in-chunk"])
    func `a server that falls silent is given up`(_ path: String) async throws {
        let server = try await RawServer()
        #expect(await self.outcome(server.get(path), .patient(idle: .milliseconds(50))) == .timedOut(.idle))
        try await server.isLeft()
    }

    @Test func `a server that takes no body is given up`() async throws {
        let server = try await RawServer()
        let request = Request(.post, server.url("/never-reads")).body(data: Data(repeating: 7, count: 30_000_000))
        #expect(await self.outcome(request, .patient(idle: .milliseconds(200))) == .timedOut(.idle))
        try await server.isLeft()
    }

    @Test(arguments: ["/stall-before-head", "/drip-for-ever"])
    func `a call that takes too long is given up`(_ path: String) async throws {
        let server = try await RawServer()
        #expect(await self.outcome(server.get(path), .patient(call: .milliseconds(200))) == .timedOut(.call))
        try await server.isLeft()
    }

    // MARK: Failures

    private func outcome(_ request: Request) async -> Fault? {
        await fault { () async throws(ClientError) in try await self.client.data(for: request) }
    }

    @Test func `a port where nobody listens refuses`() async throws {
        let port = try LoopbackPort()
        let request = Request(.post, "http://127.0.0.1:\(port.number)/").body(data: Data("hello".utf8))
        let error = await failure { () async throws(ClientError) in try await self.client.data(for: request) }
        #expect(error?.fault == .connectionFailed(.refused))
        #expect(error?.context.delivery == .notSent)
        withExtendedLifetime(port) {}
    }

    @Test func `a name without an address is reported`() async throws {
        #expect(
            await self.outcome(Request(.get, "http://nothing.invalid/"))
                == .connectionFailed(.resolution(isTemporary: false))
        )
    }

    @Test func `a connection that ends before the head is lost`() async throws {
        let server = try await RawServer.shared
        #expect(await self.outcome(server.get("/close-before-head")) == .connectionLost(.closed))
    }

    // Not "/close-in-head": a connection that closes within the head ends the process in swift-corelibs-foundation.
    @Test(arguments: ["/reset-before-head", "/reset-in-head"])
    func `a connection that breaks before the head is lost`(_ path: String) async throws {
        let server = try await RawServer.shared
        guard case .connectionLost? = await self.outcome(server.get(path)) else {
            Issue.record("\(path)")
            return
        }
    }

    @Test func `a body that ends early is truncated`() async throws {
        let server = try await RawServer.shared
        #expect(await self.outcome(server.get("/close-in-body")) == .truncated(received: 4, expected: 10))
    }

    @Test(arguments: ["/close-in-chunk", "/close-after-chunk"])
    func `chunks that end early are truncated`(_ path: String) async throws {
        let server = try await RawServer.shared
        guard case .truncated(_, nil)? = await self.outcome(server.get(path)) else {
            Issue.record("\(path)")
            return
        }
    }

    @Test(arguments: ["/banner", "/noise"])
    func `what is not HTTP breaks the rules`(_ path: String) async throws {
        let server = try await RawServer.shared
        #expect(await self.outcome(server.get(path)) == .protocolViolation("RFC 9112 §4"))
    }

    @Test func `a response that breaks a rule of validation fails the call`() async throws {
        let server = try await RawServer.shared
        let client = self.client
        let request = server.get("/scenario/missing").validate(.success)
        let error = await failure { () async throws(ClientError) in try await client.data(for: request) }
        #expect(error?.fault == .validationFailed(.status(404)))
        #expect(error?.context.response?.status == .notFound)
    }

    @Test func `a long body fails the call`() async throws {
        let server = try await RawServer.shared
        let client = Client.overURLSession { $0.maximumBodyByteCount = 1000 }
        let fault = await fault { () async throws(ClientError) in
            try await client.data(for: server.get("/scenario/megabyte"))
        }
        #expect(fault == .bodyTooLarge)
    }

    // MARK: What URLSession cannot do

    @Test func `what URLSession lacks is refused before anything is sent`() async throws {
        let server = try await RawServer()
        let post = Request(.post, server.url("/upload")).body(data: Data("hello".utf8))
        var trailing = post
        trailing.body = trailing.body?.trailers([.init("X-Sum") ?? .eTag: "1"])
        let cases: [(Request, URLSessionTransportError.Feature)] = [
            (server.get("/fine").header(.upgrade, "x"), .upgrade),
            (Request(.connect, server.url("/fine")), .upgrade),
            (trailing, .requestTrailers),
            (server.get("/fine").unixSocket(path: "/socket"), .unixSocket),
            (server.get("/fine").proxy(.direct), .requestProxy),
            (server.get("/fine").httpVersion(.http1), .httpVersion),
            (server.get("/fine").body(data: Data("hello".utf8)), .body(method: "GET")),
        ]
        for (request, feature) in cases {
            let error = await failure { () async throws(ClientError) in try await self.client.data(for: request) }
            guard case .interceptorFailed(let reason as URLSessionTransportError, let context)? = error else {
                Issue.record("\(feature): \(String(describing: error))")
                continue
            }
            #expect(reason == .unsupported(feature))
            #expect(context.delivery == .notSent)
        }
        #expect(server.connectionCount == 0)
    }

    @Test func `a WebSocket is refused`() async throws {
        let server = try await RawServer()
        let error = await failure { () async throws(ClientError) in
            try await self.client.webSocket(for: Request(.get, server.url("/ws-echo")))
        }
        guard case .interceptorFailed(let reason as URLSessionTransportError, _)? = error else {
            Issue.record("\(String(describing: error))")
            return
        }
        #expect(reason == .unsupported(.upgrade))
        #expect(server.connectionCount == 0)
    }
}
