// SPDX-License-Identifier: Apache-2.0
import ClientTestSupport
import HTTPTypes
import Synchronization
import Tern
import TernErrors
import TernFoundation
import TernRequests
import TernTesting
import TestSupport
import Testing

/// A delegate that detects two calls of its methods at the same time.
private final class OverlapDelegate: TaskDelegate {
    private let isBusy = Atomic<Bool>(false)
    let overlaps = Flag()
    let calls = Flag()

    func task(_ task: TaskInfo, didSendBodyData progress: TransferProgress) { self.enter() }
    func task(_ task: TaskInfo, didReceiveBodyData progress: TransferProgress) { self.enter() }

    private func enter() {
        self.calls.raise()
        if self.isBusy.exchange(true, ordering: .acquiringAndReleasing) { self.overlaps.raise() }
        for _ in 0..<1000 where self.isBusy.load(ordering: .relaxed) {}
        self.isBusy.store(false, ordering: .releasing)
    }
}

private final class SilentDelegate: TaskDelegate {}

@Suite("Delegates", .hangLimit)
struct DelegateTests {
    @Test func `is told of sending and receiving, with totals, in order`() async throws {
        let scene = ClientScene { _ in .response(body: "0123456789") }
        let delegate = RecordingDelegate()
        let request = Request(.post, "http://test/")
        _ = try await scene.client.upload(for: request, from: Data("hello".utf8), delegate: delegate)
        let events = delegate.events
        #expect(events.count == 4)
        #expect(events.suffix(2) == [.collectedMetrics, .completed(hasFailed: false)])
        guard case .sent(let sent)? = events.first, case .received(let received)? = events.dropFirst().first else {
            Issue.record("\(delegate.events)")
            return
        }
        #expect((sent.byteCount, sent.totalByteCount) == (5, 5))
        #expect((received.byteCount, received.totalByteCount) == (10, 10))
        #expect(received.fractionCompleted == 1)
        #expect(delegate.taskIDs.count == 1)
    }

    @Test func `progress of a long body only grows and ends with the total`() async throws {
        let scene = ClientScene { _ in .response(bytes: Array(repeating: 1, count: 500_000)) }
        let delegate = RecordingDelegate()
        _ = try await scene.client.data(from: testURL, delegate: delegate)
        let counts = delegate.events.compactMap { event in
            if case .received(let progress) = event { progress.byteCount } else { nil }
        }
        #expect(counts == counts.sorted())
        #expect(Set(counts).count == counts.count)
        #expect(counts.last == 500_000)
    }

    @Test func `without an announced length there is no total and no fraction`() async throws {
        let scene = ClientScene { _ in .chunked(["one", "two"]) }
        let delegate = RecordingDelegate()
        _ = try await scene.client.data(from: testURL, delegate: delegate)
        guard case .received(let progress)? = delegate.events.dropLast(2).last else {
            Issue.record("\(delegate.events)")
            return
        }
        #expect(progress.byteCount == 6)
        #expect(progress.totalByteCount == nil)
        #expect(progress.fractionCompleted == nil)
    }

    @Test func `is told of interim responses`() async throws {
        let scene = ClientScene { _ in
            .raw("HTTP/1.1 103 Early Hints\r\nLink: </a>\r\n\r\nHTTP/1.1 204 No Content\r\n\r\n")
        }
        let delegate = RecordingDelegate()
        _ = try await scene.client.data(from: testURL, delegate: delegate)
        guard case .informational(let response)? = delegate.events.first else {
            Issue.record("\(delegate.events)")
            return
        }
        #expect(response.status.code == 103)
        #expect(response.headerFields.map(\.value) == ["</a>"])
    }

