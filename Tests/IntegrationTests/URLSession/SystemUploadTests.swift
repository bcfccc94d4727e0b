// SPDX-License-Identifier: Apache-2.0
import ClientTestSupport
import Tern
import TernTesting
import TernURLLoading
import TestSupport
import Testing

@testable import TernURLSession

@Suite("URLSession, request bodies", .hangLimit)
struct SystemUploadTests {
    private let client = Client.overURLSession()

    /// The length that the server has received, from the answer of `/upload`.
    private func length(_ answer: Data) -> Int? {
        String(decoding: answer, as: UTF8.self).split(separator: " ").first.flatMap { Int($0) }
    }

    private func post(_ server: RawServer, _ path: String = "/upload") -> Request { Request(.post, server.url(path)) }

    @Test(arguments: [0, 1, 100_000, 3_000_000])
    func `bytes are sent, with progress`(_ byteCount: Int) async throws {
        let server = try await RawServer.shared
        let delegate = RecordingDelegate()
        let data = Data(repeating: 7, count: byteCount)
        let (answer, _) = try await self.client.upload(for: self.post(server), from: data, delegate: delegate)
        #expect(self.length(answer) == byteCount)
        guard byteCount > 0 else { return }
        #expect(delegate.sentProgress.last?.byteCount == Int64(byteCount))
        #expect(delegate.sentProgress.last?.totalByteCount == Int64(byteCount))
    }

    @Test(arguments: [0, 1, 3_000_000])
    func `a file is sent, with progress`(_ byteCount: Int) async throws {
        let server = try await RawServer.shared
        let folder = try TemporaryFolder()
        try Data(repeating: 7, count: byteCount).write(to: folder.file("file"))
        let delegate = RecordingDelegate()
        let request = self.post(server)
        let (answer, _) = try await self.client.upload(for: request, fromFile: folder.file("file"), delegate: delegate)
        #expect(self.length(answer) == byteCount)
        guard byteCount > 0 else { return }
        #expect(delegate.sentProgress.last?.byteCount == Int64(byteCount))
    }

    @Test func `a missing file is reported`() async throws {
        let server = try await RawServer.shared
        let folder = try TemporaryFolder()
        let fault = await fault { () async throws(ClientError) in
            try await self.client.upload(for: self.post(server), fromFile: folder.file("missing"))
        }
        #expect(fault == .uploadFailed(.fileNotFound))
    }

    @Test(arguments: [(0, 0), (1, 1), (40, 100_000)])
    func `a stream of unknown length is sent, with progress`(_ count: Int, _ byteCount: Int) async throws {
        let server = try await RawServer.shared
        let delegate = RecordingDelegate()
        let stream = Counted(count: count, byteCount: byteCount)
        let (answer, _) = try await self.client.upload(for: self.post(server), from: stream, delegate: delegate)
        #expect(self.length(answer) == count * byteCount)
        guard count > 0 else { return }
        #expect(delegate.sentProgress.last?.byteCount == Int64(count * byteCount))
    }

    @Test(arguments: [(3, 1000), (100, 100_000)])
    func `a stream of known length is sent`(_ count: Int, _ byteCount: Int) async throws {
        let server = try await RawServer.shared
        let stream = Counted(count: count, byteCount: byteCount)
        let length = Int64(count * byteCount)
        let (answer, _) = try await self.client.upload(for: self.post(server), from: stream, length: length)
        #expect(self.length(answer) == count * byteCount)
    }

    @Test(arguments: [(3, 1000, 3001), (3, 1000, 2999), (100, 100_000, 10_000_001), (100, 100_000, 9_999_999)])
    func `a stream of another length is refused`(_ count: Int, _ byteCount: Int, _ length: Int64) async throws {
        let server = try await RawServer()
        let stream = Counted(count: count, byteCount: byteCount)
        let fault = await fault { () async throws(ClientError) in
            try await self.client.upload(for: self.post(server), from: stream, length: length)
        }
        #expect(fault == .uploadFailed(.lengthMismatch(announced: length)))
        try await server.isLeft()
    }

