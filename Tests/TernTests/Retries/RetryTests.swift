// SPDX-License-Identifier: Apache-2.0
import ClientTestSupport
import HTTPTypes
import Tern
import TernFoundation
import TernTesting
import TestSupport
import Testing

@Suite("Retry", .hangLimit)
struct RetryTests {
    private static let steady = Backoff(initialDelay: .seconds(1), jitter: .none)

    private static func configuration(
        _ policy: RetryPolicy = RetryPolicy(backoff: Self.steady)
    ) -> Client.Configuration {
        var configuration = Client.Configuration()
        configuration.retry = policy
        return configuration
    }

    /// Returns a server that answers with each status in turn, and then always with the last one.
    private static func answers(_ statuses: Int..., fields: HTTPFields = [:]) -> ScriptedServer.Answer {
        { request in
            let number = request.number ?? 1
            let status = HTTPResponse.Status(code: statuses[min(number, statuses.count) - 1])
            return .response(status, fields: fields, body: "\(number)")
        }
    }

    @Test func `a call is tried again after the backoff, on the same connection, until it succeeds`() async throws {
        let scene = ClientScene(Self.configuration(), answer: Self.answers(503, 502, 200))
        async let result = scene.client.data(from: testURL)
        try await scene.clock.waitForScheduled(in: .seconds(1))
        scene.clock.advance(by: .seconds(1))
        try await scene.clock.waitForScheduled(in: .seconds(2))
        scene.clock.advance(by: .seconds(2))
        let (data, response) = try await result
        #expect(response.statusCode == 200)
        #expect(String(decoding: data, as: UTF8.self) == "3")
        #expect(scene.connector.attemptCount == 1)
    }

    @Test func `the last response is the result when the tries are used up`() async throws {
        let policy = RetryPolicy(backoff: Backoff(initialDelay: .zero))
        let scene = ClientScene(Self.configuration(policy), answer: Self.answers(503))
        let (data, response) = try await scene.client.data(from: testURL)
        #expect(response.statusCode == 503)
        #expect(String(decoding: data, as: UTF8.self) == "3")
        #expect(scene.server.requests.count == 3)
    }

    @Test func `nothing is tried again unless it is asked for; a request may ask, or forbid it`() async throws {
        let plain = ClientScene(answer: Self.answers(503))
        #expect(try await plain.client.data(from: testURL).1.statusCode == 503)
        #expect(plain.server.requests.count == 1)
        let policy = RetryPolicy(maximumAttemptCount: 2, backoff: Backoff(initialDelay: .zero))
        _ = try await plain.client.data(for: Request(url: testURL).retry(policy))
        #expect(plain.server.requests.count == 3)
        let eager = ClientScene(Self.configuration(), answer: Self.answers(503))
        _ = try await eager.client.data(for: Request(url: testURL).retry(.never))
        #expect(eager.server.requests.count == 1)
    }

    @Test func `a connection that is refused or reset before the head is tried again`() async throws {
        let policy = RetryPolicy(backoff: Backoff(initialDelay: .zero))
        let scene = ClientScene(Self.configuration(policy)) { request in
            request.number == 3 ? .response(body: "done") : .raw("HTTP/1.1 2", ending: .reset)
        }
        #expect(try await scene.client.data(from: testURL).0 == Data("done".utf8))
        #expect(scene.connector.attemptCount == 3)
        let refusing = ClientScene(plan: .refuse(.notConnected(.refused)), Self.configuration(policy)) { _ in
            .response()
        }
        let error = await failure { () async throws(ClientError) in
            try await refusing.client.data(for: Request(.post, "http://test/").body(data: Data("x".utf8)))
        }
        guard case .connectionFailed(.refused, let context)? = error else {
            Issue.record("\(String(describing: error))")
            return
        }
        #expect(context.attempt == 3)
        #expect(refusing.connector.attemptCount == 3)
    }

    @Test func `a POST that may have arrived is not sent twice, unless it has a key`() async throws {
        let policy = RetryPolicy(backoff: Backoff(initialDelay: .zero))
        let scene = ClientScene(Self.configuration(policy), answer: Self.answers(503))
        let post = Request(.post, "http://test/").body(data: Data("x".utf8))
        _ = try await scene.client.data(for: post)
        #expect(scene.server.requests.count == 1)
        _ = try await scene.client.data(for: post.idempotent(key: "7"))
        #expect(scene.server.requests.count == 4)
        #expect(scene.server.requests.last?.body == Array("x".utf8))
    }

