// SPDX-License-Identifier: Apache-2.0
import ClientTestSupport
import HTTPTypes
import Synchronization
import Tern
import TernErrors
import TernFoundation
import TernTesting
import TestSupport
import Testing

@Suite("A durable download and the other parts of the client", .hangLimit)
struct TransferStagesTests {
    // MARK: The cache

    @Test func `the client's cache is neither read nor written`() async throws {
        let store = MemoryCacheStore()
        var configuration = Client.Configuration()
        configuration.cache = store
        let url = try #require(URL(string: TransferScene.url))
        let resource = RangeServer([.eTag: "\"v1\"", .cacheControl: "max-age=3600"])
        let scene = try TransferScene(
            .honest,
            .cut(afterBodyByteCount: 40),
            resource: resource,
            configuration: configuration
        )
        _ = try await scene.client.data(from: url)
        scene.change { $0.content = RangeServer.content(100, version: 2) }
        let before = try await store.entries(for: CacheKey(url))
        #expect(before.count == 1)
        _ = try await scene.download()
        scene.expectComplete()
        #expect(scene.ranges == [nil, nil, "bytes=40-"])
        let (data, response) = try await scene.client.data(from: url)
        expectEqual([UInt8](data), RangeServer.content(100, version: 1))
        #expect(response.cacheStatus == .cached(age: .zero))
    }

    @Test func `nothing is stored in an empty cache`() async throws {
        let store = MemoryCacheStore()
        var configuration = Client.Configuration()
        configuration.cache = store
        let resource = RangeServer([.eTag: "\"v1\"", .cacheControl: "max-age=3600"])
        let scene = try TransferScene(resource: resource, configuration: configuration)
        _ = try await scene.download()
        let url = try #require(URL(string: TransferScene.url))
        #expect(try await store.entries(for: CacheKey(url)).isEmpty)
    }

    // MARK: Redirects

    @Test func `a redirect to another host gets the range, too`() async throws {
        let moved = Conduct.status(.found, [.location: "http://mirror/file?sig=1"])
        let scene = try TransferScene(moved, .cut(afterBodyByteCount: 40), moved)
        let result = try await scene.download()
        scene.expectComplete()
        #expect(scene.requests.map { $0.hosts.first } == ["test", "mirror", "test", "mirror"])
        #expect(scene.ranges == [nil, nil, "bytes=40-", "bytes=40-"])
        #expect(scene.conditions == [nil, nil, "\"v1\"", "\"v1\""])
        #expect(result.response?.url.host == "mirror")
    }

    @Test func `a date of the first URL's resource is compared after a redirect`() async throws {
        let fields: HTTPFields = [
            .lastModified: "Wed, 01 Jan 2025 00:00:00 GMT", .date: "Thu, 01 Jan 2026 00:00:00 GMT",
        ]
        let moved = Conduct.status(.found, [.location: "http://mirror/file"])
        let scene = try TransferScene(moved, .cut(afterBodyByteCount: 40), moved, resource: RangeServer(fields))
        #expect(await scene.failure() != nil)
        #expect(try await scene.download().resumedByteCount == 40)
        scene.expectComplete()
    }

    // MARK: Challenges

    private static let challenges = [
        "Basic realm=x", "Digest realm=\"x\", nonce=\"n\", qop=\"auth\", algorithm=SHA-256",
    ]

    @Test(arguments: challenges)
    func `a challenge between two requests is answered`(challenge: String) async throws {
        let guarded = Conduct { server, request in
            request.fields[.authorization] == nil
                ? .response(.unauthorized, fields: [.wwwAuthenticate: challenge], body: "who are you?")
                : server.answer(request)
        }
        let scene = try TransferScene(.cut(afterBodyByteCount: 40), later: guarded)
        let delegate = RecordingDelegate { _ in .useCredential(Credential(user: "albert", password: "einstein")) }
        _ = try await scene.download(delegate: delegate)
        scene.expectComplete()
        #expect(scene.ranges == [nil, "bytes=40-", "bytes=40-"])
        #expect(delegate.events.contains { if case .challenged = $0 { true } else { false } })
        let scheme = challenge.split(separator: " ")[0]
        #expect(scene.requests.last?.fields[.authorization]?.hasPrefix("\(scheme) ") == true)
    }

    @Test func `a challenge without an answer ends the call, and the bytes stay`() async throws {
        let challenge = Conduct.status(.unauthorized, [.wwwAuthenticate: "Basic realm=x"])
        let scene = try TransferScene(.cut(afterBodyByteCount: 40), challenge)
        #expect(await scene.fault(TransferScene.url, .immediate) == .validationFailed(.status(401)))
        try scene.expectUnfinished(40)
    }

    // MARK: Policies, codings and digests

    @Test func `the client's policy for retries does not apply`() async throws {
        var configuration = Client.Configuration()
        configuration.retry = RetryPolicy(maximumAttemptCount: 9, backoff: Backoff(initialDelay: .zero))
        let scene = try TransferScene(later: .status(.serviceUnavailable), configuration: configuration)
        #expect(await scene.fault(TransferScene.url, .manual) == .validationFailed(.status(503)))
        #expect(scene.requests.count == 1)
    }

    @Test func `a content coding that the request did not accept stays as it is`() async throws {
        let coded = RangeServer([.eTag: "\"v1\"", .contentEncoding: "gzip"])
        let scene = try TransferScene(.cut(afterBodyByteCount: 40), resource: coded)
        let result = try await scene.download()
        scene.expectComplete()
        #expect(result.restart == .noValidator)
    }

    @Test func `the client's own check of digests sees each response`() async throws {
        var configuration = Client.Configuration()
        configuration.digestChecking = .required
        let scene = try TransferScene(configuration: configuration)
        #expect(await scene.fault(TransferScene.url, .immediate) == .digestFailed(.missing))
        #expect(try scene.folder.names == [])
    }

    @Test func `interceptors of a call see each request`() async throws {
        /// Counts the requests.
        final class Counter: Interceptor {
            let ranges = Mutex<[String?]>([])

            func respond(to call: HTTPCall, next: NextStages) async throws(ClientError) -> HTTPReply {
                self.ranges.withLock { $0.append(call.request.fields[.range]) }
                return try await next.respond(to: call)
            }
        }
        let counter = Counter()
        var configuration = Client.Configuration()
        configuration.callInterceptors = [counter]
        let scene = try TransferScene(.cut(afterBodyByteCount: 40), configuration: configuration)
        _ = try await scene.download()
        #expect(counter.ranges.withLock { $0 } == [nil, "bytes=40-"])
    }
}
