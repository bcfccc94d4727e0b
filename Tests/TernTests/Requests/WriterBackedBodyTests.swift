// SPDX-License-Identifier: Apache-2.0
import ClientTestSupport
import HTTPTypes
import Tern
import TernErrors
import TernFoundation
import TernRequests
import TernTesting
import TernTransport
import TestSupport
import Testing

/// Tests that a body's writer learns about the end of a call, even while body, response and client are still in memory.
@Suite("Client: bodies that are written by hand", .hangLimit)
struct WriterBackedBodyTests {
    private struct Refusal: Interceptor {
        func respond(to call: HTTPCall, next: NextStages) async throws(ClientError) -> HTTPReply {
            HTTPReply(response: Response(url: call.request.url, status: .ok), body: ResponseBody("answered"))
        }
    }

    /// A transport that reads the body of a request, and answers with its trailers.
    private struct TrailersTransport: Transport {
        func respond(to call: HTTPCall) async throws(ClientError) -> HTTPReply {
            guard case .stream(let stream)? = call.request.body?.content else { throw .cancelled(call.context(.send)) }
            let text: String
            do {
                let reader = stream.makeReader()
                #expect(reader.trailers == nil)
                while try await reader.next() != nil {}
                text = reader.trailers?[.eTag] ?? "none"
            } catch {
                throw .interceptorFailed(error, call.context(.send))
            }
            return HTTPReply(response: Response(url: call.request.url, status: .ok), body: ResponseBody(text))
        }
    }

    private func post(_ body: RequestBody) -> Request {
        var request = Request(.post, "http://test/").body(body)
        request.options.expectsContinue = false
        return request
    }

    private func faultOfWriting(_ writer: RequestBody.Writer) async -> Fault? {
        await fault { () async throws(ClientError) in try await writer.write("one".utf8) }
    }

    @Test func `the parts of the example`() async throws {
        let scene = ClientScene { .response(body: "\($0.fields[.contentType] ?? "none"): \($0.text)") }
        let (body, writer) = RequestBody.makeWriter(contentType: "application/x-ndjson")
        async let reply = scene.client.bytes(for: self.post(body))
        try await writer.write(Data("one\n".utf8))
        try await writer.write([UInt8]("two\n".utf8))
        writer.finish()
        let (bytes, response) = try await reply
        #expect(response.statusCode == 200)
        var text = ""
        for try await chunk in bytes.chunks { text += String(decoding: chunk, as: UTF8.self) }
        #expect(text == "application/x-ndjson: one\ntwo\n")
    }

    @Test func `a connection that is refused ends the writing`() async throws {
        let scene = ClientScene(plan: .refuse(.notConnected(.refused))) { _ in .response() }
        let (body, writer) = RequestBody.makeWriter()
        let request = self.post(body)
        let calling = Task { try await scene.client.bytes(for: request) }
        #expect(await self.faultOfWriting(writer) == .uploadFailed(.notNeeded))
        await #expect(throws: ClientError.self) { try await calling.value }
        withExtendedLifetime(request) {}
    }

    @Test func `a request that is refused ends the writing`() async throws {
        let scene = ClientScene { _ in .response() }
        let (body, writer) = RequestBody.makeWriter(contentType: "a\nb")
        let request = self.post(body)
        let calling = Task { try await scene.client.bytes(for: request) }
        #expect(await self.faultOfWriting(writer) == .uploadFailed(.notNeeded))
        await #expect(throws: ClientError.self) { try await calling.value }
        #expect(scene.connector.attemptCount == 0)
    }

    @Test func `a call that ends before it begins ends the writing`() async throws {
        let scene = ClientScene { _ in .response() }
        let (body, writer) = RequestBody.makeWriter()
        let request = self.post(body)
        let place = URL(string: "https://test/no-file")
        let calling = Task { try await scene.client.download(for: request, to: place) }
        #expect(await self.faultOfWriting(writer) == .uploadFailed(.notNeeded))
        let error = await #expect(throws: ClientError.self) { try await calling.value }
        #expect(error?.fault == .fileFailed(.notAFileURL))
    }

