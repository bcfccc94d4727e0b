// SPDX-License-Identifier: Apache-2.0
import ClientTestSupport
import HTTPTypes
import Tern
import TernErrors
import TernTesting
import TernTransfers
import TestSupport
import Testing

@Suite("A durable download with several requests at the same time", .hangLimit)
struct ParallelTransferTests {
    private static let all = ByteRangeSet(0..<200)

    @Test func `the requests run at the same time, and ask for each byte once`() async throws {
        // The server answers none of four requests before all four have arrived.
        let meeting = Meeting(of: 4)
        let scene = try ParallelScene { server, request, number in
            if number > 0 { await meeting.arrive() }
            return server.answer(request)
        }
        let result = try await scene.download()
        scene.expectComplete()
        scene.expectEachByteOnce(scene.requests, in: Self.all)
        #expect(scene.ranges.first == "bytes=0-9")
        #expect(scene.requests.first?.fields[.ifRange] == nil)
        #expect(scene.requests.dropFirst().allSatisfy { $0.fields[.ifRange] == "\"v1\"" })
        #expect(result.byteCount == 200 && result.resumedByteCount == 0)
        #expect(result.restart == nil)
        #expect((1...4).contains(result.concurrentRequestCount))
        #expect(result.response?.statusCode == 206)
    }

    @Test func `a server that sends parts with the status 200 gives the same file`() async throws {
        let scene = try ParallelScene { server, request, _ in server.answerWithStatusOK(request) }
        _ = try await scene.download()
        scene.expectComplete()
        scene.expectEachByteOnce(scene.requests, in: Self.all)
    }

    @Test(arguments: [1, 2, 3, 16])
    func `any number of requests gives the same file`(count: Int) async throws {
        let scene = try ParallelScene()
        let checksum = try #require(Checksum(.sha256, sha256(of: scene.content)))
        _ = try await scene.download(count, pieces: PieceLength(minimum: 7, maximum: 31), expecting: checksum)
        scene.expectComplete()
        if count > 1 { scene.expectEachByteOnce(scene.requests, in: Self.all) }
    }

    @Test func `one connection is enough`() async throws {
        var configuration = Client.Configuration()
        configuration.pool.maximumConnectionsPerHost = 1
        let scene = try ParallelScene(RangeServer(RangeServer.content(900_000)), configuration: configuration)
        // No worker loses its body while another waits for the connection.
        _ = try await scene.download(4, .manual, pieces: PieceLength(minimum: 150_000, maximum: 150_000))
        scene.expectComplete()
        scene.expectEachByteOnce(scene.requests, in: ByteRangeSet(0..<900_000))
    }

    @Test func `a file that is shorter than a range needs one request`() async throws {
        let scene = try ParallelScene(RangeServer())
        let result = try await scene.scene.client.download(
            from: testURL,
            to: scene.transfer.destination,
            resuming: .automatic,
            maximumConcurrentRequestCount: 4
        )
        scene.expectComplete()
        #expect(scene.ranges == ["bytes=0-1048575"])
        #expect(result.concurrentRequestCount == 1)
    }

    // MARK: Servers that cannot send ranges

    @Test func `a server that ignores the range is answered by one response`() async throws {
        let scene = try ParallelScene { server, _, _ in server.whole }
        let result = try await scene.download()
        scene.expectComplete()
        #expect(scene.requests.count == 1)
        #expect(result.restart == nil)
        #expect(result.concurrentRequestCount == 1)
    }

    @Test(arguments: [[.eTag: "W/\"v1\""], [:]] as [HTTPFields])
    func `without a strong validator, the whole file is requested`(fields: HTTPFields) async throws {
        let scene = try ParallelScene(RangeServer(RangeServer.content(200), fields))
        let result = try await scene.download()
        scene.expectComplete()
        #expect(scene.ranges == ["bytes=0-9", nil])
        #expect(result.restart == nil)
    }