    @Test func `the task's delegate and the client's are both told, and each call has its number`() async throws {
        let everyCall = RecordingDelegate()
        let oneCall = RecordingDelegate()
        let scene = ClientScene(delegate: everyCall) { _ in .response(body: "x") }
        _ = try await scene.client.data(from: testURL, delegate: oneCall)
        _ = try await scene.client.data(from: testURL)
        #expect(oneCall.events.count == 3)
        #expect(everyCall.events.count == 6)
        #expect(everyCall.taskIDs.count == 2)
        #expect(oneCall.taskIDs.isSubset(of: everyCall.taskIDs))
    }

    @Test func `is told one thing at a time, though sending and receiving overlap`() async throws {
        let delegate = OverlapDelegate()
        let connector = MemoryConnector.tested(capacity: 1024) { connection in
            _ = try await connection.readHead()
            try await connection.write("HTTP/1.1 200 OK\r\nContent-Length: 100000\r\n\r\n")
            for _ in 0..<100 {
                _ = try await connection.read()
                try await connection.write(Array(repeating: 1, count: 1000))
            }
            await connection.waitForEnd()
        }
        let client = Client(configuration: .patient.tested, connector: connector)
        let stream = AsyncStream<[UInt8]> { continuation in
            for _ in 0..<200 { continuation.yield(Array(repeating: 2, count: 500)) }
            continuation.finish()
        }
        var request = Request(.post, "http://test/")
        request.options.expectsContinue = false
        _ = try await client.upload(for: request, from: stream, delegate: delegate)
        // How many pieces one event reports depends on when the threads continue. At least one is for each direction.
        #expect(delegate.calls.count >= 2)
        #expect(delegate.overlaps.count == 0)
    }

    @Test func `is held until the call ends and then let go`() async throws {
        let scene = ClientScene { _ in .chunked(["one", "two"]) }
        weak var released: RecordingDelegate?
        do {
            let delegate = RecordingDelegate()
            released = delegate
            _ = try await scene.client.data(from: testURL, delegate: delegate)
        }
        // The task that dialed may end a moment after the call.
        try await eventually("nothing holds the delegate") { released == nil }
    }

    @Test func `is let go by a call that failed, and by one that was cancelled`() async throws {
        let scene = ClientScene { $0.target == "/close" ? .close : .stall }
        weak var failed: RecordingDelegate?
        do {
            let delegate = RecordingDelegate()
            failed = delegate
            let request = Request(.get, "http://test/close")
            _ = await failure { () async throws(ClientError) in
                try await scene.client.data(for: request, delegate: delegate)
            }
        }
        try await eventually("nothing holds the delegate of the call that failed") { failed == nil }

        weak var cancelled: RecordingDelegate?
        do {
            let delegate = RecordingDelegate()
            cancelled = delegate
            let calling = Task { try await scene.client.data(from: testURL, delegate: delegate) }
            try await scene.server.waitForRequests(2)
            calling.cancel()
            _ = await calling.result
        }
        try await eventually("nothing holds the delegate") { cancelled == nil }
    }

    @Test func `every requirement has a default`() async throws {
        let scene = ClientScene { _ in .raw("HTTP/1.1 103 Hint\r\n\r\nHTTP/1.1 200 OK\r\nContent-Length: 1\r\n\r\nx") }
        let request = Request(.post, "http://test/")
        let (data, response) = try await scene.client.upload(
            for: request,
            from: Data("y".utf8),
            delegate: SilentDelegate()
        )
        #expect(response.statusCode == 200)
        #expect(data == Data("x".utf8))
        #expect(scene.server.requests.map(\.text) == ["y"])
    }

    @Test func `fractions are between nothing and all`() async throws {
        let scene = ClientScene { _ in .response(bytes: Array(repeating: 1, count: 100_000)) }
        let delegate = RecordingDelegate()
        _ = try await scene.client.data(from: testURL, delegate: delegate)
        let received = delegate.events.compactMap { event -> TransferProgress? in
            if case .received(let progress) = event { progress } else { nil }
        }
        #expect(received.allSatisfy { progress in progress.fractionCompleted.map { 0...1 ~= $0 } ?? false })
        #expect(received.last?.fractionCompleted == 1, "there was progress, and it went to the end")
    }
}