    @Test func `a PUT is not sent twice if the policy does not count it as idempotent, not by the transport either`()
        async throws
    {
        var policy = RetryPolicy(backoff: Backoff(initialDelay: .zero))
        policy.idempotentMethods.remove(.put)
        let scene = ClientScene(Self.configuration(policy)) { request in
            request.number == 2 ? .close : .response()
        }
        _ = try await scene.client.data(from: testURL)  // leaves an idle connection
        let error = await failure { () async throws(ClientError) in
            try await scene.client.data(for: Request(.put, "http://test/"))
        }
        guard case .connectionLost? = error else {
            Issue.record("\(String(describing: error))")
            return
        }
        #expect(scene.server.requests.count == 2)
    }

    @Test func `a body that is gone cannot be sent again: the first answer is the result`() async throws {
        let policy = RetryPolicy(backoff: Backoff(initialDelay: .zero))
        let scene = ClientScene(Self.configuration(policy), answer: Self.answers(503))
        let stream = AsyncStream { continuation in
            continuation.yield(Array("once".utf8))
            continuation.finish()
        }
        let request = Request(.put, "http://test/").body(stream: stream, length: 4)
        #expect(try await scene.client.data(for: request).1.statusCode == 503)
        #expect(scene.server.requests.count == 1)
    }

    @Test func `what is not sent again takes nothing from the budget of its host`() async throws {
        var policy = RetryPolicy(backoff: Backoff(initialDelay: .zero))
        policy.budget = RetryBudget(maximumTokenCount: 1, tokensPerCall: 0, tokensPerSecond: 0)
        let scene = ClientScene(Self.configuration(policy), answer: Self.answers(503, 503, 200))
        let stream = AsyncStream { continuation in
            continuation.yield(Array("once".utf8))
            continuation.finish()
        }
        let once = Request(.put, "http://test/").body(stream: stream, length: 4)
        #expect(try await scene.client.data(for: once).1.statusCode == 503)
        #expect(try await scene.client.data(from: testURL).1.statusCode == 200)
    }

    @Test func `delegates are told of each try`() async throws {
        let delegate = RecordingDelegate()
        let scene = ClientScene(Self.configuration(), answer: Self.answers(503, 200))
        async let result = scene.client.data(from: testURL, delegate: delegate)
        try await scene.clock.waitForScheduled(in: .seconds(1))
        scene.clock.advance(by: .seconds(1))
        _ = try await result
        #expect(delegate.events.contains(.retried(after: .seconds(1))))
        #expect(delegate.events.last == .completed(hasFailed: false))
    }

    @Test func `cancellation ends the wait at once`() async throws {
        let scene = ClientScene(Self.configuration(), answer: Self.answers(503))
        let task = Task { await failure { () async throws(ClientError) in try await scene.client.data(from: testURL) } }
        try await scene.clock.waitForScheduled(in: .seconds(1))
        task.cancel()
        guard case .cancelled(let context)? = await task.value else {
            Issue.record("not cancelled")
            return
        }
        #expect(context.phase == .retry)
        #expect(scene.clock.scheduledDelays.contains(.seconds(1)) == false)
    }

    @Test func `a call that has no time left for another try ends with what it has`() async throws {
        let scene = ClientScene(Self.configuration(), answer: Self.answers(503))
        let request = Request(url: testURL).timeout(.milliseconds(900))
        #expect(try await scene.client.data(for: request).1.statusCode == 503)
        #expect(scene.server.requests.count == 1)
    }

    @Test func `Retry-After is waited for`() async throws {
        let scene = ClientScene(Self.configuration(), answer: Self.answers(429, 200, fields: [.retryAfter: "7"]))
        async let result = scene.client.data(from: testURL)
        try await scene.clock.waitForScheduled(in: .seconds(8))
        scene.clock.advance(by: .seconds(8))
        #expect(try await result.1.statusCode == 200)
    }

    @Test func `a host that fails is not hammered: the budget ends the tries`() async throws {
        var policy = RetryPolicy(maximumAttemptCount: 10, backoff: Backoff(initialDelay: .zero))
        policy.budget = RetryBudget(maximumTokenCount: 4, tokensPerCall: 0, tokensPerSecond: 0)
        let scene = ClientScene(Self.configuration(policy), answer: Self.answers(503))
        for _ in 0..<5 { _ = try await scene.client.data(from: testURL) }
        #expect(scene.server.requests.count == 5 + 4)
    }

