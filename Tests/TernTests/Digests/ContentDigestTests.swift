// SPDX-License-Identifier: Apache-2.0
import ClientTestSupport
import HTTPTypes
import Tern
import TernFoundation
import TernTesting
import TestSupport
import Testing

/// Tests requests with the digest of their body, before or after the body (RFC 9530 §2).
@Suite("Digests of requests", .hangLimit)
struct ContentDigestTests {
    private static let good = DigestCheckingTests.good
    private static let name = DigestCheckingTests.contentDigest

    private let folder: TemporaryFolder

    init() throws { self.folder = try TemporaryFolder() }

    private static func post(_ body: RequestBody) -> Request {
        Request(.post, "http://test/").body(body).contentDigest()
    }

    private static func scene(
        _ change: (inout Client.Configuration) -> Void = { _ in },
        answer: @escaping ScriptedServer.Answer = { _ in .response() }
    ) -> ClientScene {
        var configuration = Client.Configuration()
        configuration.expectContinueThreshold = nil
        change(&configuration)
        return ClientScene(configuration, answer: answer)
    }

    /// Returns bodies with the same bytes, from a file and from streams.
    private func lateBodies() throws -> [RequestBody] {
        try self.folder.write("hello world", to: "file")
        let pieces = AsyncStream { continuation in
            for piece in ["hello", "", " world"] { continuation.yield(Data(piece.utf8)) }
            continuation.finish()
        }
        let makeStream = { @Sendable in
            AsyncStream<Data> { continuation in
                continuation.yield(Data("hello world".utf8))
                continuation.finish()
            }
        }
        return [
            .file(self.folder.file("file")), .stream(pieces), .replayableStream(makeStream),
            .replayableStream(length: 11, makeStream),
        ]
    }

    // MARK: Where it stands

    @Test func `the digest of bytes in memory stands in the head`() async throws {
        let scene = Self.scene()
        let body = RequestBody.data(Data("hello world".utf8))
        _ = try await scene.client.data(for: Self.post(body))
        _ = try await scene.client.data(for: Self.post(body).contentDigest(.sha512))
        let requests = scene.server.requests
        #expect(requests.allSatisfy { $0.text == "hello world" && $0.fields[.contentLength] == "11" })
        #expect(requests.allSatisfy { $0.trailers.isEmpty && !$0.fields.contains(.trailer) })
        let sha512 = "MJ7MSJwS1utMxA9QyQLytNDtd+5RGnx6m808qG1M2G+YndNbxf9JlnDaNCVbRbDP2DDoH2Bdz33FVC6TrpzXbw=="
        #expect(requests.map { $0.fields[Self.name] } == [Self.good, "sha-512=:\(sha512):"])
    }

    @Test func `so does that of many bytes, which are hashed in pieces`() async throws {
        let scene = Self.scene()
        _ = try await scene.client.data(for: Self.post(.data(Data(repeating: 7, count: 1_000_000))))
        #expect(scene.server.requests[0].fields[Self.name] == "sha-256=:ML1tl6/6kZa0jPT4ZWnBpqLS/PfYwldxUm9eVZbnri4=:")
    }

    @Test func `that of a file and of a stream follows the body, and is announced`() async throws {
        for body in try self.lateBodies() {
            let scene = Self.scene()
            _ = try await scene.client.data(for: Self.post(body))
            let request = try #require(scene.server.requests.first)
            #expect(request.text == "hello world")
            #expect(request.fields[.trailer] == "Content-Digest")
            #expect(request.fields[.transferEncoding] == "chunked")
            #expect(!request.fields.contains(Self.name) && !request.fields.contains(.contentLength))
            #expect(request.trailers == [Self.name: Self.good])
        }
    }

    @Test func `it is that of the content as it is sent`() async throws {
        try self.folder.write(String(repeating: "hello ", count: 1000), to: "file")
        let data = try Data(contentsOf: self.folder.file("file"))
        let scene = Self.scene()
        for body in [RequestBody.data(data), .file(self.folder.file("file"))] {
            _ = try await scene.client.data(for: Self.post(body).compressed())
        }
        for request in scene.server.requests {
            #expect(request.fields[.contentEncoding] == "gzip" && request.body.count < 1000)
            // To hash the compressed body, the test sends it once more, without compression.
            let again = Self.scene()
            _ = try await again.client.data(for: Self.post(.data(Data(request.body))))
            let digest = request.fields[Self.name] ?? request.trailers[Self.name]
            #expect(digest != nil && digest == again.server.requests[0].fields[Self.name])
        }
    }