    @Test(arguments: ["bytes 0-9/*", "bytes 0-9/", "bytes 1-10/200", "bytes 0-10/200", "pages 0-9/200"])
    func `a first part that is wrong is not used`(contentRange: String) async throws {
        let scene = try ParallelScene { server, request, _ in
            guard request.firstByte != nil else { return server.answer(request) }
            let fields = server.fields.with(.contentRange, contentRange)
            return .response(.partialContent, fields: fields, bytes: Array(server.content[0..<10]))
        }
        let result = try await scene.download()
        scene.expectComplete()
        #expect(scene.ranges == ["bytes=0-9", nil])
        #expect(result.restart == nil)
    }

    @Test func `an empty file has no range`() async throws {
        let scene = try ParallelScene(RangeServer([]))
        let result = try await scene.download()
        scene.expectComplete()
        #expect(scene.ranges == ["bytes=0-9", nil])
        #expect(result.byteCount == 0 && result.restart == nil)
    }

    // MARK: Records

    @Test(arguments: [1, 4])
    func `a record with gaps is continued by any number of requests`(count: Int) async throws {
        let present = try #require(ByteRangeSet(normalized: [10..<35, 90..<100, 150..<151]))
        let first = try await TransferScene.interrupted(after: 40, RangeServer(RangeServer.content(200)))
        let scene = try ParallelScene(in: first)
        var record = try scene.transfer.storedRecord()
        record.ranges = present
        try scene.transfer.overwrite(TransferScene.record, record.encoded)
        var bytes = Array(scene.content[..<151])
        for index in bytes.indices where !present.contains(Int64(index)..<Int64(index) + 1) { bytes[index] = 0 }
        try scene.transfer.overwrite(TransferScene.partial, bytes)
        let result = try await scene.download(count)
        scene.expectComplete()
        #expect(result.resumedByteCount == 36)
        guard count > 1 else { return }
        var missing = ByteRangeSet()
        for gap in present.gaps(in: 0..<200) { missing.insert(gap) }
        scene.expectEachByteOnce(scene.requests, in: missing)
        #expect(scene.requests.allSatisfy { $0.fields[.ifRange] == "\"v1\"" })
    }

    @Test func `cancellation ends all requests, and keeps what has arrived`() async throws {
        let scene = try ParallelScene { server, request, number in
            number == 0 ? server.answer(request) : .stall
        }
        let calling = Task { try await scene.download() }
        try await scene.scene.server.waitForRequests(5)
        calling.cancel()
        let error = await #expect(throws: ClientError.self) { try await calling.value }
        #expect(error?.fault == .cancelled)
        try await scene.scene.waitForNoExchange()
        #expect(try scene.transfer.storedRecord().ranges == ByteRangeSet(0..<10))
        let later = try ParallelScene(in: scene.folder)
        #expect(try await later.download(3).resumedByteCount == 10)
        later.expectComplete()
        later.expectEachByteOnce(later.requests, in: ByteRangeSet(10..<200))
    }

    // MARK: Delegates

    @Test func `the delegate learns of one call, whose progress does not fall`() async throws {
        let scene = try ParallelScene { server, request, number in
            // Each fourth response is cut.
            let answer = server.answer(request)
            return number % 4 == 3 ? answer.cut(afterBodyByteCount: 5) : answer
        }
        let delegate = RecordingDelegate()
        _ = try await scene.download(
            4,
            ResumptionPolicy(maximumAttemptCount: 100_000, backoff: Backoff(initialDelay: .zero)),
            delegate: delegate
        )
        scene.expectComplete()
        let progress = delegate.events.compactMap { event in
            if case .received(let progress) = event { progress } else { nil }
        }
        #expect(progress.map(\.byteCount) == progress.map(\.byteCount).sorted())
        #expect(progress.last?.byteCount == 200)
        #expect(progress.allSatisfy { $0.totalByteCount == 200 })
        #expect(delegate.taskIDs.count == 1)
        #expect(delegate.events.last == .completed(hasFailed: false))
        #expect(delegate.events.count { if case .completed = $0 { true } else { false } } == 1)
    }
}