    @Test(arguments: [nil, 1001] as [Int64?])
    func `a stream that is too long for the memory is refused where URLSession cannot stream`(
        _ length: Int64?
    ) async throws {
        let server = try await RawServer()
        let client = Client.overURLSession(maximumStreamByteCount: 1000)
        let stream = Counted(count: 7, byteCount: 143)
        guard !PlatformCapabilities.current.streamsBodies else { return }
        let error = await failure { () async throws(ClientError) in
            try await client.upload(for: self.post(server), from: stream, length: length)
        }
        guard case .interceptorFailed(let reason as URLSessionTransportError, let context)? = error else {
            Issue.record("\(String(describing: error))")
            return
        }
        #expect(reason == .requestBodyTooLong(limit: 1000))
        #expect(context.delivery == .notSent)
        #expect(server.connectionCount == 0)
    }

    @Test func `a stream that fails ends the call`() async throws {
        struct Broken: Error {}
        let server = try await RawServer()
        let (stream, source) = AsyncThrowingStream<Data, any Error>.makeStream()
        source.yield(Data(repeating: 7, count: 100_000))
        source.finish(throwing: Broken())
        let fault = await fault { () async throws(ClientError) in
            try await self.client.upload(for: self.post(server), from: stream)
        }
        #expect(fault == .uploadFailed(.streamFailed(type: "Broken")))
        try await server.isLeft()
    }

    @Test func `a form is sent`() async throws {
        let server = try await RawServer.shared
        let request = self.post(server, "/scenario/request").body(multipart: Multipart().field("name", "value"))
        let (data, _) = try await self.client.data(for: request)
        let seen = try JSONDecoder().decode(ScenarioServer.Seen.self, from: data)
        #expect(seen.body.contains("name=\"name\""))
        #expect(seen.body.contains("value"))
    }

    @Test func `a body is sent twice when a challenge asks for it`() async throws {
        let place = try await Recorder()
        let request = Request(.post, place.url("/basic")).body(data: Data("hello".utf8))
        let (_, response) = try await self.client.data(for: request, delegate: SteeringDelegate(.albert))
        #expect(response.status == .ok)
        #expect(try await place.seen().map(\.body) == ["hello", "hello"])
    }

    @Test func `requests on a connection that the server has closed are sent again`() async throws {
        let server = try await RawServer()
        for _ in 0..<4 {
            let request = self.post(server, "/stale-close")
            let (data, _) = try await self.client.upload(for: request, from: Data("hello".utf8))
            #expect(String(decoding: data, as: UTF8.self) == "fine")
        }
    }

    @Test func `a POST without a media type is not called a form`() async throws {
        let server = try await RawServer.shared
        let request = self.post(server, "/scenario/request")
        let (data, _) = try await self.client.upload(for: request, from: Data("hello".utf8))
        let seen = try JSONDecoder().decode(ScenarioServer.Seen.self, from: data)
        #expect(seen.values("Content-Type") == ["application/octet-stream"])
        #expect(seen.body == "hello")
        #expect(seen.values("Expect") == [])
    }

    @Test(arguments: ["POST", "PUT", "PATCH", "DELETE", "OPTIONS", "PURGE"])
    func `any method is sent, with and without a body`(_ name: String) async throws {
        let server = try await RawServer.shared
        let method = try #require(HTTPRequest.Method(name))
        for body in ["", "hello"] {
            var request = Request(method, server.url("/scenario/request"))
            if !body.isEmpty { request = request.body(data: Data(body.utf8)) }
            let (data, _) = try await self.client.data(for: request)
            let seen = try JSONDecoder().decode(ScenarioServer.Seen.self, from: data)
            #expect(seen.method == name)
            #expect(seen.body == body)
        }
    }
}
