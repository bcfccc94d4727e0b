// SPDX-License-Identifier: Apache-2.0
import ClientTestSupport
import HTTPTypes
import Tern
import TernTesting
import TernTransfers
import TestSupport
import Testing

@Suite("A durable download from a server that throttles", .hangLimit)
struct ThrottledTransferTests {
    private static let policy = ResumptionPolicy(maximumAttemptCount: 200, backoff: Backoff(initialDelay: .zero))

    @Test(arguments: [1, 3])
    func `a few bytes at a time, refusals and cuts cost no byte`(count: Int) async throws {
        let scene = try ParallelScene(
            RangeServer(RangeServer.content(400)),
            plan: .accept(toClient: [.drip(bytesPerPiece: 7)])
        ) { server, request, number in
            switch number % 3 {
            case 0: .response(.tooManyRequests, fields: [.retryAfter: "0"])
            case 1: server.answer(request).cut(afterBodyByteCount: 50)
            default: server.answer(request).cut(afterBodyByteCount: 100)
            }
        }
        let first = try ParallelScene(RangeServer(RangeServer.content(400)), in: scene.folder) { server, request, _ in
            server.answer(request).cut(afterBodyByteCount: 30)
        }
        #expect(await first.failure(1) != nil)
        let result = try await scene.download(
            count,
            Self.policy,
            pieces: PieceLength(minimum: 60, maximum: 60)
        )
        #expect(result.restart == nil && result.resumedByteCount == 30)
        scene.expectComplete()
        #expect(scene.requests.allSatisfy { $0.firstByte != nil })
    }

    @Test func `the time that the server asks for is waited for each time`() async throws {
        let refusal = Conduct.status(.tooManyRequests, [.retryAfter: "5"])
        let scene = try TransferScene(.cut(afterBodyByteCount: 40), refusal, refusal)
        let calling = Task { try await scene.download() }
        for _ in 0..<2 {
            try await scene.clock.waitForScheduled(in: .seconds(5))
            scene.clock.advance(by: .seconds(5))
        }
        #expect(try await calling.value.restart == nil)
        scene.expectComplete()
        #expect(scene.ranges == [nil] + Array(repeating: "bytes=40-", count: 3))
    }
}
