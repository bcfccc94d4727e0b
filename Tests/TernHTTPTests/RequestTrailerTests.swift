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

/// Tests trailer fields after the body of a request, for every kind of body (RFC 9110 §6.5, §6.6.2).
@Suite("Trailers of requests", .hangLimit)
struct RequestTrailerTests {
    private struct Refusal: Error {}

    private static let sum = HTTPField.Name("X-Sum") ?? .cookie

    private let folder: TemporaryFolder

    init() throws { self.folder = try TemporaryFolder() }

    /// Sends a request, and returns the bytes that the server receives, and the end of the call.
    private func exchange(
        _ body: RequestBody,
        expectContinueThreshold: Int64? = nil
    ) async throws -> (request: ReceivedRequest?, fault: Fault?) {
        var configuration = HTTPTransportConfiguration()
        configuration.expectContinueThreshold = expectContinueThreshold
        let scene = TransportScene(ScriptedServer { _ in .response(body: "ok") }, configuration)
        let fault = await scene.failure(of: Request(.post, "http://test/").body(body))?.fault
        return (scene.server.requests.first, fault)
    }

    /// Returns bodies of each kind with the same text; the last one is a form with a file.
    private func bodies(of text: String) throws -> [RequestBody] {
        try self.folder.write(text, to: "file")
        let file = self.folder.file("file")
        let pieces = text.map { Data(String($0).utf8) }
        return [
            .data(Data(text.utf8)), .file(file), .stream(Pieces(pieces)),
            .stream(Pieces(pieces), length: Int64(text.utf8.count)), .replayableStream { Pieces(pieces) },
        ]
    }

    /// A sequence of pieces.
    private struct Pieces: AsyncSequence, Sendable {
        struct Iterator: AsyncIteratorProtocol {
            var base: IndexingIterator<[Data]>

            mutating func next() async -> Data? { self.base.next() }
        }

        let pieces: [Data]

        init(_ pieces: [Data]) { self.pieces = pieces }

        func makeAsyncIterator() -> Iterator { Iterator(base: self.pieces.makeIterator()) }
    }

    // MARK: Each kind of body

    @Test(arguments: ["hello world", ""])
    func `every kind of body is followed by fields that were given`(_ text: String) async throws {
        for body in try self.bodies(of: text) {
            let (received, fault) = try await self.exchange(body.trailers([.eTag: "\"1\"", Self.sum: "7"]))
            let request = try #require(received)
            #expect(fault == nil)
            #expect(request.text == text)
            #expect(request.fields[.transferEncoding] == "chunked" && !request.fields.contains(.contentLength))
            #expect(request.fields[.trailer] == "ETag, X-Sum")
            #expect(request.trailers == [.eTag: "\"1\"", Self.sum: "7"])
        }
    }

    @Test(arguments: ["hello world", ""])
    func `every kind of body is followed by fields that are made of its content`(_ text: String) async throws {
        for body in try self.bodies(of: text) {
            let summed = body.trailers(announcing: [Self.sum], into: 0) { sum, piece in
                sum = piece.reduce(sum) { $0 + Int($1) }
            } finish: { sum in
                [Self.sum: "\(sum)"]
            }
            let request = try #require(try await self.exchange(summed).request)
            #expect(request.text == text)
            #expect(request.fields[.trailer] == "X-Sum")
            #expect(request.trailers == [Self.sum: "\(text.utf8.reduce(0) { $0 + Int($1) })"])
        }
    }