    @Test func `a request without a body has none, and one that brings its own keeps it`() async throws {
        let scene = Self.scene()
        _ = try await scene.client.data(for: Request(url: testURL).contentDigest())
        let own = Self.post(.data(Data("hello world".utf8))).header("Content-Digest", "sha-256=:AAAA:")
        _ = try await scene.client.data(for: own)
        _ = try await scene.client.data(for: Self.post(.data(Data())))
        let values = scene.server.requests.map { $0.fields[Self.name] }
        #expect(values == [nil, "sha-256=:AAAA:", DigestCheckingTests.bad])
    }

    // MARK: Sent again

    @Test func `each attempt has it, until a redirect drops the body`() async throws {
        let bodies = try [RequestBody.data(Data("hello world".utf8))] + self.lateBodies().filter(\.isReplayable)
        for body in bodies {
            let scene = Self.scene({ _ in }) { request in
                switch request.target {
                case "/": .response(.temporaryRedirect, fields: [.location: "/again"])
                case "/again": .response(.seeOther, fields: [.location: "/end"])
                default: .response(body: "ok")
                }
            }
            let request = Self.post(body.trailers([.eTag: "\"1\""]))
            #expect(try await scene.client.string(for: request) == "ok")
            let received = scene.server.requests
            #expect(received.map(\.text) == ["hello world", "hello world", ""])
            #expect(received.map { $0.fields[Self.name] ?? $0.trailers[Self.name] } == [Self.good, Self.good, nil])
            #expect(received.map { $0.trailers[.eTag] } == ["\"1\"", "\"1\"", nil])
            #expect(received.map { $0.fields.contains(.trailer) } == [true, true, false])
            #expect(received[2].method == .get && !received[2].fields.contains(.transferEncoding))
        }
    }

    @Test func `a retry has it`() async throws {
        for body in try self.lateBodies().filter(\.isReplayable) {
            let policy = RetryPolicy(backoff: Backoff(initialDelay: .zero))
            let scene = Self.scene({ $0.retry = policy }) { request in
                request.connection == 1 ? .reset : .response()
            }
            var request = Self.post(body)
            request.method = .put
            _ = try await scene.client.data(for: request)
            #expect(scene.server.requests.map { $0.trailers[Self.name] } == [Self.good, Self.good])
        }
    }

    @Test func `a body waits for 100 Continue with it`() async throws {
        for body in try [RequestBody.data(Data("hello world".utf8))] + self.lateBodies() {
            let received = Journal<ReceivedRequest>()
            let connector = MemoryConnector.tested { connection in
                guard var request = try await connection.readHead() else { return }
                try await connection.write("HTTP/1.1 100 Continue\r\n\r\n")
                try await connection.readBody(of: &request)
                received.note(request)
                try await connection.write("HTTP/1.1 200 OK\r\nContent-Length: 0\r\n\r\n")
                await connection.waitForEnd()
            }
            var request = Self.post(body)
            request.options.expectsContinue = true
            _ = try await Client(configuration: .patient.tested, connector: connector).data(for: request)
            let first = try #require(await received.wait(for: 1).first)
            #expect(first.text == "hello world" && first.fields[.expect] == "100-continue")
            #expect((first.fields[Self.name] ?? first.trailers[Self.name]) == Self.good)
        }
    }

    // MARK: Signatures

    private struct Signer: RequestSigner {
        func fields(signing request: SignableRequest) -> HTTPFields {
            [.authorization: request.fields[DigestCheckingTests.contentDigest] ?? "none"]
        }
    }

    @Test func `a signature covers the digest in the head`() async throws {
        let scene = Self.scene({ $0.signer = Signer() })
        _ = try await scene.client.data(for: Self.post(.data(Data("hello world".utf8))))
        #expect(scene.server.requests[0].fields[.authorization] == Self.good)
    }

    // MARK: Trailers that are wanted

    @Test(.http1Only("asserts the field Connection"))
    func `a request says that trailers are welcome if it is told to, and says it for the next recipient`()
        async throws
    {
        let scene = Self.scene()
        _ = try await scene.client.data(for: Request(url: testURL))
        _ = try await scene.client.data(for: Request(url: testURL).acceptsTrailers())
        #expect(scene.server.requests.map { $0.fields[.te] } == [nil, "trailers"])
        #expect(scene.server.requests.map { $0.fields[.connection] } == [nil, "TE"])
    }
}
