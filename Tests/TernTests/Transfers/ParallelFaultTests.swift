// SPDX-License-Identifier: Apache-2.0
import ClientTestSupport
import HTTPTypes
import Synchronization
import Tern
import TernDigests
import TernErrors
import TernTesting
import TernTransfers
import TestSupport
import Testing

@Suite("A durable download with several requests, from a server that changes, lies and breaks", .hangLimit)
struct ParallelFaultTests {
    private static let changed = RangeServer(RangeServer.content(200, version: 2), [.eTag: "\"v2\""])
    /// As many attempts as any order of the faults needs.
    ///
    /// Without a delay, attempts over HTTP/2 fail until the client has noticed that the connection is gone.
    private static let patient = ResumptionPolicy(maximumAttemptCount: 100_000, backoff: Backoff(initialDelay: .zero))

    // MARK: Changes

    @Test(arguments: [1, 2, 5, 19], [true, false])
    func `a resource that changes between requests begins again`(
        number: Int,
        checksCondition: Bool
    ) async throws {
        let scene = try ParallelScene { server, request, count in
            guard count >= number else { return server.answer(request) }
            return (checksCondition ? Conduct.honest : .ignoreCondition).answer(Self.changed, request)
        }
        let result = try await scene.download()
        expectEqual(scene.transfer.bytes(TransferScene.file), Self.changed.content)
        #expect(result.restart == .resourceChanged)
        #expect(result.resumedByteCount == 0)
        #expect(try scene.folder.names == [TransferScene.file])
    }

    @Test func `a resource that has changed since the last call begins again`() async throws {
        let folder = try await TransferScene.interrupted(after: 40, RangeServer(RangeServer.content(200)))
        let scene = try ParallelScene(Self.changed, in: folder)
        let result = try await scene.download()
        scene.expectComplete()
        #expect(result.restart == .resourceChanged)
        #expect(scene.requests.count == 1)
    }

    @Test func `a server that sends the whole file once is asked again, or begins again`() async throws {
        let scene = try ParallelScene { server, request, number in
            number == 3 ? server.whole : server.answer(request)
        }
        let result = try await scene.download(4, Self.patient)
        scene.expectComplete()
        #expect([nil, .rangesNotSupported].contains(result.restart))
    }

    // MARK: Lies

    @Test(arguments: RangeServer.Lie.allCases)
    func `a part against the rules is not used, and the call begins again`(lie: RangeServer.Lie) async throws {
        let scene = try ParallelScene { server, request, number in
            number == 4 ? server.answer(request, lie) : server.answer(request)
        }
        let result = try await scene.download()
        scene.expectComplete()
        #expect(result.restart == .invalidPart)
        #expect(scene.requests.filter { $0.firstByte == nil }.count == 1)
    }

    @Test(arguments: RangeServer.Lie.allCases)
    func `a server that always lies sends one response`(lie: RangeServer.Lie) async throws {
        let scene = try ParallelScene { server, request, _ in server.answer(request, lie) }
        let result = try await scene.download()
        scene.expectComplete()
        #expect(result.restart == .invalidPart)
    }

    // MARK: Cuts

    @Test(arguments: 0..<10)
    func `a cut at any byte of any part costs no byte`(byteCount: Int) async throws {
        let sent = Mutex(0)
        let scene = try ParallelScene(RangeServer(RangeServer.content(60))) { server, request, number in
            let answer = server.answer(request)
            let response = number < 8 ? answer.cut(afterBodyByteCount: byteCount) : answer
            sent.withLock { $0 += response.body.count }
            return response
        }
        let result = try await scene.download(3, Self.patient)
        scene.expectComplete()
        #expect(result.restart == nil)
        // Over HTTP/2, a cut ends all exchanges of the connection, with what they have not read.
        let sentByteCount = sent.withLock { $0 }
        #expect(TestedVersion.isHTTP2 ? sentByteCount >= 60 : sentByteCount == 60)
    }