    @Test func `a form with a file has them behind its last boundary`() async throws {
        try self.folder.write("hello", to: "file")
        let form = Multipart().file("photo", self.folder.file("file"))
        let base = Request(.post, "http://test/").body(multipart: form)
        let body = try #require(base.body).trailers(announcing: [Self.sum], into: 0) { count, piece in
            count += piece.count
        } finish: { count in
            [Self.sum: "\(count)"]
        }
        let request = try #require(try await self.exchange(body).request)
        #expect(request.text.contains("hello"))
        #expect(request.trailers == [Self.sum: "\(request.body.count)"])
    }

    @Test func `fields of several kinds stand in the order in which they were added`() async throws {
        let body = RequestBody.data(Data("hello".utf8)).trailers([.eTag: "\"1\""])
            .trailers(announcing: [Self.sum, .eTag]) { [Self.sum: "7", .lastModified: "now"] }
        let request = try #require(try await self.exchange(body).request)
        #expect(request.fields[.trailer] == "ETag, X-Sum")
        #expect(request.trailers == [.eTag: "\"1\"", Self.sum: "7", .lastModified: "now"])
    }

    @Test func `what may not be a trailer is neither announced nor sent`() async throws {
        let fields: HTTPFields = [.authorization: "secret", .contentLength: "9", .cookie: "a=b", Self.sum: "7"]
        let request = try #require(try await self.exchange(.data(Data("hello".utf8)).trailers(fields)).request)
        #expect(request.fields[.trailer] == "X-Sum")
        #expect(request.trailers == [Self.sum: "7"])
        let none = RequestBody.data(Data("hello".utf8)).trailers([.authorization: "secret"])
        let bare = try #require(try await self.exchange(none).request)
        #expect(!bare.fields.contains(.trailer) && bare.trailers.isEmpty && bare.text == "hello")
    }

    @Test func `a body without trailers is sent as ever`() async throws {
        let request = try #require(try await self.exchange(.data(Data("hello".utf8))).request)
        #expect(request.fields[.contentLength] == "5")
        #expect(!request.fields.contains(.trailer) && !request.fields.contains(.transferEncoding))
    }

    // MARK: Failures

    @Test func `a computation that throws ends the call, and the body has no end`() async throws {
        let text = "hello"
        for body in try self.bodies(of: text) {
            let failing = [
                body.trailers(announcing: [Self.sum]) { throw Refusal() },
                body.trailers(announcing: [Self.sum], into: 0) { _, _ in
                    throw Refusal()
                } finish: { _ in
                    [:]
                },
                body.trailers(announcing: [Self.sum], into: 0) { _, _ in
                } finish: { _ in
                    throw Refusal()
                },
            ]
            for body in failing {
                let received = Journal<String>()
                let clock = ManualClock()
                let connector = MemoryConnector(plan: .accept(), clock: clock) { connection in
                    var text = ""
                    while let bytes = try? await connection.read() { text += String(decoding: bytes, as: UTF8.self) }
                    received.note(text)
                }
                var configuration = HTTPTransportConfiguration()
                configuration.expectContinueThreshold = nil
                let transport = HTTPTransport(configuration, connector: connector, clock: clock)
                let request = Request(.post, "http://test/").body(body)
                let call = HTTPCall(request, to: try request.destination(), timeouts: .none, clock: clock)
                let fault = await ClientTestSupport.fault { () async throws(ClientError) in
                    try await transport.respond(to: call)
                }
                #expect(fault == .uploadFailed(.streamFailed(type: "Refusal")))
                #expect(await received.wait(for: 1).allSatisfy { !$0.hasSuffix("0\r\n\r\n") })
                #expect(transport.connectionCounts.idle == 0)
            }
        }
    }

    @Test(arguments: [4, 6])
    func `a stream in chunks still has the length that was announced`(length: Int64) async throws {
        let body = RequestBody.stream(Pieces([Data("he".utf8), Data("llo".utf8)]), length: length)
        let fault = try await self.exchange(body.trailers([Self.sum: "7"])).fault
        #expect(fault == .uploadFailed(.lengthMismatch(announced: length)))
    }

    // MARK: Other parts of the message

    @Test func `whether a body waits for 100 Continue depends on its length as without trailers`() async throws {
        let body = RequestBody.data(Data("hello".utf8)).trailers([Self.sum: "7"])
        let short = try #require(try await self.exchange(body, expectContinueThreshold: 6).request)
        #expect(!short.fields.contains(.expect))
        let received = Journal<HTTPFields>()
        let clock = ManualClock()
        let connector = MemoryConnector(plan: .accept(), clock: clock) { connection in
            guard var request = try await connection.readHead() else { return }
            try await connection.write("HTTP/1.1 100 Continue\r\n\r\n")
            try await connection.readBody(of: &request)
            received.note(request.trailers)
            try await connection.write("HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\nhi")
            await connection.waitForEnd()
        }
        var configuration = HTTPTransportConfiguration()
        configuration.expectContinueThreshold = 5
        let transport = HTTPTransport(configuration, connector: connector, clock: clock)
        let request = Request(.post, "http://test/").body(body)
        let call = HTTPCall(request, to: try request.destination(), timeouts: .none, clock: clock)
        #expect(try await transport.respond(to: call).body.text() == "hi")
        #expect(await received.wait(for: 1) == [[Self.sum: "7"]])
    }

    @Test(arguments: [nil, 3] as [Int64?])
    func `a writer announces what it ends the body with`(length: Int64?) async throws {
        var configuration = HTTPTransportConfiguration()
        configuration.expectContinueThreshold = nil
        let server = ScriptedServer { _ in .response(body: "ok") }
        let scene = TransportScene(server, configuration)
        let (body, writer) = RequestBody.makeWriter(length: length, announcing: [Self.sum, .authorization])
        async let answer = scene.answer(to: Request(.post, "http://test/").body(body))
        try await writer.write("one".utf8)
        writer.finish(trailers: [Self.sum: "7", .authorization: "secret"])
        #expect(try await answer.text == "ok")
        let request = try #require(server.requests.first)
        #expect(request.text == "one")
        #expect(request.fields[.trailer] == "X-Sum")
        #expect(request.trailers == [Self.sum: "7"])
    }

    @Test func `progress tells the length of a body in chunks, if it is known`() async throws {
        let observer = ProgressObserver()
        let scene = TransportScene(ScriptedServer { _ in .response(body: "ok") })
        let body = RequestBody.data(Data("hello".utf8)).trailers([Self.sum: "7"])
        _ = try await scene.answer(to: Request(.post, "http://test/").body(body), observer: observer)
        #expect(observer.sent.all == ["5 of 5"])
    }

    private final class ProgressObserver: TransferObserver {
        let sent = Journal<String>()

        func didSend(_ byteCount: Int64, of total: Int64?) { self.sent.note("\(byteCount) of \(total ?? -1)") }

        func didReach(_ milestone: ExchangeMilestone) {}
        func didReceive(_ byteCount: Int64, of total: Int64?) {}
        func didReceiveInformational(_ response: HTTPResponse) {}
    }
}
