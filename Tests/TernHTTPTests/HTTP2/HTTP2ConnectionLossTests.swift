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

@Suite("HTTP/2: connections that end under their calls", .hangLimit)
struct HTTP2ConnectionLossTests {
    @Test(arguments: [false, true])
    func `each call fails by what it waits for`(isReset: Bool) async throws {
        let mayEnd = Suspension<Void>()
        let scene = Scene.http2 { peer in
            try await peer.handshake()
            guard let first = try await peer.nextRequest() else { return }
            try await peer.begin(first, "half", fields: [("content-length", "9")])
            for _ in 0..<2 { _ = try await peer.wait { $0.isRequest } }
            await mayEnd.wait(onCancel: ())
            if isReset { peer.connection.reset() } else { peer.connection.close() }
        }
        var reader = try await scene.head(of: "/body").body.makeReader()
        #expect(try await reader.text() == "half")
        let requests = [1, 300_000].map { Request(.post, "http://test/").body(data: Data(count: $0)) }
        let calls = requests.map { request in Task { await scene.failure(of: request) } }
        mayEnd.resume(with: ())
        do throws(ClientError) {
            while try await reader.next() != nil {}
            Issue.record("the body has an end")
        } catch {
            #expect(error.ending == Ending(.truncated(received: 4, expected: 9), in: .body))
        }
        for call in calls {
            let failure = await call.value
            #expect(failure?.ending == Ending(.connectionLost(isReset ? .reset : .closed), in: .head))
            #expect(failure?.context.delivery == .unknown)
        }
        try await scene.connector.waitForOpen(0)
        try await scene.expectSettled(idle: 0)
    }

    /// A transport whose first connections are lost before a call can write to them.
    private static func losing(_ brokenCount: Int) -> (HTTPTransport, MemoryConnector, ManualClock) {
        let clock = ManualClock()
        let base = MemoryConnector(version: .http2, clock: clock) { _ in .response(body: "fine") }
        let connector = DeadOnWriteConnector(base, brokenCount: brokenCount)
        return (HTTPTransport(.priorKnowledge, connector: connector, clock: clock), base, clock)
    }

    @Test(arguments: [11, 100]) func `a call that is late for many connections is not lost`(lateCount: Int) async throws
    {
        let (transport, base, clock) = Self.losing(lateCount)
        let request = Request(.post, "http://test/").body(data: Data("x".utf8))
        let call = HTTPCall(request, to: try request.destination(), timeouts: .none, clock: clock)
        let reply = try await transport.respond(to: call)
        #expect(try await reply.body.text() == "fine")
        #expect(base.attemptCount == lateCount + 1)
    }

    @Test func `a call that is always late fails`() async throws {
        let (transport, base, clock) = Self.losing(.max)
        let request = Request(.post, "http://test/").body(data: Data("x".utf8))
        let call = HTTPCall(request, to: try request.destination(), timeouts: .none, clock: clock)
        do throws(ClientError) {
            _ = try await transport.respond(to: call)
            Issue.record("the call got a response")
        } catch {
            #expect(error.ending == Ending(.connectionLost(.closed), in: .send))
            #expect(error.context.delivery == .notSent)
        }
        #expect(base.attemptCount == 101)
    }

