// SPDX-License-Identifier: Apache-2.0
import ClientTestSupport
import HTTPTypes
import Tern
import TernFoundation
import TernTesting
import TestSupport
import Testing

/// Tests requests without a key that a client repeats after a 429 or 503 with `Retry-After`.
@Suite("Retry: trusted Retry-After", .hangLimit)
struct TrustedRetryAfterTests {
    /// Methods that are not idempotent (RFC 9110 §9.2.2), one of them unknown to the client.
    private static let others: [HTTPRequest.Method] =
        [.post, .patch] + [HTTPRequest.Method("LOCK")].compactMap(\.self)

    private static func scene(
        _ statuses: [HTTPResponse.Status],
        fields: HTTPFields = [.retryAfter: "7"],
        trustsRetryAfter: Bool = true,
        delegate: (any TaskDelegate)? = nil
    ) -> ClientScene {
        var configuration = Client.Configuration()
        let backoff = Backoff(initialDelay: .zero)
        configuration.retry = RetryPolicy(backoff: backoff, trustsRetryAfter: trustsRetryAfter)
        return ClientScene(configuration, delegate: delegate) { request in
            let status = statuses[min(request.number ?? 1, statuses.count) - 1]
            return .response(status, fields: status == .ok ? [:] : fields)
        }
    }

    private static func request(_ method: HTTPRequest.Method) -> Request {
        Request(method, "http://test/").body(data: Data("order".utf8))
    }

    private static func stream() -> AsyncStream<[UInt8]> {
        AsyncStream { continuation in
            continuation.yield(Array("order".utf8))
            continuation.finish()
        }
    }

    @Test(arguments: [HTTPResponse.Status.tooManyRequests, .serviceUnavailable], others)
    func `a request is sent again after the time that the server asks for`(
        _ status: HTTPResponse.Status,
        _ method: HTTPRequest.Method
    ) async throws {
        let scene = Self.scene([status, status, .ok])
        async let result = scene.client.data(for: Self.request(method)).1.statusCode
        for _ in 0..<2 {
            try await scene.clock.waitForScheduled(in: .seconds(7))
            scene.clock.advance(by: .seconds(7))
        }
        #expect(try await result == 200)
        #expect(scene.server.requests.map(\.text) == ["order", "order", "order"])
        #expect(scene.server.requests.allSatisfy { $0.method == method })
    }

    @Test(arguments: [HTTPResponse.Status.tooManyRequests, .serviceUnavailable], others)
    func `a request is sent once by default, and without a usable Retry-After`(
        _ status: HTTPResponse.Status,
        _ method: HTTPRequest.Method
    ) async throws {
        let scenes = [
            Self.scene([status, .ok], trustsRetryAfter: false), Self.scene([status, .ok], fields: [:]),
            Self.scene([status, .ok], fields: [.retryAfter: "soon"]),
            Self.scene([status, .ok], fields: [.retryAfter: "61"]),
        ]
        for (index, scene) in scenes.enumerated() {
            let received = try await scene.client.data(for: Self.request(method)).1.status
            #expect(received == status && scene.server.requests.count == 1, "scene \(index)")
        }
    }

    @Test func `another failing status, and the end of the tries, are the result`() async throws {
        let broken = Self.scene([.badGateway, .ok])
        #expect(try await broken.client.data(for: Self.request(.post)).1.status == .badGateway)
        #expect(broken.server.requests.count == 1)
        let scene = Self.scene([.tooManyRequests], fields: [.retryAfter: "0"])
        #expect(try await scene.client.data(for: Self.request(.post)).1.status == .tooManyRequests)
        #expect(scene.server.requests.count == 3)
    }

    @Test(arguments: [HTTPResponse.Status.tooManyRequests, .serviceUnavailable], others)
    func `a body that is gone is not sent again: the first answer is the result`(
        _ status: HTTPResponse.Status,
        _ method: HTTPRequest.Method
    ) async throws {
        let scene = Self.scene([status, .ok], fields: [.retryAfter: "0"])
        let request = Request(method, "http://test/").body(stream: Self.stream(), length: 5)
        #expect(try await scene.client.data(for: request).1.status == status)
        #expect(scene.server.requests.count == 1)
    }

    @Test func `a delegate may give the body again`() async throws {
        final class Giver: TaskDelegate {
            func task(_ task: TaskInfo, needsNewBodyFor request: Request) -> RequestBody? {
                .data(Data("order again".utf8))
            }
        }
        let scene = Self.scene([.tooManyRequests, .ok], fields: [.retryAfter: "0"], delegate: Giver())
        let request = Request(.post, "http://test/").body(stream: Self.stream(), length: 5)
        #expect(try await scene.client.data(for: request).1.isSuccess)
        #expect(scene.server.requests.map(\.text) == ["order", "order again"])
    }

    @Test func `a stream that can be made again is sent again`() async throws {
        let scene = Self.scene([.serviceUnavailable, .ok], fields: [.retryAfter: "0"])
        let body = RequestBody.replayableStream(length: 5) { Self.stream() }
        #expect(try await scene.client.data(for: Request(.post, "http://test/").body(body)).1.isSuccess)
        #expect(scene.server.requests.map(\.text) == ["order", "order"])
    }

    /// The server that redirects has acted on the order, so that only the page with the result is refused.
    @Test(arguments: [HTTPResponse.Status.seeOther, .temporaryRedirect])
    func `a request that was redirected is not sent again`(_ redirect: HTTPResponse.Status) async throws {
        var configuration = Client.Configuration()
        configuration.retry = RetryPolicy(backoff: Backoff(initialDelay: .zero), trustsRetryAfter: true)
        let scene = ClientScene(configuration) { request in
            guard request.target != "/" else { return .response(redirect, fields: [.location: "/result"]) }
            return .response(.serviceUnavailable, fields: [.retryAfter: "0"])
        }
        #expect(try await scene.client.data(for: Self.request(.post)).1.status == .serviceUnavailable)
        #expect(scene.server.requests.map(\.target) == ["/", "/result"])
    }

    @Test func `a challenge before does not prevent it, because it refuses the request, too`() async throws {
        var configuration = Client.Configuration()
        configuration.retry = RetryPolicy(backoff: Backoff(initialDelay: .zero), trustsRetryAfter: true)
        let origin = Origin(scheme: .http, host: "test")
        configuration.bearer = [BearerAuthentication(for: [origin], token: .init("old")) { _ in .init("new") }]
        let scene = ClientScene(configuration) { request in
            if request.fields[.authorization] == "Bearer old" { return .response(.unauthorized) }
            return request.number == 2
                ? .response(.tooManyRequests, fields: [.retryAfter: "0"]) : .response(body: request.text)
        }
        #expect(try await scene.client.data(for: Self.request(.post)).0 == Data("order".utf8))
        #expect(scene.server.requests.count == 3)
    }

    @Test func `the budget counts these retries, too`() async throws {
        var policy = RetryPolicy(backoff: Backoff(initialDelay: .zero), trustsRetryAfter: true)
        policy.budget = RetryBudget(maximumTokenCount: 1, tokensPerCall: 0, tokensPerSecond: 0)
        let scene = ClientScene { _ in .response(.tooManyRequests, fields: [.retryAfter: "0"]) }
        let request = Self.request(.post).retry(policy)
        for _ in 0..<3 { _ = try await scene.client.data(for: request) }
        #expect(scene.server.requests.count == 3 + 1)
    }
}