    @Test(arguments: [0, 1, 20])
    func `a cut in any head is repeated`(byteCount: Int) async throws {
        let cuts = Mutex<Set<Int>>([])
        let scene = try ParallelScene { server, request, _ in
            let answer = server.answer(request)
            guard cuts.withLock({ $0.insert(request.firstByte ?? -1).inserted }) else { return answer }
            return answer.cut(afterByteCount: byteCount)
        }
        #expect(try await scene.download(4, Self.patient).restart == nil)
        scene.expectComplete()
    }

    @Test func `parts that are shorter than requested are continued`() async throws {
        let scene = try ParallelScene { server, request, _ in
            guard let first = request.firstByte, let end = request.endByte, end - first > 4 else {
                return server.answer(request)
            }
            return server.part(first..<first + 4)
        }
        #expect(try await scene.download(3, Self.patient).restart == nil)
        scene.expectComplete()
    }

    @Test func `without repetitions, a part that is shorter than requested ends the call`() async throws {
        let scene = try ParallelScene { server, request, number in
            (number == 0 ? Conduct.honest : .shorten(to: 4)).answer(server, request)
        }
        #expect(await scene.failure()?.fault == .truncated(received: 4, expected: nil))
    }

    // MARK: Refusals

    @Test(arguments: [.tooManyRequests, .serviceUnavailable] as [HTTPResponse.Status])
    func `a server that refuses further requests gets fewer`(status: HTTPResponse.Status) async throws {
        let scene = try ParallelScene { server, request, number in
            (1...3).contains(number) ? .response(status, body: "no") : server.answer(request)
        }
        #expect(try await scene.download(4, Self.patient).restart == nil)
        scene.expectComplete()
    }

    @Test func `a status that is final ends the call and keeps what has arrived`() async throws {
        let scene = try ParallelScene { server, request, number in
            number == 0 ? server.answer(request) : .response(.forbidden, body: "expired")
        }
        let error = await scene.failure(2, .immediate)
        #expect(error?.status == .forbidden)
        #expect(try scene.transfer.storedRecord().ranges == ByteRangeSet(0..<10))
        let later = try ParallelScene(in: scene.folder)
        _ = try await later.download()
        later.expectComplete()
    }

    @Test func `without repetitions, the first interruption ends the call`() async throws {
        let scene = try ParallelScene { server, request, number in
            number == 5 ? server.answer(request).cut(afterBodyByteCount: 3) : server.answer(request)
        }
        #expect(await scene.failure() != nil)
        let byteCount = try scene.transfer.storedRecord().ranges.byteCount
        let later = try ParallelScene(in: scene.folder)
        #expect(try await later.download().resumedByteCount == byteCount)
        later.expectComplete()
    }

    @Test func `a file that is too long is refused`() async throws {
        let scene = try ParallelScene()
        guard case .bodyTooLarge(limit: 100, _)? = await scene.failure(limit: 100) else {
            Issue.record("the call must fail")
            return
        }
        #expect(scene.transfer.bytes(TransferScene.file) == nil)
    }

    @Test func `a part whose digest is wrong removes everything`() async throws {
        var configuration = Client.Configuration()
        configuration.digestChecking = .ifPresent
        let wrong: HTTPFields = [.contentDigest: "sha-256=:uU0nuZNNPgilLlLX2n2r+sSE7+N6U4DukIj3rOLvzek=:"]
        let long = RangeServer(RangeServer.content(900_000))
        // In pieces, so that some bytes are in the file before the digest is compared.
        let plan = ConnectionPlan.accept(toClient: [.drip(bytesPerPiece: 50_000)])
        let scene = try ParallelScene(long, plan: plan, configuration: configuration) { server, request, number in
            guard number == 1 else { return server.answer(request) }
            var other = server
            other.fields = server.fields + wrong
            return other.answer(request)
        }
        let pieces = PieceLength(minimum: 300_000, maximum: 300_000)
        guard case .digestFailed? = await scene.failure(3, .immediate, pieces: pieces) else {
            Issue.record("the call must fail")
            return
        }
        let names = try scene.folder.names
        #expect(names == [])
    }
}