    @Test func `each try begins with the request as it was made, before redirects`() async throws {
        let policy = RetryPolicy(backoff: Backoff(initialDelay: .zero))
        let scene = ClientScene(Self.configuration(policy)) { request in
            if request.target == "/" { return .response(.found, fields: [.location: "/next"]) }
            return request.number == 2 ? .response(.serviceUnavailable) : .response(body: "there")
        }
        let (data, response) = try await scene.client.data(from: testURL)
        #expect(String(decoding: data, as: UTF8.self) == "there")
        #expect(response.redirects.count == 1)
        #expect(scene.server.requests.map(\.target) == ["/", "/next", "/", "/next"])
    }

    @Test func `a POST that was answered is not sent again because a later hop cannot be reached`() async {
        let policy = RetryPolicy(backoff: Backoff(initialDelay: .zero))
        let scene = ClientScene(Self.configuration(policy)) { request in
            request.target == "/" ? .response(.seeOther, fields: [.location: "http://away/"]) : .response()
        }
        scene.connector.plan(.accept(), .refuse(.notConnected(.refused)), .refuse(.notConnected(.refused)))
        let error = await failure { () async throws(ClientError) in
            try await scene.client.data(for: Request(.post, "http://test/").body(data: Data("order".utf8)))
        }
        #expect(error?.isRetryable == true)
        #expect(scene.server.requests.map(\.target) == ["/"])
    }

    /// An interceptor or a transport of the app may not know the number of the attempt, which then is 1.
    @Test(
        arguments: [
            ScriptedTransport.Step.response(.seeOther, fields: [.location: "/next"]),
            .response(.unauthorized, fields: [.wwwAuthenticate: "Basic realm=x"]),
        ]
    )
    func `a POST that was answered since the last try is not sent again because of an error without its number`(
        _ answer: ScriptedTransport.Step
    ) async {
        let unsent = ScriptedTransport.Step { _ async throws(ClientError) in
            throw .connectionFailed(.refused, ClientError.Context(phase: .connect, delivery: .notSent))
        }
        let transport = ScriptedTransport(unsent, unsent, answer, unsent, .response())
        let policy = RetryPolicy(maximumAttemptCount: 5, backoff: Backoff(initialDelay: .zero))
        let client = Client(configuration: Self.configuration(policy), transport: transport)
        let request = Request(.post, "http://test/").body(data: Data("order".utf8))
            .credential(Credential(user: "a", password: "b"))
        let error = await failure { () async throws(ClientError) in try await client.data(for: request) }
        #expect(error?.context.attempt == 4)
        #expect(transport.calls.count == 4)
    }

    @Test func `attempts are counted through redirects and tries`() async throws {
        let policy = RetryPolicy(maximumAttemptCount: 2, backoff: Backoff(initialDelay: .zero))
        let attempts = Observed([Int]())
        final class Counting: TaskDelegate {
            let attempts: Observed<[Int]>
            init(_ attempts: Observed<[Int]>) { self.attempts = attempts }
            func task(_ task: TaskInfo, willRetryAfter delay: Duration, because cause: RetryCause) {
                self.attempts.update { $0.append(task.attempt) }
            }
            func task(_ task: TaskInfo, didCompleteWith error: ClientError?) {
                self.attempts.update { $0.append(task.attempt) }
            }
        }
        let scene = ClientScene(Self.configuration(policy)) { request in
            request.target == "/" ? .response(.found, fields: [.location: "/next"]) : .response(.badGateway)
        }
        _ = try await scene.client.data(from: testURL, delegate: Counting(attempts))
        #expect(attempts.value == [2, 4])
    }

    @Test func `the only connection of a host is free while the call waits`() async throws {
        var configuration = Self.configuration()
        configuration.pool.maximumConnectionsPerHost = 1
        let scene = ClientScene(configuration) { request in
            request.target == "/" ? .response(.serviceUnavailable, body: "busy") : .response(body: "free")
        }
        let waiting = Task {
            await failure { () async throws(ClientError) in try await scene.client.data(from: testURL) }
        }
        try await scene.clock.waitForScheduled(in: .seconds(1))
        let (data, _) = try await scene.client.data(for: Request(.get, "http://test/other").retry(.never))
        #expect(String(decoding: data, as: UTF8.self) == "free")
        waiting.cancel()
        _ = await waiting.value
    }
}
