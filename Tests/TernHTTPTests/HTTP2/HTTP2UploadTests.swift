// SPDX-License-Identifier: Apache-2.0
import ClientTestSupport
import HTTPTypes
import TernConnections
import TernErrors
import TernFoundation
import TernHTTP
import TernRequests
import TernTesting
import TernTransport
import TestSupport
import Testing

@Suite("HTTP/2: bodies of requests", .hangLimit)
struct HTTP2UploadTests {
    private static let content = Data((0..<300_000).map { UInt8(truncatingIfNeeded: $0 &* 31) })

    private struct Upload: Sendable {
        var headers: HTTP2Headers
        var content: HTTP2Content
    }

    /// A server that notes each upload, and answers it.
    private func scene(
        _ uploads: Journal<Upload>,
        _ configuration: HTTPTransportConfiguration = .priorKnowledge
    ) -> Scene {
        Scene.http2Answering(configuration) { peer, request in
            if request["expect"] != nil { try await peer.send(.headers(request.stream, [(":status", "100")])) }
            uploads.note(Upload(headers: request, content: try await peer.content(of: request)))
            try await peer.respond(to: request, "fine")
        }
    }

    private func post(_ body: RequestBody) -> Request { Request(.post, "http://test/").body(body) }

    private func stream(_ pieces: [String]) -> AsyncStream<[UInt8]> {
        AsyncStream { continuation in
            for piece in pieces { continuation.yield(Array(piece.utf8)) }
            continuation.finish()
        }
    }

    @Test(arguments: [0, 1, 16_384, 16_385, 65_535, 65_536, 300_000])
    func `data of any length arrives as it is`(count: Int) async throws {
        let uploads = Journal<Upload>()
        let scene = self.scene(uploads)
        let observer = RecordingObserver()
        let data = Self.content.prefix(count)
        #expect(try await scene.answer(to: self.post(.data(data)), observer: observer) == Answer(text: "fine"))
        let upload = try #require(uploads.all.first)
        expectEqual(upload.content.bytes, data)
        #expect(upload.headers["content-length"] == "\(count)")
        #expect(observer.sent.last ?? 0 == Int64(count))
        scene.expectNoLeak(idle: 1)
    }

    @Test(arguments: [nil, true, false] as [Bool?])
    func `a long body waits for 100 only if its request asks for it`(asks: Bool?) async throws {
        let uploads = Journal<Upload>()
        let scene = self.scene(uploads)
        var request = self.post(.data(Data(count: 3 << 20)))
        request.options.expectsContinue = asks
        #expect(try await scene.answer(to: request) == Answer(text: "fine"))
        let upload = try #require(uploads.all.first)
        #expect(upload.headers["expect"] == (asks == true ? "100-continue" : nil))
        #expect(upload.content.bytes.count == 3 << 20)
        scene.expectNoLeak(idle: 1)
    }

    @Test func `a short body comes with its head`() async throws {
        let frames = Journal<HTTP2Frame>()
        let scene = Scene.http2Answering { peer, request in
            if let frame = try await peer.nextFrame() { frames.note(frame) }
            try await peer.respond(to: request)
        }
        _ = try await scene.answer(to: self.post(.data(Data("hello".utf8))))
        #expect(frames.all == [.data(1, Array("hello".utf8), endsStream: true)])
    }

    @Test func `a body waits for the windows, however small they are`() async throws {
        let scene = Scene.http2Answering(settings: [.initialWindow(1000)]) { peer, request in
            guard request["content-length"] != nil else { return try await peer.respond(to: request) }
            var (room, received, isOver) = (1000, [UInt8](), false)
            while !isOver, case .data(_, let bytes, let endsStream)? = try await peer.nextFrame() {
                (room, isOver) = (room - bytes.count, endsStream)
                #expect(room >= 0)
                received += bytes
                room += 700
                try await peer.send(.windowUpdate(0, 700), .windowUpdate(request.stream, 700))
            }
            expectEqual(received, Self.content)
            try await peer.respond(to: request, "fine")
        }
        _ = try await scene.answer()  // the settings are known then
        #expect(try await scene.answer(to: self.post(.data(Self.content))).text == "fine")
        scene.expectNoLeak(idle: 1)
    }

    @Test func `a stream of unknown length has no length, and no other framing`() async throws {
        let uploads = Journal<Upload>()
        let scene = self.scene(uploads)
        _ = try await scene.answer(to: self.post(.stream(self.stream(["one", "", "two"]))))
        let upload = try #require(uploads.all.first)
        #expect(upload.content.text == "onetwo")
        #expect(upload.headers["content-length"] == nil && upload.headers["transfer-encoding"] == nil)
        scene.expectNoLeak(idle: 1)
    }