    @Test func `a refusal in place of 100 Continue ends the writing, while its body is to be read`() async throws {
        let scene = ClientScene(
            ScriptedServer(steps: [.receiveHead, .send(.response(.contentTooLarge, body: "too large")), .send(.stall)])
        )
        let (body, writer) = RequestBody.makeWriter()
        var request = self.post(body)
        request.options.expectsContinue = true
        let (bytes, response) = try await scene.client.bytes(for: request)
        #expect(response.statusCode == 413)
        #expect(await self.faultOfWriting(writer) == .uploadFailed(.notNeeded))
        #expect(try await bytes.chunks.reduce(0) { $0 + $1.count } == 9)
    }

    @Test func `an answer that is none of the server's ends the writing`() async throws {
        var configuration = Client.Configuration()
        configuration.callInterceptors = [Refusal()]
        let scene = ClientScene(configuration) { _ in .response() }
        let writer: RequestBody.Writer
        let answer: (bytes: ResponseBytes, response: Response)
        do {
            let (body, made) = RequestBody.makeWriter()
            writer = made
            answer = try await scene.client.bytes(for: self.post(body))
        }
        #expect(await self.faultOfWriting(writer) == .uploadFailed(.notNeeded))
        #expect(answer.response.statusCode == 200)
        withExtendedLifetime(answer.bytes) {}
    }

    @Test func `a body that no call sends ends the writing when it is released`() async {
        let (body, writer) = RequestBody.makeWriter()
        let writing = Task { await self.faultOfWriting(writer) }
        _ = consume body
        #expect(await writing.value == .uploadFailed(.notNeeded))
    }

    @Test func `a body goes on when those who made it let go of it`() async throws {
        let scene = ClientScene { .response(body: $0.text) }
        let (made, writer) = RequestBody.makeWriter()
        let client = scene.client
        let calling = Task { [request = self.post(made)] in try await client.data(for: request).0 }
        try await scene.connector.waitForAttempts(1)
        try await writer.write("one".utf8)
        writer.finish()
        #expect(try await calling.value == Data("one".utf8))
    }

    @Test func `a second call with the body fails, and the first goes on`() async throws {
        let scene = ClientScene { .response(body: $0.text) }
        let (body, writer) = RequestBody.makeWriter()
        let request = self.post(body)
        async let reply = scene.client.data(for: request)
        try await writer.write("one".utf8)
        let second = await fault { () async throws(ClientError) in try await scene.client.data(for: request) }
        #expect(second == .uploadFailed(.streamFailed(type: "BodyEnded")))
        try await writer.write("two".utf8)
        writer.finish()
        #expect(try await reply.0 == Data("onetwo".utf8))
    }

    @Test func `a redirect that needs the body again fails the call and ends the writing`() async throws {
        let scene = ClientScene { _ in .response(.temporaryRedirect, fields: [.location: "/there"]) }
        let (body, writer) = RequestBody.makeWriter()
        let request = self.post(body)
        let calling = Task { try await scene.client.data(for: request) }
        try await writer.write("one".utf8)
        writer.finish()
        let error = await #expect(throws: ClientError.self) { try await calling.value }
        #expect(error?.fault == .uploadFailed(.notReplayable))
        #expect(await self.faultOfWriting(writer) == .uploadFailed(.finished))
    }

    @Test func `trailers are known at the end of the body, and of one that is compressed`() async throws {
        for isCompressed in [false, true] {
            let (body, writer) = RequestBody.makeWriter()
            let client = Client(transport: TrailersTransport())
            let request = isCompressed ? self.post(body).compressed() : self.post(body)
            async let answer = client.string(for: request)
            try await writer.write("one".utf8)
            writer.finish(trailers: [.eTag: "1"])
            #expect(try await answer == "1")
        }
    }
}
