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

@Suite("Uploads", .hangLimit)
struct UploadTests {
    private struct Broken: Error {}

    private let folder: TemporaryFolder

    init() throws { self.folder = try TemporaryFolder() }

    private func post(_ body: RequestBody) -> Request {
        var request = Request(.post, "http://test/").body(body)
        request.options.expectsContinue = false
        return request
    }

    private func stream(_ pieces: [String], error: (any Error)? = nil) -> AsyncThrowingStream<[UInt8], any Error> {
        AsyncThrowingStream { continuation in
            for piece in pieces { continuation.yield(Array(piece.utf8)) }
            continuation.finish(throwing: error)
        }
    }

    @Test(arguments: [0, 1, 65_535, 65_536, 65_537, 600_000])
    func `data of any length arrives as it is`(count: Int) async throws {
        let data = Data((0..<count).map { UInt8(truncatingIfNeeded: $0 &* 31) })
        let scene = Scene { .response(body: "\($0.body.count)") }
        let observer = RecordingObserver()
        let answer = try await scene.answer(to: self.post(.data(data)), observer: observer)
        #expect(answer.text == "\(count)")
        expectEqual(scene.server.requests.first?.body, data)
        #expect(scene.server.requests.first?.fields[.contentLength] == "\(count)")
        #expect(observer.sent.last ?? 0 == Int64(count))
        scene.expectNoLeak(idle: 1)
    }

    @Test(arguments: [0, 1, 300_000])
    func `a file arrives as it is`(count: Int) async throws {
        let text = String(repeating: "x", count: count)
        try self.folder.write(text, to: "file")
        let scene = Scene { _ in .response() }
        _ = try await scene.answer(to: self.post(.file(self.folder.file("file"))))
        expectEqual(scene.server.requests.first?.text, text)
        #expect(scene.server.requests.first?.fields[.contentLength] == "\(count)")
        scene.expectNoLeak(idle: 1)
    }

    /// All pieces of the body together take longer than the idle limit.
    @Test(arguments: [true, false])
    func `a server that accepts the body slowly is not silent`(isFile: Bool) async throws {
        let (allowed, done) = (Observed(0), Observed(0))
        let byteCount = 200_000
        let scene = Scene(
            ScriptedServer(steps: []),
            plan: .accept(toServer: [.drip(bytesPerPiece: 20_000)]),
            HTTPTransportConfiguration()
        ) { connection in
            _ = try await connection.readHead()
            var (count, number) = (0, 0)
            while count < byteCount {
                number += 1
                await allowed.wait { [number] in $0 >= number }
                count += try await connection.read()?.count ?? byteCount
                done.update { $0 = count < byteCount ? number : .max }
            }
            try await connection.send(.response(body: "\(count)"))
        }
        try self.folder.write(String(repeating: "x", count: byteCount), to: "file")
        let body = isFile ? RequestBody.file(self.folder.file("file")) : .data(Data(count: byteCount))
        var timeouts = Timeouts.none
        timeouts.idle = .seconds(10)
        let request = self.post(body)
        let answering = Task { [timeouts] in try await scene.answer(to: request, timeouts: timeouts) }
        var number = 0
        while done.value < .max {
            // Of two reads, at least one lets the connection deliver the next piece.
            scene.clock.advance(by: .seconds(4))
            number += 1
            allowed.update { $0 = number }
            await done.wait { [number] in $0 >= number }
        }
        #expect(try await answering.value.text == "\(byteCount)")
        #expect(scene.clock.now >= ClockInstant(nanoseconds: 20_000_000_000))
    }

    @Test(arguments: [0..<10, 3..<7, 9..<10, 4..<4])
    func `a part of a file arrives with its own length`(range: Range<Int64>) async throws {
        let file = self.folder.file("file")
        try self.folder.write("0123456789", to: "file")
        let identity = try await ReadableFile.identity(path: file.path)
        let scene = Scene { _ in .response() }
        let body = RequestBody.file(file, part: RequestBody.FilePart(range, of: identity))
        _ = try await scene.answer(to: self.post(body))
        expectEqual(scene.server.requests.first?.text, (range.lowerBound..<range.upperBound).map(String.init).joined())
        #expect(scene.server.requests.first?.fields[.contentLength] == "\(range.count)")
    }

    @Test func `a part of a file that has changed since is not sent`() async throws {
        let file = self.folder.file("file")
        try self.folder.write("0123456789", to: "file")
        let identity = try await ReadableFile.identity(path: file.path)
        let part = RequestBody.FilePart(0..<5, of: identity)
        try self.folder.write("012345678", to: "file")
        let scene = Scene { _ in .response() }
        let failure = await scene.failure(of: self.post(.file(file, part: part)))
        #expect(failure?.ending == Ending(.uploadFailed(.fileChanged), in: .prepare))
        #expect(scene.connector.attemptCount == 0)
    }

    @Test func `a stream of unknown length is sent in chunks, empty pieces left out`() async throws {
        let scene = Scene { _ in .response() }
        _ = try await scene.answer(to: self.post(.stream(self.stream(["one", "", "two"]))))
        #expect(scene.server.requests.first?.text == "onetwo")
        #expect(scene.server.requests.first?.fields[.transferEncoding] == "chunked")
    }

    @Test func `a stream of known length is sent with it`() async throws {
        let scene = Scene { _ in .response() }
        _ = try await scene.answer(to: self.post(.stream(self.stream(["one", "two"]), length: 6)))
        #expect(scene.server.requests.first?.text == "onetwo")
        #expect(scene.server.requests.first?.fields[.contentLength] == "6")
    }

