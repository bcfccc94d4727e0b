// SPDX-License-Identifier: Apache-2.0
import ClientTestSupport
import HTTPTypes
import Synchronization
import Tern
import TernErrors
import TernRequests
import TernTesting
import TernTransfers
import TestSupport
import Testing

@Suite("The delegate of a resumable upload", .hangLimit)
struct UploadDelegateTests {
    /// Records the repetitions and the attempts.
    private final class Repetitions: TaskDelegate {
        let all = Mutex<[String]>([])

        func task(_ task: TaskInfo, willRetryAfter delay: Duration, because cause: RetryCause) {
            let reason =
                switch cause {
                case .failure(let error): error.isRetryable ? "failure" : "\(error.fault)"
                case .response(let response): "\(response.statusCode)"
                @unknown default: "?"
                }
            self.all.withLock { $0.append("\(task.attempt) \(delay.components.seconds) \(reason)") }
        }
    }

    @Test func `each repetition is reported with its delay and its cause`() async throws {
        var configuration = Client.Configuration()
        configuration.timeouts = .none
        let scene = try UploadScene(
            .cut(afterByteCount: 40),
            .respond(.response(.badGateway, fields: [.retryAfter: "3"])),
            .none,
            .respond(.response(.conflict)),
            configuration: configuration
        )
        let delegate = Repetitions()
        let calling = Task { try await scene.upload(delegate: delegate) }
        try await scene.clock.waitForScheduled(in: .seconds(3))
        scene.clock.advance(by: .seconds(3))
        _ = try await calling.value
        scene.expectComplete()
        #expect(delegate.all.withLock { $0 } == ["1 0 failure", "2 3 502", "4 0 409"])
        #expect(scene.methods == [.post, .head, .head, .patch, .head, .patch])
    }

    @Test(arguments: UploadScene.protocols)
    func `requests that follow each other are no repetitions`(uploadProtocol: UploadProtocol) async throws {
        let scene = try await UploadScene.interrupted(after: 40, by: uploadProtocol)
        let delegate = RecordingDelegate()
        let rules = scene.rules(.immediate) { $0.maximumPartByteCount = 20 }
        try await scene.upload(Request(.post, UploadScene.url), rules, delegate: delegate)
        scene.expectComplete()
        #expect(delegate.delays.isEmpty)
        delegate.expectOneEnd()
    }

    @Test(arguments: UploadScene.protocols)
    func `progress grows over interruptions, and the total is known`(uploadProtocol: UploadProtocol) async throws {
        let scene = try UploadScene(
            firstContent: .cut(afterByteCount: 300_000),
            by: uploadProtocol,
            byteCount: 900_000,
            plan: .accept(toServer: [.drip(bytesPerPiece: 30_000)])
        )
        let first: [UploadFault] = uploadProtocol == .tus ? [.none] : []
        let faults =
            first + [
                .cut(afterByteCount: 300_000), .respond(.response(.serviceUnavailable)), .none,
                .cut(afterByteCount: 200_000),
            ]
        scene.server.update { $0.faults = faults[...] }
        let delegate = RecordingDelegate()
        try await scene.upload(delegate: delegate)
        scene.expectComplete()
        let counts = delegate.sent.map(\.byteCount)
        #expect(counts == counts.sorted())
        #expect(counts.last == 900_000)
        #expect(delegate.sent.allSatisfy { $0.totalByteCount == 900_000 })
        #expect(delegate.sent.last?.fractionCompleted == 1)
        delegate.expectOneEnd()
    }

    @Test(arguments: UploadScene.protocols)
    func `progress counts the bytes of earlier calls`(uploadProtocol: UploadProtocol) async throws {
        let scene = try await UploadScene.interrupted(after: 40, by: uploadProtocol)
        let delegate = RecordingDelegate()
        try await scene.upload(delegate: delegate)
        #expect(delegate.sent.allSatisfy { $0.byteCount > 40 && $0.totalByteCount == 100 })
        #expect(delegate.sent.last?.byteCount == 100)
    }

    @Test(arguments: UploadScene.protocols)
    func `each call has one end, after which nothing is reported`(uploadProtocol: UploadProtocol) async throws {
        let scene = try UploadScene(later: .cut(afterByteCount: 0), by: uploadProtocol)
        let delegate = RecordingDelegate()
        #expect(await scene.failure(delegate: delegate)?.isRetryable == true)
        delegate.expectOneEnd(hasFailed: true)
        #expect(delegate.events.count { $0 == .collectedMetrics } == 1)
    }

    @Test func `the number of attempts without progress is limited, and the record stays`() async throws {
        let scene = try UploadScene(.cut(afterByteCount: 40), later: .cut(afterByteCount: 0))
        let delegate = RecordingDelegate()
        #expect(await scene.failure(delegate: delegate)?.isRetryable == true)
        #expect(scene.methods == [.post, .head, .head, .head, .head])
        #expect(delegate.delays.count == 4)
        scene.expectUnfinished()
    }

    @Test func `a server that asks for more patience than the limit ends the call`() async throws {
        let scene = try await UploadScene.interrupted(after: 40)
        scene.server.plan(.respond(.response(.serviceUnavailable, fields: [.retryAfter: "61"], body: "busy")))
        let delegate = RecordingDelegate()
        #expect(await scene.failure(delegate: delegate)?.fault == .validationFailed(.status(503)))
        #expect(delegate.delays.isEmpty)
        scene.expectUnfinished()
    }
}
