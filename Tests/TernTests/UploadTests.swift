// SPDX-License-Identifier: Apache-2.0
import ClientTestSupport
import HTTPTypes
import Tern
import TernErrors
import TernFoundation
import TernRequests
import TernTesting
import TestSupport
import Testing

@Suite("Client.upload", .hangLimit)
struct ClientUploadTests {
    private let scene = ClientScene { .response(.created, body: $0.text) }
    private let folder: TemporaryFolder

    init() throws { self.folder = try TemporaryFolder() }

    private let request = Request(.post, "http://test/")

    @Test func `sends data`() async throws {
        let (data, response) = try await self.scene.client.upload(for: self.request, from: Data("hello".utf8))
        #expect(data == Data("hello".utf8))
        #expect(response.statusCode == 201)
    }

    @Test func `sends a file`() async throws {
        try self.folder.write("from a file", to: "file")
        let (data, _) = try await self.scene.client.upload(for: self.request, fromFile: self.folder.file("file"))
        #expect(data == Data("from a file".utf8))
    }

    @Test(arguments: [nil, 6] as [Int64?])
    func `sends a stream`(length: Int64?) async throws {
        let stream = AsyncStream<Data> { continuation in
            for piece in ["one", "two"] { continuation.yield(Data(piece.utf8)) }
            continuation.finish()
        }
        var request = self.request
        request.options.expectsContinue = false  // no time limit plays a part
        let (data, _) = try await self.scene.client.upload(for: request, from: stream, length: length)
        #expect(data == Data("onetwo".utf8))
    }

    @Test(arguments: [HTTPRequest.Method.get, .head, .trace])
    func `a method without body is refused`(method: HTTPRequest.Method) async {
        let error = await failure { () async throws(ClientError) in
            try await self.scene.client.upload(for: Request(method, "http://test/"), from: Data())
        }
        guard case .invalidRequest(.bodyNotAllowed(method: method.rawValue), _)? = error else {
            Issue.record("\(String(describing: error))")
            return
        }
        #expect(self.scene.connector.attemptCount == 0)
    }

    @Test func `a request that brings a body already is refused`() async {
        let request = self.request.body(data: Data("one".utf8))
        let error = await failure { () async throws(ClientError) in
            try await self.scene.client.upload(for: request, from: Data("two".utf8))
        }
        guard case .invalidRequest(.ambiguousBody, _)? = error else {
            Issue.record("\(String(describing: error))")
            return
        }
    }

    @Test func `a missing file is reported`() async {
        let error = await failure { () async throws(ClientError) in
            try await self.scene.client.upload(for: self.request, fromFile: self.folder.file("no"))
        }
        guard case .uploadFailed(.fileNotFound, _)? = error else {
            Issue.record("\(String(describing: error))")
            return
        }
    }

    @Test func `cancellation ends the stream`() async throws {
        let ended = Flag()
        let scene = self.scene
        var request = self.request
        request.options.expectsContinue = false
        // Only the call holds the stream, so that the stream ends even if the call had not begun to read it.
        let calling = Task { [request] in
            let stream = AsyncStream<[UInt8]> { continuation in continuation.onTermination = { _ in ended.raise() } }
            return try await scene.client.upload(for: request, from: stream)
        }
        try await scene.connector.waitForOpen(1)
        calling.cancel()
        let error = await #expect(throws: ClientError.self) { try await calling.value }
        #expect(error?.isCancellation == true)
        await ended.wait()
        await scene.expectNoExchange()
    }

    @Test func `a refusal that comes early is given with its body`() async throws {
        let scene = ClientScene(ScriptedServer(steps: [.receiveHead, .send(.response(.contentTooLarge, body: "no"))]))
        var request = self.request
        request.options.expectsContinue = false
        let (data, response) = try await scene.client.upload(for: request, from: Data(count: 3 << 20))
        #expect(response.statusCode == 413)
        #expect(data == Data("no".utf8))
        await scene.expectNoExchange()
    }
}
