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

@testable import TernTransferQueue

@Suite("The delegate of a queue", .hangLimit)
struct QueueDelegateTests {
    private struct Provider: TransferQueueDelegate {
        var request: @Sendable (QueuedTransfer, Request) async throws -> Request = { $1 }
        var delegate: (any TaskDelegate)?

        func transfer(
            _ transfer: QueuedTransfer,
            willStartWith request: Request
        ) async throws
            -> Request
        {
            try await self.request(transfer, request)
        }

        func taskDelegate(for transfer: QueuedTransfer) async -> (any TaskDelegate)? { self.delegate }
    }

    private struct NoToken: Error {}

    @Test func `each attempt gets a new request, and nothing of it is stored`() async throws {
        let server = ResourceServer([1: [.cut(afterBodyByteCount: 40)]])
        let scene = try QueueScene(server)
        let count = Atomic(0)
        let provider = Provider(request: { _, request in
            let number = count.add(1, ordering: .relaxed).newValue
            return request.header(.authorization, "Bearer secret\(number)").query("signature", number)
        })
        let queue = try await scene.queue(delegate: provider)
        try await queue.add(scene.download(1))
        try await queue.runUntilIdle()
        scene.expectDownloaded(1)
        #expect(
            server.requests.map { $0.fields[.authorization] } == ["Bearer secret1", "Bearer secret2"]
        )
        #expect(server.requests.map(\.target) == ["/1?signature=1", "/1?signature=2"])
        for name in scene.names {
            let text = String(
                decoding: try Data(contentsOf: scene.directory.appendingPathComponent(name)),
                as: UTF8.self
            )
            #expect(!text.contains("secret") && !text.contains("signature"))
        }
    }

    @Test func `the request has the fields of the description`() async throws {
        let server = ResourceServer()
        let scene = try QueueScene(server)
        let queue = try await scene.queue()
        var description = scene.download(1)
        description.fields[.accept] = "text/plain"
        try await queue.add(description)
        try await queue.runUntilIdle()
        #expect(server.requests.first?.fields[.accept] == "text/plain")
    }

    @Test func `after an error of the delegate, the queue tries again, and its text is not stored`()
        async throws
    {
        let scene = try QueueScene(ResourceServer())
        let count = Atomic(0)
        let provider = Provider(request: { _, request in
            if count.add(1, ordering: .relaxed).newValue < 3 { throw NoToken() }
            return request
        })
        let failures = Journal<String>()
        let queue = try await scene.queue(QueueScene.steady, delegate: provider)
        let id = try await queue.add(scene.download(1))
        let running = queue.start()
        try await queue.wait(for: id) { $0.failedAttemptCount == 1 }
        if let failure = queue.transfer(id)?.failure { failures.note("\(failure)") }
        #expect(queue.transfer(id)?.failure?.reason == .delegate)
        #expect(await scene.clock.advance(until: running).isSuccess)
        #expect(queue.states == [.completed])
        #expect(failures.all == ["the delegate threw NoToken"])
    }

    @Test func `a client error of the delegate counts like one of the transfer`() async throws {
        let scene = try QueueScene(ResourceServer())
        let refusal = ClientError.validationFailed(
            ValidationFailure(.status(403)),
            .init(phase: .validate)
        )
        let queue = try await scene.queue(delegate: Provider(request: { _, _ in throw refusal }))
        try await queue.add(scene.download(1))
        try await queue.runUntilIdle()
        #expect(queue.states == [.failed(.refused)])
    }

    @Test func `the delegate of the call hears of its events`() async throws {
        let scene = try QueueScene(ResourceServer())
        let recording = RecordingDelegate()
        let queue = try await scene.queue(delegate: Provider(delegate: recording))
        try await queue.add(scene.download(1))
        try await queue.runUntilIdle()
        #expect(recording.events.last == .completed(hasFailed: false))
    }

    @Test func `a delegate may pause and remove its own transfer while it is asked`() async throws {
        let holder = Mutex<TransferQueue?>(nil)
        let server = ResourceServer()
        let scene = try QueueScene(server)
        let provider = Provider(request: { transfer, request in
            let queue = holder.withLock { $0 }
            if transfer.id == .test(1) {
                try await queue?.pause(transfer.id)
            } else {
                try await queue?.remove(transfer.id)
            }
            return request
        })
        let queue = try await scene.queue(delegate: provider)
        holder.withLock { $0 = queue }
        for number in 1...2 { try await queue.add(scene.download(number)) }
        try await queue.runUntilIdle()
        #expect(queue.transfers.map(\.id) == [.test(1)])
        #expect(queue.states == [.paused])
        #expect(server.requests.isEmpty)
        holder.withLock { $0 = nil }
    }

    @Test func `cancelling the run ends a wait for the delegate`() async throws {
        let scene = try QueueScene(ResourceServer())
        let isAsked = Flag()
        let provider = Provider(request: { _, request in
            isAsked.raise()
            try await Task.sleep(for: .seconds(3600))
            return request
        })
        let queue = try await scene.queue(delegate: provider)
        try await queue.add(scene.download(1))
        let running = queue.start()
        await isAsked.wait()
        running.cancel()
        try await running.value
        #expect(queue.states == [.waiting])
        #expect(queue.transfers.first?.failure == nil)
    }
}
