// SPDX-License-Identifier: Apache-2.0
import ClientTestSupport
import Foundation
import HTTPTypes
import NIOCore
import Synchronization
import Tern
import TernTesting
import TernTransport
import TestSupport
import Testing

@Suite("What a refusal keeps of the body", .hangLimit)
struct BodyExcerptTests {
    /// A body that delivers one byte every 30 seconds, without end.
    private final class Drip: ResponseBodySource {
        let length: Int64? = nil
        let clock: ManualClock
        let count = Mutex(0)

        init(_ clock: ManualClock) { self.clock = clock }

        func next(atLeast byteCount: Int) async throws(ClientError) -> ByteBuffer? {
            self.clock.advance(by: .seconds(30))
            self.count.withLock { $0 += 1 }
            return ByteBuffer(string: "x")
        }

        func discard() {}
    }

    @Test func `a server that drips delays the error no longer than a second`() async throws {
        let clock = ManualClock()
        let drip = Drip(clock)
        let (_, response) = try await ClientScene { _ in .response(.badGateway) }.client.data(from: testURL)
        let client = Client(transport: Relay(drip: drip, response: response), clock: clock)
        let error = await failure { () async throws(ClientError) in
            try await client.data(for: Request(url: testURL).validate(.success))
        }
        guard case .validationFailed(let failure, _)? = error else {
            Issue.record("\(String(describing: error))")
            return
        }
        #expect(failure.body == Data("x".utf8))  // one byte takes 30 s; the limit is one second
        #expect(!failure.isBodyComplete)
        #expect(drip.count.withLock { $0 } == 1)
    }

    @Test(arguments: [false, true])
    func `a server that drips delays the error of events and bytes no longer than a second`(
        hasEvents: Bool
    ) async throws {
        let clock = ManualClock()
        let drip = Drip(clock)
        let (_, response) = try await ClientScene { _ in .response(.badGateway) }.client.data(from: testURL)
        let client = Client(transport: Relay(drip: drip, response: response), clock: clock)
        let error = await failure { () async throws(ClientError) in
            if hasEvents {
                _ = try await client.events(from: testURL)
            } else {
                _ = try await client.bytes(for: Request(url: testURL).validate(.success))
            }
        }
        guard case .validationFailed(let failure, _)? = error else {
            Issue.record("\(String(describing: error))")
            return
        }
        #expect(failure.body == Data("x".utf8) && !failure.isBodyComplete)
        #expect(drip.count.withLock { $0 } == 1)
    }

    @Test(arguments: [false, true])
    func `a server that drips delays the error of a WebSocket and a durable download no longer than a second`(
        isDownload: Bool
    ) async throws {
        let (clock, folder) = (ManualClock(), try TemporaryFolder())
        let drip = Drip(clock)
        let (_, response) = try await ClientScene { _ in .response(.forbidden) }.client.data(from: testURL)
        let client = Client(transport: Relay(drip: drip, response: response), clock: clock)
        let error = await failure { () async throws(ClientError) in
            if isDownload {
                _ = try await client.download(from: testURL, to: folder.file("x"), resuming: .manual)
            } else {
                _ = try await client.webSocket(from: testURL)
            }
        }
        switch error {
        case .validationFailed(let failure, _)? where isDownload:
            #expect(failure.body == Data("x".utf8) && !failure.isBodyComplete)
        case .webSocketRefused(let failure, _)? where !isDownload:
            #expect(failure.body == Data("x".utf8) && !failure.isBodyComplete)
        default: Issue.record("\(String(describing: error))")
        }
        #expect(drip.count.withLock { $0 } == 1)
    }

    @Test(arguments: [
        "HTTP/1.1 500 E\r\nContent-Type: text/event-stream\r\nContent-Length: 9\r\n\r\ntick",
        "HTTP/1.1 200 OK\r\nContent-Type: text/plain\r\nContent-Length: 9\r\n\r\ntick",
        "HTTP/1.1 500 E\r\nContent-Length: 9\r\n\r\n",
    ])
    func `a server that is silent after the head delays the error no longer than a second`(
        answer: String
    ) async throws {
        let scene = ClientScene { _ in .raw(answer, ending: .stall) }
        let call = Task {
            await failure { () async throws(ClientError) in try await scene.client.events(from: testURL) }
        }
        // The client has the head: no other step sets a timer of one second.
        try await scene.clock.waitForScheduled(in: .seconds(1))
        scene.clock.advance(by: .seconds(1))
        let error = await call.value
        guard case .validationFailed(let refused, let context)? = error else {
            Issue.record("\(String(describing: error))")
            return
        }
        #expect(!refused.isBodyComplete)
        #expect(context.elapsed == .seconds(1))
        try await scene.waitForNoExchange()
    }

