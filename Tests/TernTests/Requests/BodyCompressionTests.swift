// SPDX-License-Identifier: Apache-2.0
import ClientTestSupport
import Foundation
import Tern
import TernTesting
import TestSupport
import Testing

@Suite("Compressed requests", .hangLimit)
struct BodyCompressionTests {
    private static let text = String(repeating: "the same words again. ", count: 5000)
    private static let data = Data(Self.text.utf8)
    private static let request: Request = {
        var request = Request(.post, "http://test/").compressed()
        request.options.expectsContinue = false  // the server of this test does not support it
        return request
    }()

    /// A server that sends the body back with the same content coding, which the client undoes.
    private static let echo: ScriptedServer.Answer = { request in
        let coding = request.fields[.contentEncoding].map { "Content-Encoding: \($0)\r\n" } ?? ""
        let head = "HTTP/1.1 200 OK\r\n\(coding)Content-Length: \(request.body.count)\r\n\r\n"
        return ScriptedResponse(head: Array(head.utf8), body: request.body)
    }

    private static func stream(isReplayable: Bool) -> RequestBody {
        let stream = RequestBody.Stream(length: nil, isReplayable: isReplayable) {
            AsyncStream<Data> { continuation in
                for start in stride(from: 0, to: Self.data.count, by: 1000) {
                    continuation.yield(Self.data[start..<min(start + 1000, Self.data.count)])
                }
                continuation.finish()
            }
        }
        return RequestBody(.stream(stream), contentType: "text/plain")
    }

    @Test func `bytes, files, forms and streams arrive as they were`() async throws {
        let folder = try TemporaryFolder()
        try folder.write(Self.text, to: "file")
        let file = folder.file("file")
        let bodies: [RequestBody] = [
            .data(Self.data, contentType: "text/plain"), .file(file, contentType: "text/plain"),
            Self.stream(isReplayable: true), Self.stream(isReplayable: false),
        ]
        for body in bodies {
            let scene = ClientScene(answer: Self.echo)
            try await expectEqual(scene.client.data(for: Self.request.body(body)).0, Self.data)
            let received = try #require(scene.server.requests.first)
            #expect(received.fields[.contentEncoding] == "gzip")
            #expect(received.fields[.contentType] == "text/plain")
            #expect(received.body.count < Self.data.count / 10)
        }
        let scene = ClientScene(answer: Self.echo)
        let form = Multipart().file("f", file)
        let echoed = try await scene.client.data(for: Self.request.body(multipart: form)).0
        let type = form.parts[0].contentType
        let inMemory = Multipart.Part(name: "f", data: Self.data, filename: "file", contentType: type)
        var expected = form
        expected.parts = [inMemory]
        try expectEqual(echoed, expected.encode())
    }

    @Test func `what is short, does not shrink or is coded already goes as it is`() async throws {
        let random = Data((0..<5000).map { _ in UInt8.random(in: 0...255) })
        let folder = try TemporaryFolder()
        try folder.write("short", to: "file")
        let requests: [(Request, String?)] = [
            (Self.request.body(data: Data("short".utf8)), nil), (Self.request.body(data: random), nil),
            (Self.request.body(file: folder.file("file")), nil),
            (Self.request.header(.contentEncoding, "identity").body(data: Self.data), "identity"), (Self.request, nil),
        ]
        for (request, coding) in requests {
            let scene = ClientScene { _ in .response() }
            #expect(try await scene.client.data(for: request).1.statusCode == 200)
            #expect(scene.server.requests.first?.fields[.contentEncoding] == coding)
        }
    }

    @Test func `a body that was refused stays so`() async {
        let scene = ClientScene { _ in .response() }
        let request = Self.request.body(.data(Self.data, contentType: "a\r\nb"))
        let error = await failure { () async throws(ClientError) in try await scene.client.data(for: request) }
        guard case .invalidRequest(.malformedFieldValue, _)? = error else {
            Issue.record("\(String(describing: error))")
            return
        }
        #expect(scene.connector.attemptCount == 0)
    }

    @Test func `a cancelled call does not compress`() async {
        let scene = ClientScene { _ in .response() }
        let calling = Task {
            withUnsafeCurrentTask { $0?.cancel() }
            return await failure { () async throws(ClientError) in
                try await scene.client.data(for: Self.request.body(data: Self.data))
            }
        }
        guard case .cancelled(let context)? = await calling.value else {
            Issue.record("not cancelled")
            return
        }
        #expect(context.phase == .prepare)
    }

    @Test func `the limit of the call counts compression`() async {
        let scene = ClientScene { _ in .response() }
        let request = Self.request.body(data: Self.data).timeout(.zero)
        let error = await failure { () async throws(ClientError) in try await scene.client.data(for: request) }
        guard case .timedOut(.call, _, let context)? = error else {
            Issue.record("\(String(describing: error))")
            return
        }
        #expect(context.phase == .prepare)
    }

    @Test func `a long body is compressed in pieces, and is one stream`() async throws {
        let scene = ClientScene(answer: Self.echo)
        let data = Data((0..<700_000).map { UInt8(truncatingIfNeeded: $0 / 1000) })
        try await expectEqual(scene.client.data(for: Self.request.body(data: data)).0, data)
    }

    @Test func `a redirect has the same compressed body sent again`() async throws {
        for body in [RequestBody.data(Self.data), Self.stream(isReplayable: true)] {
            let scene = ClientScene { request in
                guard request.target != "/" else {
                    return .raw("HTTP/1.1 307 T\r\nLocation: /b\r\nContent-Length: 0\r\n\r\n")
                }
                return try await Self.echo(request)
            }
            try await expectEqual(scene.client.data(for: Self.request.body(body)).0, Self.data)
            #expect(scene.server.requests.count == 2)
        }
    }

    private struct Renewer: TaskDelegate {
        func task(_ task: TaskInfo, needsNewBodyFor request: Request) async -> RequestBody? {
            BodyCompressionTests.stream(isReplayable: false)
        }
    }

    @Test func `a body that a delegate puts in its place is compressed, too`() async throws {
        let scene = ClientScene { request in
            guard request.target != "/" else {
                return .raw("HTTP/1.1 307 T\r\nLocation: /b\r\nContent-Length: 0\r\n\r\n")
            }
            return try await Self.echo(request)
        }
        let request = Self.request.body(Self.stream(isReplayable: false))
        try await expectEqual(scene.client.data(for: request, delegate: Renewer()).0, Self.data)
        #expect(scene.server.requests.last?.fields[.contentEncoding] == "gzip")
    }

    @Test func `a file that is missing is reported before anything is sent`() async throws {
        let folder = try TemporaryFolder()
        let scene = ClientScene { _ in .response() }
        let request = Self.request.body(file: folder.file("missing"))
        let error = await failure { () async throws(ClientError) in try await scene.client.data(for: request) }
        guard case .uploadFailed(.fileNotFound, _)? = error else {
            Issue.record("\(String(describing: error))")
            return
        }
        #expect(scene.connector.attemptCount == 0)
    }

    @Test func `a stream that throws ends the call`() async {
        struct Broken: Error {}
        let stream = AsyncThrowingStream<Data, any Error> { continuation in
            continuation.yield(Self.data)
            continuation.finish(throwing: Broken())
        }
        let scene = ClientScene { _ in .response() }
        let broken = Self.request.body(stream: stream)
        let error = await failure { () async throws(ClientError) in try await scene.client.data(for: broken) }
        guard case .uploadFailed(.streamFailed(type: "Broken"), _)? = error else {
            Issue.record("\(String(describing: error))")
            return
        }
    }
}
