// SPDX-License-Identifier: Apache-2.0
import ClientTestSupport
import HTTPTypes
import TernErrors
import TernFoundation
import TernHTTP
import TernRequests
import TernTesting
import TernTransport
import TestSupport
import Testing

/// Tests every fault at every byte of a response.
///
/// The call must fail with the right error, must not hang, and must leave no connection open.
@Suite("Faults at every byte", .hangLimit)
struct FaultTests {
    private static let head = "HTTP/1.1 200 OK\r\nContent-Length: 10\r\n\r\n"
    private static let response = Self.head + "0123456789"
    private static let chunkedHead = "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n"
    private static let chunked = Self.chunkedHead + "4\r\n0123\r\n6;x=y\r\n456789\r\n0\r\nX-T: t\r\n\r\n"
    private static let offsets = Array(0..<Self.response.utf8.count)
    private static let chunkedOffsets = Array(0..<Self.chunked.utf8.count)

    private func scene(_ text: String, _ adversities: Adversity...) -> Scene {
        Scene(plan: .accept(toClient: adversities)) { _ in .raw(text) }
    }

    private func expected(_ offset: Int, _ loss: ConnectionFailure) -> Ending {
        let head = Self.head.utf8.count
        return offset < head
            ? Ending(.connectionLost(loss), in: .head)
            : Ending(.truncated(received: Int64(offset - head), expected: 10), in: .body)
    }

    @Test(arguments: offsets)
    func `a cut`(offset: Int) async {
        let scene = self.scene(Self.response, .cut(afterByteCount: offset))
        #expect(await scene.failure()?.ending == self.expected(offset, .closed))
        scene.expectNoLeak(idle: 0)
        #expect(scene.connector.attemptCount == 1)
    }

    @Test(arguments: offsets)
    func `a reset`(offset: Int) async {
        let scene = self.scene(Self.response, .reset(afterByteCount: offset))
        #expect(await scene.failure()?.ending == self.expected(offset, .reset))
        scene.expectNoLeak(idle: 0)
    }

    @Test(arguments: offsets)
    func `a half-close`(offset: Int) async {
        let scene = self.scene(Self.response, .halfClose(afterByteCount: offset))
        #expect(await scene.failure()?.ending == self.expected(offset, .closed))
        scene.expectNoLeak(idle: 0)
    }

    @Test(arguments: offsets)
    func `a cut after drips of one byte`(offset: Int) async {
        let scene = self.scene(Self.response, .drip(bytesPerPiece: 1), .cut(afterByteCount: offset))
        #expect(await scene.failure()?.ending == self.expected(offset, .closed))
        scene.expectNoLeak(idle: 0)
    }