    /// The reader of the session does not learn of the loss, as when it has not come to its turn yet.
    @Test func `a call that can write nothing goes to another connection at once`() async throws {
        let clock = ManualClock()
        let base = MemoryConnector(version: .http2, clock: clock) { _ in .response(body: "fine") }
        let connector = DeadOnWriteConnector(base)
        let transport = HTTPTransport(.priorKnowledge, connector: connector, clock: clock)
        let request = Request(.post, "http://test/").body(data: Data("x".utf8))
        let call = HTTPCall(request, to: try request.destination(), timeouts: .none, clock: clock)
        _ = try await transport.respond(to: call).body.text()
        connector.breakConnections()
        for _ in 0..<3 { #expect(try await transport.respond(to: call).body.text() == "fine") }
        #expect(connector.base.attemptCount == 2)
    }

    @Test func `a response that is complete when the connection ends is read`() async throws {
        let scene = Scene.http2 { peer in
            try await peer.handshake()
            guard let request = try await peer.nextRequest() else { return }
            try await peer.respond(to: request, String(repeating: "x", count: 100_000))
        }
        let reply = try await scene.reply()
        try await scene.connector.waitForOpen(0)
        #expect(try await reply.body.text().utf8.count == 100_000)
        withExtendedLifetime(scene) {}
    }

    @Test func `a writer that waits for a window learns that the connection has ended`() async throws {
        for openStream in [0, 1] {
            let mayEnd = Suspension<Void>()
            let scene = Scene.http2 { peer in
                try await peer.handshake()
                guard let request = try await peer.nextRequest() else { return }
                try await peer.begin(request)
                try await peer.send(.windowUpdate(openStream, 1 << 20))
                var byteCount = 0
                while byteCount < 65_535, let frame = try await peer.wait(for: { $0.isPart(of: request.stream) }) {
                    if case .data(_, let bytes, _) = frame { byteCount += bytes.count }
                }
                await mayEnd.wait(onCancel: ())
            }
            let (body, writer) = RequestBody.makeWriter()
            let reply = try await scene.reply(to: Request(.post, "http://test/").body(body))
            let hasFailed = Flag()
            Task {
                // No task reads the response.
                do { while true { try await writer.write([UInt8](repeating: 1, count: 10_000)) } } catch {}
                hasFailed.raise()
            }
            mayEnd.resume(with: ())
            try await eventually("the writing has failed") { hasFailed.isRaised }
            withExtendedLifetime((scene, reply)) {}
        }
    }

    @Test func `a server that ends the connection before its preface`() async throws {
        let scene = Scene.http2 { peer in
            _ = try await peer.readEarlyRequest()
        }
        #expect(await scene.failure()?.ending == Ending(.connectionLost(.closed), in: .head))
        try await scene.connector.waitForOpen(0)
        try await scene.expectSettled(idle: 0)
    }

    @Test func `an idle connection that ends without notice is replaced`() async throws {
        let scene = Scene.http2 { peer in
            try await peer.handshake()
            guard let request = try await peer.nextRequest() else { return }
            try await peer.respond(to: request, "\(peer.number)")
            if peer.number > 1 { await peer.connection.waitForEnd() }
        }
        #expect(try await scene.answer() == Answer(text: "1"))
        try await scene.connector.waitForOpen(0)
        #expect(try await scene.answer() == Answer(text: "2"))
        try await scene.expectSettled(idle: 1)
    }

    @Test func `a connection that ends when the next request is there sends it to another`() async throws {
        let scene = Scene.http2 { peer in
            try await peer.handshake()
            guard let request = try await peer.nextRequest() else { return }
            try await peer.respond(to: request, "\(peer.number)")
            if try await peer.nextRequest() != nil { peer.connection.reset() }
        }
        #expect(try await scene.answer() == Answer(text: "1"))
        #expect(try await scene.answer() == Answer(text: "2"))
        #expect(scene.connector.attemptCount == 2)
    }

    @Test func `calls that share a new connection are not sent again when it ends`() async throws {
        let requests = Journal<Int>()
        let scene = Scene.http2 { peer in
            try await peer.handshake()
            var isFirst = peer.number == 1
            while case .headers(let request)? = try await peer.wait(for: { $0.isRequest }) {
                requests.note(peer.number)
                if peer.number > 1 { try await peer.respond(to: request) }
                guard peer.number > 1 || isFirst else { return }
                isFirst = false
            }
        }
        // The connection was never idle, so nothing says that the server has closed it before it saw the requests.
        let calls = (0..<2).map { number in Task { await scene.error(of: "/\(number)") } }
        for call in calls { #expect(await call.value?.ending == Ending(.connectionLost(.closed), in: .head)) }
        #expect(requests.all == [1, 1])
    }

    // MARK: Many of all that

    /// The number of times that each path was processed.
    private final class Counts: Sendable {
        private let counts = Mutex<[String: Int]>([:])

        func count(_ path: String) { self.counts.withLock { $0[path, default: 0] += 1 } }
        var all: [String: Int] { self.counts.withLock { $0 } }
    }

    @Test(arguments: [1, 2, 3] as [UInt64])
    func `each of 300 calls is processed once, however often the server goes away`(seed: UInt64) async throws {
        let processed = Counts()
        let scene = Scene.http2 { peer in
            var random = SeededGenerator(seed: seed << 32 | UInt64(peer.number))
            let limit = Int.random(in: 3...20, using: &random)
            try await peer.handshake()
            var accepted: [HTTP2Headers] = []
            while accepted.count < limit, case .headers(let request)? = try await peer.wait(for: { $0.isRequest }) {
                processed.count(request.path)
                accepted.append(request)
                // The last one is answered only after the connection has gone away.
                if accepted.count < limit { try await peer.respond(to: request, request.path) }
            }
            guard accepted.count == limit, let last = accepted.last else { return }
            try await peer.send(.goAway(last: last.stream))
            try await peer.respond(to: last, last.path)
            await peer.connection.waitForEnd()
        }
        let (callCount, workerCount) = (300, 8)
        try await withThrowingTaskGroup { group in
            for worker in 0..<workerCount {
                group.addTask { () async throws in
                    for number in stride(from: worker, to: callCount, by: workerCount) {
                        var request = Request(number % 2 == 0 ? .get : .post, "http://test/\(number)")
                        if number % 2 == 1 { request = request.body(data: Data("body".utf8)) }
                        #expect(try await scene.answer(to: request).text == "/\(number)")
                    }
                }
            }
            try await group.waitForAll()
        }
        let counts = processed.all
        #expect(counts.count == callCount)
        #expect(counts.filter { $0.value != 1 }.isEmpty)
        try await eventually("no slot is lent") { scene.transport.connectionCounts.lent == 0 }
    }
}
