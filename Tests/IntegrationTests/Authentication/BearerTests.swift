// SPDX-License-Identifier: Apache-2.0
import ClientTestSupport
import Foundation
import Synchronization
import Tern
import TernRequests
import TestSupport
import Testing

/// Tests tokens that a server no longer accepts, and the single refresh for all requests that need a new token.
@Suite("Authentication, Bearer", .hangLimit)
struct BearerTests {
    struct NoToken: Error {}

    /// Provides tokens, and counts the refreshes.
    final class Source: Sendable {
        let refused = Mutex<[String?]>([])
        let isCancelled = Signal()
        let isAsked = Signal()
        let gate = Gate()

        func next(_ token: String, after refused: String?) async throws -> String {
            self.refused.withLock { $0.append(refused) }
            self.isAsked.report()
            await self.gate.wait()
            if Task.isCancelled {
                self.isCancelled.report()
                throw CancellationError()
            }
            return token
        }
    }

    private let place: Recorder
    private let source = Source()

    init() async throws { self.place = try await Recorder() }

    private func client(
        _ token: String? = "old",
        refresh: @escaping @Sendable (_ old: String?) async throws -> String
    ) throws -> Client {
        let origin = try Destination(self.place.get("/").url).origin
        let bearer = BearerAuthentication(for: [origin], token: token.map { .init($0) }) {
            .init(try await refresh($0))
        }
        return Client {
            $0.bearer = [bearer]
            $0.pool.maximumConnectionsPerHost = 100
        }
    }

    private var request: Request { self.place.get("/bearer", ["token": "new"]) }

    /// The same request as `request`, but the server refuses it only after ``refuse(_:)``.
    private var waiting: Request { self.request.query("gate", self.place.id) }

    /// Waits until the server has received a number of requests, and then lets it refuse them.
    private func refuse(_ count: Int) async throws {
        try await eventually("the server has \(count) requests") {
            try await self.place.seen().count >= count
        }
        try await self.place.open()
    }