    @Test func `a file arrives as it is`() async throws {
        let folder = try TemporaryFolder()
        let text = String(repeating: "x", count: 500_000)
        try folder.write(text, to: "file")
        let uploads = Journal<Upload>()
        _ = try await self.scene(uploads).answer(to: self.post(.file(folder.file("file"))))
        expectEqual(uploads.all.first?.content.text, text)
    }

    @Test func `fields follow a body`() async throws {
        let uploads = Journal<Upload>()
        let body = RequestBody.data(Data("hello".utf8)).trailers([.eTag: "\"1\"", .authorization: "secret"])
        let scene = self.scene(uploads)
        _ = try await scene.answer(to: self.post(body))
        let upload = try #require(uploads.all.first)
        #expect(upload.content.text == "hello")
        #expect(upload.headers["trailer"] == "ETag")
        #expect(upload.content.trailers == [HTTP2Line("etag", "\"1\"")])
        scene.expectNoLeak(idle: 1)
    }

    @Test func `a stream that throws resets its stream, and the connection serves the next call`() async throws {
        struct Broken: Error {}
        let resets = Journal<Int>()
        let scene = Scene.http2Answering(resets: resets) { peer, request in
            if request.endsStream { try await peer.respond(to: request, "next") }
        }
        let stream = AsyncThrowingStream<[UInt8], any Error> { $0.finish(throwing: Broken()) }
        let failure = await scene.failure(of: self.post(.stream(stream)))
        #expect(failure?.ending == Ending(.uploadFailed(.streamFailed(type: "Broken")), in: .send))
        #expect(await resets.wait(for: 1) == [HTTP2Code.cancel])
        #expect(try await scene.answer() == Answer(text: "next", isReused: true))
        scene.expectNoLeak(idle: 1)
    }

    // MARK: 100-continue

    @Test func `the body waits for 100 and then goes out`() async throws {
        let uploads = Journal<Upload>()
        let scene = self.scene(uploads)
        let observer = RecordingObserver()
        var request = self.post(.data(Data("hello".utf8)))
        request.options.expectsContinue = true
        #expect(try await scene.answer(to: request, observer: observer).text == "fine")
        let upload = try #require(uploads.all.first)
        #expect(upload.headers["expect"] == "100-continue")
        #expect(upload.content.text == "hello")
        #expect(observer.informational == [100])
        scene.expectNoLeak(idle: 1)
    }

    @Test func `after a 417 the request goes out without the expectation`() async throws {
        let uploads = Journal<Upload>()
        let scene = Scene.http2Answering { peer, request in
            if request["expect"] != nil { return try await peer.respond(to: request, "no", status: 417) }
            uploads.note(Upload(headers: request, content: try await peer.content(of: request)))
            try await peer.respond(to: request, "fine")
        }
        var request = self.post(.data(Data("hello".utf8)))
        request.options.expectsContinue = true
        #expect(try await scene.answer(to: request).text == "fine")
        #expect(uploads.all.map(\.content.text) == ["hello"])
    }

    @Test func `a 417 to a request without the expectation is the answer`() async throws {
        let uploads = Journal<Upload>()
        let scene = Scene.http2Answering { peer, request in
            uploads.note(Upload(headers: request, content: try await peer.content(of: request)))
            try await peer.respond(to: request, "no", status: 417)
        }
        #expect(try await scene.answer(to: self.post(.data(Data(count: 1 << 20)))).status == 417)
        #expect(uploads.all.count == 1)
    }

    @Test(arguments: [200, 413])
    func `a server that answers early and stops the upload gets its answer through`(status: Int) async throws {
        let scene = Scene.http2Answering { peer, request in
            guard !request.endsStream else { return try await peer.respond(to: request, "next") }
            guard try await peer.wait(for: { $0.isPart(of: request.stream) }) != nil else { return }
            try await peer.respond(to: request, "enough", status: status)
            try await peer.send(.reset(request.stream, HTTP2Code.noError))
        }
        #expect(try await scene.answer(to: self.post(.data(Self.content))) == Answer(status: status, text: "enough"))
        #expect(try await scene.answer() == Answer(text: "next", isReused: true))
        scene.expectNoLeak(idle: 1)
    }

    @Test func `each piece comes back before the next is written`() async throws {
        let scene = Scene.http2Answering { peer, request in
            try await peer.begin(request)
            while case .data(_, let bytes, let endsStream)? = try await peer.nextFrame() {
                try await peer.send(.data(request.stream, bytes, endsStream: endsStream))
                if endsStream { return }
            }
        }
        let (body, writer) = RequestBody.makeWriter()
        let reply = try await scene.reply(to: self.post(body))
        var reader = reply.body.makeReader()
        for number in 0..<100 {
            try await writer.write("piece \(number)".utf8)
            #expect(try await reader.text() == "piece \(number)")
        }
        writer.finish()
        #expect(try await reader.text() == nil)
        try await eventually("the slot is back") { scene.transport.connectionCounts.idle == 1 }
        scene.expectNoLeak(idle: 1)
    }
}