    @Test(arguments: chunkedOffsets)
    func `a cut, a reset and a half-close of a chunked response`(offset: Int) async throws {
        for fault in [
            Adversity.cut(afterByteCount: offset), .reset(afterByteCount: offset), .halfClose(afterByteCount: offset),
        ] {
            let scene = self.scene(Self.chunked, fault)
            switch try #require(await scene.failure()) {
            case .connectionLost(_, let context):
                #expect(offset < Self.chunkedHead.utf8.count)
                #expect(context.phase == .head)
            case .truncated(let received, nil, let context):
                #expect(offset >= Self.chunkedHead.utf8.count)
                #expect(received <= 10)
                #expect(context.phase == .body)
                #expect(context.response?.status == .ok)
            case let other:
                Issue.record("\(other)")
            }
            scene.expectNoLeak(idle: 0)
        }
    }

    @Test(arguments: [1, 2, 3, 7, 1000])
    func `drips change nothing`(size: Int) async throws {
        for text in [Self.response, Self.chunked] {
            let scene = self.scene(text, .drip(bytesPerPiece: size))
            #expect(try await scene.answer() == Answer(text: "0123456789"))
            #expect(try await scene.answer() == Answer(text: "0123456789", isReused: true))
            scene.expectNoLeak(idle: 1)
        }
    }

    /// The client provides the decoder; this transport has none.
    @Test func `a transfer coding without a decoder fails when the body is read`() async {
        let scene = self.scene("HTTP/1.1 200 OK\r\nTransfer-Encoding: gzip, chunked\r\n\r\n0\r\n\r\n")
        let failure = await scene.failure()
        guard case .protocolViolation(section: "RFC 9112 §6.1", _, let context)? = failure else {
            Issue.record("\(String(describing: failure))")
            return
        }
        #expect(context.phase == .body && context.response?.status == .ok)
        scene.expectNoLeak(idle: 0)
    }

    @Test(arguments: ["xyz", "chunked, gzip", "chunkedchunked"])
    func `a transfer coding that is not supported`(codings: String) async {
        let scene = self.scene("HTTP/1.1 200 OK\r\nTransfer-Encoding: \(codings)\r\n\r\n0\r\n\r\n")
        let failure = await scene.failure()
        guard case .protocolViolation(section: "RFC 9112 §6.1", _, let context)? = failure else {
            Issue.record("\(String(describing: failure))")
            return
        }
        #expect(context.phase == .head)
        #expect(scene.connector.attemptCount == 1)
        scene.expectNoLeak(idle: 0)
    }

    @Test(arguments: [0, 1, 16, 38])
    func `a stall in the head ends with the limit for the first byte`(offset: Int) async throws {
        let scene = self.scene(Self.response, .stall(afterByteCount: offset))
        let timeouts = Timeouts(connect: nil, connection: nil, firstByte: .seconds(7), idle: nil)
        let calling = Task { try await scene.answer(timeouts: timeouts) }
        try await scene.clock.waitForScheduled(in: .seconds(7))
        scene.clock.advance(by: .seconds(7))
        let failure = await #expect(throws: ClientError.self) { try await calling.value }
        #expect(failure?.ending == .timedOut(.firstByte, after: .seconds(7), in: .head))
        scene.expectNoLeak(idle: 0)
    }

    @Test(arguments: [39, 40, 48])
    func `a stall in the body ends with the limit for silence`(offset: Int) async throws {
        let scene = self.scene(Self.response, .stall(afterByteCount: offset))
        let timeouts = Timeouts(connect: nil, connection: nil, firstByte: .seconds(7), idle: .seconds(9))
        let reply = try await scene.reply(timeouts: timeouts)
        let body = reply.body
        let reading = Task { try await body.text() }
        let result = await scene.clock.advance(until: reading)
        let failure = #expect(throws: ClientError.self) { try result.get() }
        #expect(failure?.ending == .timedOut(.idle, after: .seconds(9), in: .body))
        #expect(failure?.context.response?.status == .ok)
        scene.expectNoLeak(idle: 0)
    }

    @Test func `a server that takes nothing of an upload ends with the limit for silence`() async throws {
        let scene = Scene(plan: .accept(toServer: [.stall(afterByteCount: 100)])) { _ in .response() }
        var request = Request(.post, "http://test/").body(data: Data(count: 300 << 10))
        request.options.expectsContinue = false
        let timeouts = Timeouts(connect: nil, connection: nil, firstByte: nil, idle: .seconds(9))
        let calling = Task { [request] in try await scene.answer(to: request, timeouts: timeouts) }
        let result = await scene.clock.advance(until: calling)
        let failure = #expect(throws: ClientError.self) { try result.get() }
        #expect(failure?.ending == .timedOut(.idle, after: .seconds(9), in: .send))
        scene.expectNoLeak(idle: 0)
    }

    @Test(arguments: [0, 1, 50, 200, 70_000])
    func `a reset towards the server ends an upload`(offset: Int) async throws {
        let scene = Scene(plan: .accept(toServer: [.reset(afterByteCount: offset)])) { _ in .response() }
        var request = Request(.post, "http://test/").body(data: Data(count: 300 << 10))
        request.options.expectsContinue = false
        let failure = await scene.failure(of: request)
        #expect(failure?.isConnectivity == true, "\(String(describing: failure))")
        scene.expectNoLeak(idle: 0)
        #expect(scene.connector.attemptCount == 1)
    }
}
