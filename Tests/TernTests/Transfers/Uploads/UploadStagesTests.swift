// SPDX-License-Identifier: Apache-2.0
import ClientTestSupport
import HTTPTypes
import Synchronization
import Tern
import TernErrors
import TernFoundation
import TernRequests
import TernTesting
import TernTransfers
import TestSupport
import Testing

@Suite("A resumable upload and the other parts of the client", .hangLimit)
struct UploadStagesTests {
    @Test(arguments: UploadScene.protocols)
    func `interceptors of a call see each request`(uploadProtocol: UploadProtocol) async throws {
        /// Records the methods of the requests.
        final class Recorder: Interceptor {
            let methods = Mutex<[HTTPRequest.Method]>([])

            func respond(to call: HTTPCall, next: NextStages) async throws(ClientError) -> HTTPReply {
                self.methods.withLock { $0.append(call.request.method) }
                return try await next.respond(to: call)
            }
        }
        let recorder = Recorder()
        var configuration = Client.Configuration()
        configuration.callInterceptors = [recorder]
        let scene = try UploadScene(
            firstContent: .cut(afterByteCount: 40),
            by: uploadProtocol,
            configuration: configuration
        )
        try await scene.upload()
        scene.expectComplete()
        #expect(recorder.methods.withLock { $0 } == scene.methods)
    }

    @Test func `an interceptor that throws may have sent the request`() async throws {
        struct Failing: Interceptor {
            func respond(to call: HTTPCall, next: NextStages) async throws(ClientError) -> HTTPReply {
                throw .interceptorFailed(CancellationError(), call.context(.send))
            }
        }
        var configuration = Client.Configuration()
        configuration.callInterceptors = [Failing()]
        let scene = try UploadScene(configuration: configuration)
        let error = await scene.failure(Request(.post, UploadScene.url), scene.rules(.manual))
        #expect(error?.context.delivery == .unknown)
        #expect(scene.requests.isEmpty)
    }

    @Test(arguments: UploadScene.protocols)
    func `the client's policy for retries does not apply`(uploadProtocol: UploadProtocol) async throws {
        var configuration = Client.Configuration()
        configuration.retry = RetryPolicy(maximumAttemptCount: 9, backoff: Backoff(initialDelay: .zero))
        let interrupted = try await UploadScene.interrupted(after: 40, by: uploadProtocol)
        let scene = interrupted.later(configuration: configuration)
        let count = scene.requests.count
        scene.server.plan(.respond(.response(.serviceUnavailable)))
        let rules = scene.rules(.manual)
        #expect(await scene.fault(Request(.post, UploadScene.url), rules) == .validationFailed(.status(503)))
        #expect(scene.requests.count == count + 1)
        scene.expectUnfinished()
    }

    @Test(arguments: UploadScene.protocols)
    func `the body is never compressed`(uploadProtocol: UploadProtocol) async throws {
        let scene = try UploadScene(firstContent: .cut(afterByteCount: 40), by: uploadProtocol)
        try await scene.upload(Request(.post, UploadScene.url).compressed(minimumByteCount: 0))
        scene.expectComplete()
        #expect(scene.requests.allSatisfy { $0.fields[.contentEncoding] == nil })
    }

    @Test func `the cache is neither asked for the offset nor filled`() async throws {
        let store = MemoryCacheStore()
        var configuration = Client.Configuration()
        configuration.cache = store
        let scene = try UploadScene(
            .cut(afterByteCount: 40),
            .respond(
                .response(.noContent, fields: [.uploadOffset: "40", .cacheControl: "max-age=3600"])
            ),
            .cut(afterByteCount: 10),
            configuration: configuration
        )
        try await scene.upload()
        scene.expectComplete()
        #expect(scene.methods == [.post, .head, .patch, .head, .patch])
    }

    /// Stores a response of the resource in the cache of a scene.
    private func fill(_ store: MemoryCacheStore, of scene: UploadScene) async throws {
        scene.server.plan(.respond(.response(fields: [.cacheControl: "max-age=3600"], body: "old")))
        _ = try await scene.client.data(for: Request(.get, UploadScene.url))
        #expect(try await store.entries(for: CacheKey(URL.test("test", "files"))).count == 1)
    }

    @Test(arguments: UploadScene.protocols, [UploadFault.none, .loseAnswer])
    func `an upload that continues removes what the cache has of the resource`(
        uploadProtocol: UploadProtocol,
        answer: UploadFault
    ) async throws {
        let store = MemoryCacheStore()
        var configuration = Client.Configuration()
        configuration.cache = store
        let interrupted = try await UploadScene.interrupted(after: 40, by: uploadProtocol)
        let scene = interrupted.later(configuration: configuration)
        try await self.fill(store, of: scene)
        scene.server.plan(.none, answer)
        try await scene.upload()
        scene.expectComplete()
        #expect(try await store.entries(for: CacheKey(URL.test("test", "files"))).isEmpty)
    }

    @Test(arguments: [HTTPRequest.Method.post, .put])
    func `an upload that is accepted at once removes it, too, but not one that is refused`(
        method: HTTPRequest.Method
    ) async throws {
        let store = MemoryCacheStore()
        var configuration = Client.Configuration()
        configuration.cache = store
        let scene = try UploadScene(configuration: configuration)
        try await self.fill(store, of: scene)
        scene.server.plan(.respond(.response(.forbidden)), .plain)
        try await scene.upload(Request(method, UploadScene.url))
        #expect(try await store.entries(for: CacheKey(URL.test("test", "files"))).count == 1)
        try await scene.upload(Request(method, UploadScene.url))
        #expect(try await store.entries(for: CacheKey(URL.test("test", "files"))).isEmpty)
        scene.expectComplete()
    }

    @Test func `many uploads at the same time do not disturb each other`() async throws {
        let folder = try TemporaryFolder()
        // The server cuts nothing before all uploads have begun: over HTTP/2, the end of a connection can be the end of
        // a request that no handler has seen.
        let meeting = Meeting(of: 8)
        let cut = UploadFault.cut(afterByteCount: 40).with(\.before) { await meeting.arrive() }
        let server = UploadServer(Array(repeating: cut, count: 8))
        let scene = UploadScene(server, in: folder)
        // Over HTTP/2, the uploads share connections, so that each cut may cost each of them an attempt.
        var policy = ResumptionPolicy.immediate
        policy.maximumAttemptCount = 20
        let rules = scene.rules(policy)
        for index in 0..<8 {
            try scene.overwrite("file-\(index)", RangeServer.content(100 + index, version: index))
        }
        try await withThrowingTaskGroup(of: ResumedUpload.self) { group in
            for index in 0..<8 {
                group.addTask {
                    try await scene.client.upload(
                        for: Request(.post, UploadScene.url),
                        fromFile: folder.file("file-\(index)"),
                        resuming: rules
                    )
                }
            }
            for try await result in group { #expect(result.response?.statusCode == 201) }
        }
        let files = server.files.sorted { $0.count < $1.count }
        #expect(files.count == 8)
        for (index, file) in files.enumerated() {
            expectEqual(file, RangeServer.content(100 + index, version: index))
        }
        #expect(try folder.names == (0..<8).map { "file-\($0)" })
    }
}
