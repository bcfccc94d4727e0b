// SPDX-License-Identifier: Apache-2.0
import ClientTestSupport
import HTTPTypes
import Synchronization
import Tern
import TernErrors
import TernTesting
import TestSupport
import Testing

@Suite("The delegate of a durable download", .hangLimit)
struct TransferDelegateTests {
    /// A content that may arrive in several pieces.
    private static let long = RangeServer(RangeServer.content(900_000))

    private func progress(_ delegate: RecordingDelegate) -> [TransferProgress] {
        delegate.events.compactMap { event in
            if case .received(let progress) = event { progress } else { nil }
        }
    }

    private func expectOneEnd(
        _ delegate: RecordingDelegate,
        hasFailed: Bool = false,
        sourceLocation: SourceLocation = #_sourceLocation
    ) {
        let ends = delegate.events.filter { if case .completed = $0 { true } else { false } }
        #expect(ends == [.completed(hasFailed: hasFailed)], sourceLocation: sourceLocation)
        #expect(delegate.events.last == ends.first, sourceLocation: sourceLocation)
        #expect(delegate.events.count { $0 == .collectedMetrics } == 1, sourceLocation: sourceLocation)
        #expect(delegate.taskIDs.count == 1, sourceLocation: sourceLocation)
    }

    @Test func `progress grows over interruptions, and the total is known`() async throws {
        let scene = try TransferScene(
            .cut(afterBodyByteCount: 300_000),
            .cut(afterByteCount: 10),
            .status(.serviceUnavailable),
            .cut(afterBodyByteCount: 200_000),
            resource: Self.long,
            plan: .accept(toClient: [.drip(bytesPerPiece: 30_000)])
        )
        let delegate = RecordingDelegate()
        _ = try await scene.download(delegate: delegate)
        let progress = self.progress(delegate)
        let counts = progress.map(\.byteCount)
        #expect(counts == counts.sorted())
        #expect(counts.last == 900_000)
        #expect(progress.allSatisfy { $0.totalByteCount == 900_000 })
        #expect(progress.last?.fractionCompleted == 1)
        self.expectOneEnd(delegate)
    }

    @Test func `progress counts the bytes of earlier calls`() async throws {
        let folder = try await TransferScene.interrupted(after: 40)
        let scene = try TransferScene(in: folder)
        let delegate = RecordingDelegate()
        _ = try await scene.download(delegate: delegate)
        let progress = self.progress(delegate)
        #expect(progress.allSatisfy { $0.byteCount > 40 && $0.totalByteCount == 100 })
        #expect(progress.last?.byteCount == 100)
    }

    @Test func `progress does not fall when the server sends the whole again`() async throws {
        let scene = try TransferScene(.cut(afterBodyByteCount: 600_000), .ignoreRange, resource: Self.long)
        let delegate = RecordingDelegate()
        _ = try await scene.download(delegate: delegate)
        let counts = self.progress(delegate).map(\.byteCount)
        #expect(counts == counts.sorted())
        #expect(counts.last == 900_000)
    }

    @Test func `progress begins again when the resource has changed`() async throws {
        let scene = try TransferScene(.cut(afterBodyByteCount: 600_000), resource: Self.long)
        #expect(await scene.failure() != nil)
        scene.change { $0 = RangeServer(RangeServer.content(500_000, version: 2), [.eTag: "\"v2\""]) }
        let delegate = RecordingDelegate()
        _ = try await scene.download(delegate: delegate)
        let progress = self.progress(delegate)
        #expect(progress.allSatisfy { $0.byteCount <= 500_000 && $0.totalByteCount == 500_000 })
        #expect(progress.last?.byteCount == 500_000)
    }

    @Test(arguments: [nil, [ValidationRule.success]])
    func `the body of a refusal is not progress`(rules: [ValidationRule]?) async throws {
        var configuration = Client.Configuration()
        configuration.validation = rules
        let scene = try TransferScene(
            .cut(afterBodyByteCount: 40),
            .status(.serviceUnavailable, body: "an error page"),
            .status(.notFound, body: "another error page"),
            configuration: configuration
        )
        let delegate = RecordingDelegate()
        #expect(await scene.failure(TransferScene.url, .immediate, delegate: delegate)?.status == .notFound)
        let progress = self.progress(delegate)
        #expect(progress.map(\.byteCount) == progress.map(\.byteCount).sorted())
        #expect(progress.allSatisfy { $0.totalByteCount == 100 })
        #expect(progress.last?.byteCount == 40)
        self.expectOneEnd(delegate, hasFailed: true)
    }

    @Test func `each repetition is reported with its delay and its cause`() async throws {
        /// Records the repetitions.
        final class Repetitions: TaskDelegate {
            let all = Mutex<[String]>([])

            func task(_ task: TaskInfo, willRetryAfter delay: Duration, because cause: RetryCause) {
                let reason =
                    switch cause {
                    case .failure(let error): "\(error.fault)"
                    case .response(let response): "\(response.statusCode)"
                    @unknown default: "?"
                    }
                self.all.withLock { $0.append("\(task.attempt) \(delay.components.seconds) \(reason)") }
            }
        }
        var configuration = Client.Configuration()
        configuration.timeouts = .none
        let scene = try TransferScene(
            .cut(afterBodyByteCount: 40),
            .status(.badGateway, [.retryAfter: "3"]),
            .lie(.otherStart),
            configuration: configuration
        )
        let delegate = Repetitions()
        let calling = Task { try await scene.download(delegate: delegate) }
        try await scene.clock.waitForScheduled(in: .seconds(3))
        scene.clock.advance(by: .seconds(3))
        _ = try await calling.value
        let truncated = Fault.truncated(received: 40, expected: 100)
        #expect(delegate.all.withLock { $0 } == ["1 0 \(truncated)", "2 3 502", "3 0 206"])
        #expect(scene.requests.count == 4)
    }

    @Test func `the sequence of progress lasts until the call ends`() async throws {
        let scene = try TransferScene(.cut(afterBodyByteCount: 300_000), resource: Self.long)
        let delegate = ProgressDelegate()
        async let result = scene.download(delegate: delegate)
        var last: TransferProgress?
        for await progress in delegate.received { last = progress }
        #expect(last?.byteCount == 900_000)
        #expect(last?.totalByteCount == 900_000)
        #expect(try await result.byteCount == 900_000)
    }

    @Test func `a call that fails before its first request is reported once`() async throws {
        let scene = try TransferScene()
        let delegate = RecordingDelegate()
        let request = Request(.post, TransferScene.url)
        _ = await failure { () async throws(ClientError) in try await scene.download(request, delegate: delegate) }
        self.expectOneEnd(delegate, hasFailed: true)
        let other = RecordingDelegate()
        let folder = scene.folder.url
        _ = await failure { () async throws(ClientError) in
            try await scene.client.download(from: testURL, to: folder, resuming: .automatic, delegate: other)
        }
        self.expectOneEnd(other, hasFailed: true)
    }

    @Test func `a call that has nothing to request is reported once`() async throws {
        let scene = try TransferScene(.cut(afterBodyByteCount: 40))
        #expect(await scene.failure() != nil)
        var record = try scene.storedRecord()
        record.ranges.insert(0..<100)
        try scene.overwrite(TransferScene.record, record.encoded)
        try scene.overwrite(TransferScene.partial, scene.content)
        let delegate = RecordingDelegate()
        _ = try await scene.download(delegate: delegate)
        #expect(scene.requests.count == 1)
        self.expectOneEnd(delegate)
    }
}