    @Test func `a hundred requests that are refused share one new token`() async throws {
        let client = try self.client { [source] in try await source.next("new", after: $0) }
        try await withThrowingTaskGroup(of: Int.self) { group in
            for _ in 0..<100 { group.addTask { try await client.status(self.waiting) } }
            try await self.refuse(100)
            await self.source.gate.open()
            for try await status in group { #expect(status == 200) }
        }
        #expect(self.source.refused.withLock { $0 } == ["old"])
        let seen = try await self.place.seen()
        #expect(seen.count == 200)
        #expect(seen.count { $0.authorization == "Bearer new" } == 100)
    }

    // Tests in memory show that waiting requests share one failure, because there a test can see which requests wait.
    @Test func `requests that are refused fail with the refresh, and the next request tries again`() async throws {
        let failsNoMore = Flag()
        let client = try self.client { [source] refused in
            _ = try await source.next("", after: refused)
            guard failsNoMore.isRaised else { throw NoToken() }
            return "new"
        }
        await withTaskGroup(of: Fault?.self) { group in
            for _ in 0..<100 {
                group.addTask {
                    await fault { () async throws(ClientError) in try await client.data(for: self.waiting) }
                }
            }
            await #expect(throws: Never.self) { try await self.refuse(100) }
            await self.source.gate.open()
            for await fault in group { #expect(fault == .interceptorFailed) }
        }
        failsNoMore.raise()
        #expect(try await client.status(self.request) == 200)
        #expect(self.source.refused.withLock { $0.first } == "old")
    }

    @Test func `the first token is got before anything is sent`() async throws {
        await self.source.gate.open()
        let client = try self.client(nil) { [source] in try await source.next("new", after: $0) }
        #expect(try await client.status(self.request) == 200)
        #expect(self.source.refused.withLock { $0 } == [nil])
        #expect(try await self.place.seen().count == 1)
    }

    @Test func `a request that is refused twice gives the 401`() async throws {
        await self.source.gate.open()
        let client = try self.client { [source] in try await source.next("other", after: $0) }
        #expect(try await client.status(self.request) == 401)
        #expect(try await self.place.seen().map(\.authorization) == ["Bearer old", "Bearer other"])
    }

    @Test func `the refresh may use the same client, and goes without a token`() async throws {
        let (request, itself) = (self.place.get("/tell"), ClientBox())
        let client = try self.client { _ in
            let client = try #require(itself.client)
            let data = try await client.data(for: request).0
            #expect(try JSONDecoder().decode(Recorder.Seen.self, from: data).authorization == nil)
            return "new"
        }
        itself.set(client)
        defer { itself.set(nil) }
        #expect(try await client.status(self.request) == 200)
    }

    @Test func `the refresh may use the same client, and be refused`() async throws {
        let (request, itself) = (self.request, ClientBox())
        let client = try self.client { _ in
            let client = try #require(itself.client)
            #expect(try await client.status(request) == 401)
            throw NoToken()
        }
        itself.set(client)
        defer { itself.set(nil) }
        let fault = await fault { () async throws(ClientError) in try await client.data(for: self.request) }
        #expect(fault == .interceptorFailed)
    }

    /// No call reads the refused responses, so they occupy the only allowed connection.
    @Test func `the refresh finds a connection`() async throws {
        let origin = try Destination(self.place.get("/").url).origin
        let (request, itself) = (self.place.get("/tell"), ClientBox())
        let bearer = BearerAuthentication(for: [origin], token: .init("old")) { _ in
            _ = try await #require(itself.client).data(for: request)
            return .init("new")
        }
        let client = Client {
            $0.pool.maximumConnectionsPerHost = 1
            $0.bearer = [bearer]
        }
        itself.set(client)
        defer { itself.set(nil) }
        let long = self.place.get("/bearer", ["token": "new", "bytes": "3000000"])
        #expect(try await client.status(long) == 200)
    }

    @Test func `who is cancelled does not disturb the others`() async throws {
        let client = try self.client { [source] in try await source.next("new", after: $0) }
        let (first, second) = (
            Task { try await client.status(self.waiting) }, Task { try await client.status(self.waiting) }
        )
        try await self.refuse(2)
        await self.source.isAsked.wait()
        first.cancel()
        await #expect(throws: ClientError.self) { try await first.value }
        await self.source.gate.open()
        #expect(try await second.value == 200)
    }

    @Test func `when all are cancelled the refresh is, too`() async throws {
        let client = try self.client { [source] in try await source.next("new", after: $0) }
        let tasks = (0..<3).map { _ in Task { try await client.status(self.waiting) } }
        try await self.refuse(3)
        await self.source.isAsked.wait()
        for task in tasks { task.cancel() }
        for task in tasks { await #expect(throws: ClientError.self) { try await task.value } }
        await self.source.isCancelled.wait()
        await self.source.gate.open()
        #expect(try await client.status(self.request) == 200)
    }

    @Test func `a token is for its origin alone`() async throws {
        let other = try await Recorder(isOther: true)
        let client = try self.client("secret-token") { _ in throw NoToken() }
        #expect(try await client.status(other.get("/tell")) == 200)
        #expect(try await client.status(Request(.get, self.place.redirect(to: other.url("/tell")))) == 200)
        #expect(try await client.status(Request(.get, other.redirect(to: self.place.url("/tell")))) == 200)
        #expect(try await other.seen().allSatisfy { $0.authorization == nil })
        #expect(try await self.place.seen().map(\.authorization) == ["Bearer secret-token", "Bearer secret-token"])
    }

    @Test func `a body is sent again with the new token`() async throws {
        await self.source.gate.open()
        let client = try self.client { [source] in try await source.next("new", after: $0) }
        var request = self.request.body(data: Data("content".utf8))
        request.method = .post
        #expect(try await client.status(request) == 200)
        #expect(try await self.place.seen().map(\.body) == ["content", "content"])
    }
}

/// Holds a client, so that the client's own configuration can refer to it.
private final class ClientBox: Sendable {
    private let content = Mutex<Client?>(nil)

    var client: Client? { self.content.withLock { $0 } }

    func set(_ client: Client?) { self.content.withLock { $0 = client } }
}

/// Suspends tasks until a test opens it, or until a task is cancelled.
actor Gate {
    private var isOpen = false
    private var waiting: [AsyncStream<Void>.Continuation] = []

    func open() {
        self.isOpen = true
        for each in self.waiting { each.finish() }
    }

    func wait() async {
        guard !self.isOpen else { return }
        let (stream, continuation) = AsyncStream<Void>.makeStream()
        self.waiting.append(continuation)
        for await _ in stream {}
    }
}
