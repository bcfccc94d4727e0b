// SPDX-License-Identifier: Apache-2.0
import ClientTestSupport
import HTTPTypes
import Tern
import TernFoundation
import TernTesting
import TestSupport
import Testing

/// Tests the interceptors and transports of the article "Answering in an interceptor".
@Suite("Answering in an interceptor", .hangLimit)
struct AnsweringTests {
    private struct Album: Codable, Equatable, Sendable { var title: String }

    private struct OfflineMode: Interceptor {
        let isOffline: @Sendable () -> Bool
        let folder: URL

        func respond(to call: HTTPCall, next: NextStages) async throws(ClientError) -> HTTPReply {
            guard self.isOffline() else { return try await next.respond(to: call) }
            let url = call.request.url
            guard let saved = try? Data(contentsOf: self.folder.appending(path: url.lastPathComponent)) else {
                throw .connectionFailed(.unreachable, call.context(.connect))
            }
            let response = Response(url: url, fields: [.contentType: "application/json"])
            return HTTPReply(response: response, body: ResponseBody(saved))
        }
    }

    private struct Maintenance: Interceptor {
        func respond(to call: HTTPCall, next: NextStages) async throws(ClientError) -> HTTPReply {
            let fields: HTTPFields = [.contentType: "application/problem+json", .retryAfter: "120"]
            let response = Response(url: call.request.url, status: .serviceUnavailable, fields: fields)
            return HTTPReply(response: response, body: ResponseBody(#"{"title":"The photos are being moved."}"#))
        }
    }

    private struct KeptForAMinute: Interceptor {
        func respond(to call: HTTPCall, next: NextStages) async throws(ClientError) -> HTTPReply {
            var reply = try await next.respond(to: call)
            if reply.response.isSuccess, reply.response["Cache-Control"] == nil {
                reply.response.fields["Cache-Control"] = "max-age=60"
            }
            return reply
        }
    }

    private struct WithoutPrefix: Interceptor {
        func respond(to call: HTTPCall, next: NextStages) async throws(ClientError) -> HTTPReply {
            var reply = try await next.respond(to: call)
            var body = Data()
            for try await chunk in reply.body { body += chunk }
            let prefix = Data(")]}'\n".utf8)
            reply.body = ResponseBody(body.starts(with: prefix) ? body.dropFirst(prefix.count) : body)
            return reply
        }
    }

    private struct Stub: Transport {
        let answers: [String: String]

        func respond(to call: HTTPCall) async throws(ClientError) -> HTTPReply {
            let url = call.request.url
            guard let answer = self.answers[url.path()] else {
                return HTTPReply(response: Response(url: url, status: .notFound))
            }
            return HTTPReply(response: Response(url: url), body: ResponseBody(answer))
        }
    }

    private struct Fixtures: Transport {
        let folder: URL

        func respond(to call: HTTPCall) async throws(ClientError) -> HTTPReply {
            let file = self.folder.appending(path: call.request.url.lastPathComponent + ".json")
            do {
                return HTTPReply(
                    response: Response(url: call.request.url),
                    body: ResponseBody(try Data(contentsOf: file))
                )
            } catch {
                throw .interceptorFailed(error, call.context(.head))
            }
        }
    }

    @Test func `offline mode answers with what was saved, and is unreachable without`() async throws {
        let folder = try TemporaryFolder()
        try Data(#"{"title":"Dogs"}"#.utf8).write(to: folder.url.appending(path: "7"))
        let isOffline = Flag()
        var configuration = Client.Configuration()
        configuration.callInterceptors = [OfflineMode(isOffline: { isOffline.isRaised }, folder: folder.url)]
        let scene = ClientScene(configuration) { _ in .response(body: #"{"title":"Cats"}"#) }
        let saved = Request(.get, "http://test/albums/7")
        #expect(try await scene.client.value(for: saved, as: Album.self).title == "Cats")
        isOffline.raise()
        #expect(try await scene.client.value(for: saved, as: Album.self).title == "Dogs")
        let error = await #expect(throws: ClientError.self) {
            try await scene.client.data(for: Request(.get, "http://test/albums/8"))
        }
        #expect(error?.isConnectivity == true)
        #expect(scene.server.requests.count == 1)
    }

    @Test func `a maintenance answer is refused by value, with what it says`() async throws {
        var configuration = Client.Configuration()
        configuration.attemptInterceptors = [Maintenance()]
        let scene = ClientScene(configuration) { _ in .response() }
        let error = await #expect(throws: ClientError.self) {
            try await scene.client.value(from: testURL, as: Album.self)
        }
        #expect(error?.status == .serviceUnavailable)
        #expect(error?.problemDetails?.title == "The photos are being moved.")
        #expect(scene.server.requests.isEmpty)
    }

    @Test func `a retry waits as long as a maintenance answer says`() async throws {
        var configuration = Client.Configuration()
        configuration.attemptInterceptors = [Maintenance()]
        var policy = RetryPolicy(maximumAttemptCount: 2)
        policy.maximumRetryAfter = .seconds(120)
        configuration.retry = policy
        let scene = ClientScene(configuration) { _ in .response() }
        let client = scene.client
        async let reply = client.data(from: testURL)
        try await scene.clock.waitForScheduled(within: .seconds(121))  // two minutes, and the jitter
        scene.clock.advance(by: .seconds(121))
        #expect(try await reply.1.statusCode == 503)
    }

    @Test func `the cache keeps what a patched field allows`() async throws {
        var configuration = Client.Configuration()
        configuration.cache = MemoryCacheStore()
        configuration.attemptInterceptors = [KeptForAMinute()]
        let scene = ClientScene(configuration) { _ in .response(body: "hello") }
        let (_, first) = try await scene.client.data(from: testURL)
        #expect(first["Cache-Control"] == "max-age=60")
        let (data, second) = try await scene.client.data(from: testURL)
        #expect(data == Data("hello".utf8))
        #expect(second.cacheStatus != .network)
        #expect(scene.server.requests.count == 1)
    }

    @Test func `a body is read and replaced`() async throws {
        var configuration = Client.Configuration()
        configuration.callInterceptors = [WithoutPrefix()]
        let scene = ClientScene(configuration) { _ in .response(body: ")]}'\n{\"title\":\"Dogs\"}") }
        #expect(try await scene.client.value(from: testURL, as: Album.self) == Album(title: "Dogs"))
        let delegate = RecordingDelegate()
        #expect(try await scene.client.value(from: testURL, as: Album.self, delegate: delegate) == Album(title: "Dogs"))
    }

    @Test func `a compressed answer of an attempt is decompressed`() async throws {
        struct Claiming: Interceptor {
            func respond(to call: HTTPCall, next: NextStages) async throws(ClientError) -> HTTPReply {
                let response = Response(url: call.request.url, fields: [.contentEncoding: "gzip"])
                return HTTPReply(response: response, body: ResponseBody("no"))
            }
        }
        var configuration = Client.Configuration()
        configuration.attemptInterceptors = [Claiming()]
        let scene = ClientScene(configuration) { _ in .response() }
        let error = await #expect(throws: ClientError.self) { try await scene.client.data(from: testURL) }
        guard case .protocolViolation? = error else {
            Issue.record("\(String(describing: error))")
            return
        }
    }

    @Test func `a stub is a client for previews`() async throws {
        let client = Client(transport: Stub(answers: ["/albums": #"[{"title":"Dogs"}]"#]))
        let albums = try await client.value(for: Request(.get, "http://test/albums"), as: [Album].self)
        #expect(albums == [Album(title: "Dogs")])
        #expect(try await client.string(for: Request(.get, "http://test/albums")) == #"[{"title":"Dogs"}]"#)
        let (_, response) = try await client.data(for: Request(.get, "http://test/other"))
        #expect(response.statusCode == 404)
        let folder = try TemporaryFolder()
        let file = folder.url.appending(path: "albums.json")
        _ = try await client.download(for: Request(.get, "http://test/albums"), to: file)
        #expect(try Data(contentsOf: file).count == 18)
        let (bytes, _) = try await client.bytes(for: Request(.get, "http://test/albums"))
        var count = 0
        for try await _ in bytes { count += 1 }
        #expect(count == 18)
    }

    @Test func `a fixture comes from a file`() async throws {
        let folder = try TemporaryFolder()
        try Data(#"{"title":"Dogs"}"#.utf8).write(to: folder.url.appending(path: "album.json"))
        let client = Client(transport: Fixtures(folder: folder.url))
        let album = try await client.value(for: Request(.get, "http://test/album"), as: Album.self)
        #expect(album == Album(title: "Dogs"))
        let error = await #expect(throws: ClientError.self) {
            try await client.data(for: Request(.get, "http://test/missing"))
        }
        guard case .interceptorFailed? = error else {
            Issue.record("\(String(describing: error))")
            return
        }
    }

    @Test func `an answer in chunks is read line by line`() async throws {
        let transport = ScriptedTransport(
            .init { call async throws(ClientError) in
                let chunks = ["on", "e\ntw", "o\n"].map { Data($0.utf8) }
                return HTTPReply(response: Response(url: call.request.url), body: ResponseBody(chunks: chunks))
            }
        )
        let (bytes, _) = try await Client(transport: transport).bytes(from: testURL)
        var lines: [String] = []
        for try await line in bytes.lines { lines.append(line) }
        #expect(lines == ["one", "two"])
    }
}