    @Test(arguments: [0, 3, 5, 7] as [Int64])
    func `a stream of another length than announced fails, and the server gets no whole request`(
        length: Int64
    ) async throws {
        let scene = Scene { _ in .response() }
        let failure = await scene.failure(of: self.post(.stream(self.stream(["one", "", "two"]), length: length)))
        #expect(failure?.ending == Ending(.uploadFailed(.lengthMismatch(announced: length)), in: .send))
        try await scene.connector.waitForServers()
        #expect(scene.server.requests.isEmpty)
        scene.expectNoLeak(idle: 0)
    }

    @Test func `a stream of nothing, announced as that, is a request without a body`() async throws {
        let scene = Scene { _ in .response() }
        _ = try await scene.answer(to: self.post(.stream(self.stream(["", ""]), length: 0)))
        #expect(scene.server.requests.first?.fields[.contentLength] == "0")
        #expect(scene.server.requests.first?.body == [])
    }

    @Test func `what a stream gives before its last piece does not wait for its end`() async throws {
        let (stream, continuation) = AsyncStream<[UInt8]>.makeStream()
        let observer = RecordingObserver()
        let scene = Scene { _ in .response() }
        let request = self.post(.stream(stream, length: 6))
        let calling = Task { try await scene.answer(to: request, observer: observer) }
        continuation.yield(Array("one".utf8))
        try await eventually("the first piece is sent") { observer.sent == [3] }
        continuation.yield(Array("two".utf8))
        continuation.finish()
        _ = try await calling.value
        #expect(observer.sent == [3, 6])
        #expect(scene.server.requests.map(\.text) == ["onetwo"])
    }

    @Test(arguments: [[], ["one"], ["one", "two"]])
    func `a stream that throws fails with its type and nothing of its content`(pieces: [String]) async throws {
        let scene = Scene { _ in .response() }
        let failure = await scene.failure(of: self.post(.stream(self.stream(pieces, error: Broken()))))
        #expect(failure?.ending == Ending(.uploadFailed(.streamFailed(type: "Broken")), in: .send))
        #expect(scene.server.requests.isEmpty)
        scene.expectNoLeak(idle: 0)
    }

    @Test func `a stream that gives up by itself, as if it were cancelled, ends the call`() async throws {
        let scene = Scene { _ in .response() }
        let failure = await scene.failure(of: self.post(.stream(self.stream(["one"], error: CancellationError()))))
        #expect(failure?.ending == Ending(.uploadFailed(.streamFailed(type: "CancellationError")), in: .send))
        scene.expectNoLeak(idle: 0)
    }

    @Test func `a file that does not exist fails before anything is sent`() async throws {
        let scene = Scene { _ in .response() }
        let failure = await scene.failure(of: self.post(.file(self.folder.file("no"))))
        #expect(failure?.ending == Ending(.uploadFailed(.fileNotFound), in: .prepare))
        let folder = await scene.failure(of: self.post(.file(self.folder.url)))
        #expect(folder?.ending == Ending(.uploadFailed(.notAFile), in: .prepare))
        #expect(scene.connector.attemptCount == 0)
    }

    @Test func `a file that becomes shorter while it is sent fails`() async throws {
        try self.folder.write(String(repeating: "x", count: 2_000_000), to: "file")
        let mayRead = Suspension<Void>()
        let connector = MemoryConnector { connection in
            _ = try await connection.readHead()
            await mayRead.wait(onCancel: ())
            await connection.waitForEnd()
        }
        let transport = HTTPTransport(HTTPTransportConfiguration(), connector: connector)
        let request = self.post(.file(self.folder.file("file")))
        let observer = RecordingObserver()
        let call = HTTPCall(
            request,
            to: try request.destination(),
            timeouts: .none,
            clock: SystemClock(),
            observer: observer
        )
        let calling = Task { try await transport.respond(to: call) }
        try await connector.waitForOpen(1)
        try self.folder.truncate("file", to: 1000)
        mayRead.resume(with: ())
        let failure = await #expect(throws: ClientError.self) { try await calling.value }
        #expect(failure?.ending == Ending(.uploadFailed(.fileChanged), in: .send))
        #expect(connector.openCount == 0)
    }

    @Test func `a body on TRACE is refused`() async throws {
        let scene = Scene { _ in .response() }
        let request = Request(.post, "http://test/").body(data: Data("x".utf8))
        var call = try scene.call(request)
        call.request.method = .trace
        let failure = await #expect(throws: ClientError.self) { try await scene.transport.respond(to: call) }
        #expect(failure?.fault == .invalidRequest(.bodyNotAllowed(method: "TRACE")))
    }

    @Test func `a framing field of the caller's own is refused`() async throws {
        let scene = Scene { _ in .response() }
        var request = Request(.get, "http://test/")
        request.fields[.transferEncoding] = "chunked"
        let failure = await scene.failure(of: request)
        guard case .invalidRequest(.framingField, _)? = failure else {
            Issue.record("\(String(describing: failure))")
            return
        }
        #expect(scene.connector.attemptCount == 0)
    }

    @Test func `a connection serves the next request after an upload`() async throws {
        let scene = Scene { _ in .response() }
        _ = try await scene.answer(to: self.post(.data(Data("small".utf8))))
        #expect(try await scene.answer().isReused)
    }

    @Test func `a server that ends before the upload does is reported as lost`() async throws {
        let scene = Scene([.receiveHead, .send(.close)])
        let failure = await scene.failure(of: self.post(.data(Data(count: 300_000))))
        #expect(failure?.isConnectivity == true)
        scene.expectNoLeak(idle: 0)
    }
}
