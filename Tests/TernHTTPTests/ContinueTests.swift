// SPDX-License-Identifier: Apache-2.0
import ClientTestSupport
import HTTPTypes
import NIOCore
import Synchronization
import TernConnections
import TernErrors
import TernFoundation
import TernHTTP
import TernRequests
import TernTesting
import TernTransport
import TestSupport
import Testing

/// Records interim responses and progress.
final class RecordingObserver: TransferObserver {
    private let log = Mutex<(informational: [Int], sent: [Int64], received: [Int64])>(([], [], []))
    private let reached = Mutex<[ExchangeMilestone]>([])

    var milestones: [ExchangeMilestone] { self.reached.withLock { $0 } }

    var informational: [Int] { self.log.withLock { $0.informational } }
    var sent: [Int64] { self.log.withLock { $0.sent } }
    var received: [Int64] { self.log.withLock { $0.received } }

    func didReach(_ milestone: ExchangeMilestone) { self.reached.withLock { $0.append(milestone) } }
    func didSend(_ byteCount: Int64, of total: Int64?) { self.log.withLock { $0.sent.append(byteCount) } }
    func didReceive(_ byteCount: Int64, of total: Int64?) { self.log.withLock { $0.received.append(byteCount) } }
    func didReceiveInformational(_ response: HTTPResponse) {
        self.log.withLock { $0.informational.append(response.status.code) }
    }
}

@Suite("RFC 9110 §10.1.1 and §15.2: interim responses and 100-continue", .hangLimit)
struct ContinueTests {
    private static let proceed = ScriptedResponse.raw("HTTP/1.1 100 Continue\r\n\r\n")

    private var request: Request {
        var request = Request(.post, "http://test/").body(data: Data("the body".utf8))
        request.options.expectsContinue = true
        return request
    }

    /// Returns a server that reads a head, sends a text, and then reads the body and answers.
    private static func server(
        _ interim: ScriptedResponse?,
        log: @escaping @Sendable (ReceivedRequest) -> Void = { _ in }
    ) -> MemoryConnector.Server {
        { connection in
            guard var request = try await connection.readHead() else { return }
            if let interim { try await connection.send(interim) }
            try await connection.readBody(of: &request)
            log(request)
            try await connection.send(.response(body: request.text))
        }
    }

    private func transport(
        _ clock: ManualClock,
        server: @escaping MemoryConnector.Server
    ) -> (HTTPTransport, MemoryConnector) {
        let connector = MemoryConnector(clock: clock, connection: server)
        return (HTTPTransport(HTTPTransportConfiguration(), connector: connector, clock: clock), connector)
    }

    private func respond(
        _ transport: HTTPTransport,
        _ clock: ManualClock,
        _ observer: RecordingObserver? = nil
    ) async throws -> Answer {
        let destination = try self.request.destination()
        let call = HTTPCall(self.request, to: destination, timeouts: .none, clock: clock, observer: observer)
        let reply = try await transport.respond(to: call)
        return Answer(status: reply.response.statusCode, text: try await reply.body.text())
    }

    @Test func `interim responses are told, and the final one is the answer`() async throws {
        let scene = Scene { _ in
            ScriptedResponse.raw(
                "HTTP/1.1 103 Early Hints\r\n\r\nHTTP/1.1 102 Processing\r\n\r\nHTTP/1.1 204 Done\r\n\r\n"
            )
        }
        let observer = RecordingObserver()
        #expect(try await scene.answer(observer: observer).status == 204)
        #expect(observer.informational == [103, 102])
        scene.expectNoLeak(idle: 1)
    }

    @Test func `the body waits for 100 and then goes out`() async throws {
        let clock = ManualClock()
        let (transport, _) = self.transport(clock, server: Self.server(Self.proceed))
        let observer = RecordingObserver()
        #expect(try await self.respond(transport, clock, observer) == Answer(text: "the body"))
        #expect(observer.informational == [100])
    }

    @Test func `the body goes out unasked when no answer comes in time`() async throws {
        let clock = ManualClock()
        let (transport, _) = self.transport(clock, server: Self.server(nil))
        let answering = Task { try await self.respond(transport, clock) }
        try await clock.waitForScheduled(in: .seconds(1))
        clock.advance(by: .seconds(1))
        #expect(try await answering.value == Answer(text: "the body"))
    }

    @Test func `a 100 that comes late is no answer`() async throws {
        let clock = ManualClock()
        let mayAnswer = Suspension<Void>()
        let (transport, _) = self.transport(clock) { connection in
            guard var request = try await connection.readHead() else { return }
            try await connection.readBody(of: &request)
            try await connection.write("HTTP/1.1 100 Continue\r\n\r\n")
            await mayAnswer.wait(onCancel: ())
            try await connection.send(.response(.created))
        }
        let answering = Task { try await self.respond(transport, clock) }
        try await clock.waitForScheduled(in: .seconds(1))
        clock.advance(by: .seconds(1))
        mayAnswer.resume(with: ())
        #expect(try await answering.value.status == 201)
    }

    @Test func `a final answer instead of 100 is the answer, and the body is never sent`() async throws {
        let scene = Scene([.receiveHead, .send(.response(.unauthorized, body: "who?")), .receive])
        let answer = try await scene.answer(to: self.request)
        #expect(answer == Answer(status: 401, text: "who?"))
        // The server still expects the body, and would read the next bytes on the connection as the body.
        scene.expectNoLeak(idle: 0)
    }