    @Test func `a short idle timeout is also the limit of a refused body`() async throws {
        let scene = ClientScene { _ in .raw("HTTP/1.1 500 E\r\nContent-Length: 9\r\n\r\ntick", ending: .stall) }
        let call = Task {
            await failure { () async throws(ClientError) in
                try await scene.client.data(
                    for: Request(url: testURL).validate(.success).timeouts(Timeouts(idle: .milliseconds(200)))
                )
            }
        }
        try await scene.clock.waitForScheduled(in: .milliseconds(200))
        scene.clock.advance(by: .milliseconds(200))
        #expect(await call.value?.status == .internalServerError)
    }

    @Test func `send waits for an unwanted body no longer than for a silent server`() async throws {
        let clock = ManualClock()
        let drip = Drip(clock)
        let (_, response) = try await ClientScene { _ in .response() }.client.data(from: testURL)
        let client = Client(transport: Relay(drip: drip, response: response), clock: clock)
        #expect(try await client.send(Request(.delete, testURL)).statusCode == 200)
        #expect(drip.count.withLock { $0 } == 3)
    }

    private struct Relay: Transport {
        let drip: Drip
        let response: Response

        func respond(to call: HTTPCall) async throws(ClientError) -> HTTPReply {
            HTTPReply(response: self.response, body: ResponseBody(self.drip))
        }
    }

    @Test func `a download that is refused leaves no file, and keeps what the server said`() async throws {
        let folder = try TemporaryFolder()
        let scene = ClientScene { _ in .response(.notFound, body: "gone") }
        let error = await failure { () async throws(ClientError) in
            try await scene.client.download(for: Request(url: testURL).validate(), to: folder.file("x"))
        }
        guard case .validationFailed(let failure, _)? = error else {
            Issue.record("\(String(describing: error))")
            return
        }
        #expect(failure.body == Data("gone".utf8) && failure.isBodyComplete)
        #expect(try folder.names.isEmpty)
    }

    @Test func `a problem of any size is read as far as the limit`() async throws {
        let json = #"{"title":"\#(String(repeating: "x", count: 200_000))"}"#
        let scene = ClientScene { _ in
            .raw(
                "HTTP/1.1 400 B\r\nContent-Type: application/problem+json\r\nContent-Length: 100000000\r\n\r\n\(json)",
                ending: .stall
            )
        }
        let error = await failure { () async throws(ClientError) in
            try await scene.client.data(for: Request(url: testURL).validate(.success))
        }
        #expect(error?.problemDetails == nil)
        guard case .validationFailed(let failure, _)? = error else {
            Issue.record("\(String(describing: error))")
            return
        }
        #expect(failure.body.count == 64 << 10)
        try await scene.waitForNoExchange()
    }

    @Test(arguments: [-1, 0])
    func `nothing is kept where that is wanted`(kept: Int) async {
        var configuration = Client.Configuration()
        configuration.maximumErrorBodyByteCount = kept
        let scene = ClientScene(configuration) { .response($0.target == "/" ? .notFound : .ok, body: "text") }
        let refused = await failure { () async throws(ClientError) in
            try await scene.client.send(Request(.post, testURL))
        }
        let undecoded = await failure { () async throws(ClientError) in
            try await scene.client.value(for: Request(.get, "http://test/ok"), as: Int.self)
        }
        guard case .validationFailed(let first, _)? = refused, case .decodingFailed(let second, _)? = undecoded else {
            Issue.record("\(String(describing: refused)), \(String(describing: undecoded))")
            return
        }
        #expect(first.body.isEmpty && !first.isBodyComplete)
        #expect(second.body.isEmpty && !second.isBodyComplete)
    }

    @Test func `a problem is read where it is whole`() async {
        let json = #"{"type":"https://example.com/p","title":"Out of credit","status":403,"balance":30}"#
        let scene = ClientScene { _ in
            .raw(
                "HTTP/1.1 403 F\r\nContent-Type: application/problem+json\r\nContent-Length: \(json.utf8.count)\r\n\r\n\(json)"
            )
        }
        let error = await failure { () async throws(ClientError) in
            try await scene.client.send(Request(.post, testURL))
        }
        #expect(error?.problemDetails?.title == "Out of credit")
        #expect(error?.problemDetails?.extensions["balance"] == .integer(30))
    }
}