    @Test func `a final answer in pieces instead of 100 ends the connection too`() async throws {
        let scene = Scene(
            ScriptedServer(steps: [
                .receiveHead, .send(.chunked(["a", "b", "c"], status: .forbidden)), .receive,
            ]),
            plan: .accept(toClient: [.drip(bytesPerPiece: 1)])
        )
        #expect(try await scene.answer(to: self.request) == Answer(status: 403, text: "abc"))
        scene.expectNoLeak(idle: 0)
    }

    @Test func `a client that expected by itself asks again without after a 417`() async throws {
        let refusal = ScriptedResponse.response(.expectationFailed)
        let scene = Scene([.receiveHead, .send(refusal)], [.respond(.response(body: "fine")), .receive])
        let request = Request(.post, "http://test/").body(data: Data(count: 1 << 20))
        #expect(try await scene.answer(to: request) == Answer(text: "fine"))
        let expect = try #require(HTTPField.Name("Expect"))
        #expect(scene.server.requests.map { $0.fields[expect] } == ["100-continue", nil])
        #expect(scene.server.requests.map(\.body.count) == [0, 1 << 20])
        scene.expectNoLeak(idle: 1)
    }

    @Test func `the request of a caller who expected is repeated, too`() async throws {
        let refusal = ScriptedResponse.response(.expectationFailed)
        let scene = Scene([.receiveHead, .send(refusal)], [.respond(.response(body: "fine")), .receive])
        #expect(try await scene.answer(to: self.request) == Answer(text: "fine"))
        let expect = try #require(HTTPField.Name("Expect"))
        #expect(scene.server.requests.map { $0.fields[expect] } == ["100-continue", nil])
        #expect(scene.server.requests.map(\.text) == ["", "the body"])
        scene.expectNoLeak(idle: 1)
    }

    /// A server that refuses the expectation late may have read a part of a stream, which a second request would lack.
    @Test(arguments: [true, false], [true, false])
    func `after a 417, a stream is sent again if it is whole or can be read twice`(
        isLate: Bool,
        isReplayable: Bool
    ) async throws {
        let refusal = ScriptedResponse.response(.expectationFailed)
        let fine = ScriptedServer.Step.respond(.response(body: "fine"))
        // After a late refusal, the connection may serve the second request, too.
        let first: [ScriptedServer.Step] = isLate ? [.respond(refusal), fine] : [.receiveHead, .send(refusal)]
        let scene = Scene(first, [fine, .receive])
        let pieces: @Sendable () -> AsyncStream<[UInt8]> = {
            AsyncStream { continuation in
                continuation.yield(Array("stream".utf8))
                continuation.finish()
            }
        }
        let body = isReplayable ? RequestBody.replayableStream(pieces) : .stream(pieces())
        let answering = Task { try await scene.answer(to: Request(.post, "http://test/").body(body)) }
        let answer: Answer
        if isLate {
            answer = try await scene.clock.advance(until: answering).get()
        } else {
            answer = try await answering.value
        }
        let isSentAgain = !isLate || isReplayable
        #expect(answer.status == (isSentAgain ? 200 : 417))
        #expect(scene.server.requests.count == (isSentAgain ? 2 : 1))
        #expect(scene.server.requests.last?.text == "stream")
    }

    @Test func `a second 417 is the answer`() async throws {
        let refusal = ScriptedResponse.response(.expectationFailed)
        let scene = Scene([.receiveHead, .send(refusal)], [.respond(refusal), .receive])
        #expect(try await scene.answer(to: self.request).status == 417)
        #expect(scene.server.requests.count == 2)
    }

    @Test func `small bodies do not wait, large ones and those of unknown length do`() async throws {
        let expect = try #require(HTTPField.Name("Expect"))
        let lengths: [Int64?] = [10, (1 << 20) - 1, 1 << 20, nil]
        for length in lengths {
            let scene = Scene { _ in .response() }
            let pieces = AsyncStream<[UInt8]> { continuation in
                continuation.yield(Array(repeating: 1, count: Int(length ?? 10)))
                continuation.finish()
            }
            let request = Request(.put, "http://test/").body(stream: pieces, length: length)
            let answering = Task { try await scene.answer(to: request) }
            let result = await scene.clock.advance(until: answering)
            #expect(try result.get().status == 200)
            #expect(scene.server.requests.map { $0.fields[expect] != nil } == [length ?? .max >= 1 << 20])
        }
    }

    @Test func `waiting for 100 ends with the connection, and with the task`() async throws {
        let scene = Scene([.receiveHead, .send(.close)])
        let failure = await scene.failure(of: self.request)
        #expect(failure?.ending == Ending(.connectionLost(.closed), in: .head))
        scene.expectNoLeak(idle: 0)

        let other = Scene([.receiveHead, .send(.stall)])
        let answering = Task { await other.failure(of: self.request) }
        try await other.server.waitForRequests(1)
        answering.cancel()
        #expect(await answering.value?.ending == Ending(.cancelled, in: .head))
        other.expectNoLeak(idle: 0)
    }
}
