// SPDX-License-Identifier: Apache-2.0
import ClientTestSupport
import HTTPTypes
import Synchronization
import Tern
import TernErrors
import TernTesting
@testable import TernTransferQueue
import TestSupport
import Testing

@Suite("A queue of downloads", .hangLimit)
struct DownloadQueueTests {
    @Test func `many downloads end, each is requested once, and the limits hold`() async throws {
        let holder = Mutex<TransferQueue?>(nil)
        let runningCounts = Journal<Int>()
        let server = ResourceServer { _ in
            guard let queue = holder.withLock({ $0 }) else { return }
            runningCounts.note(queue.transfers.count { $0.state == .running })
        }
        let scene = try QueueScene(server)
        let queue = try await scene.queue()
        holder.withLock { $0 = queue }
        for number in 1...50 { try await queue.add(scene.download(number, host: number % 2 == 0 ? "a" : "b")) }
        try await queue.runUntilIdle()
        #expect(queue.states == Array(repeating: .completed, count: 50))
        for number in 1...50 { scene.expectDownloaded(number) }
        #expect(server.numbers.sorted() == Array(1...50))
        #expect(runningCounts.all.allSatisfy { 1...4 ~= $0 })
        holder.withLock { $0 = nil }
    }

    @Test func `the order is that of priority and adding`() async throws {
        let server = ResourceServer()
        let scene = try QueueScene(server)
        let queue = try await scene.queue(TransferQueueConfiguration(maximumRunningCount: 1))
        for (number, priority) in [(1, .low), (2, .normal), (3, .high), (4, .normal)] as [(Int, TransferPriority)] {
            var description = scene.download(number)
            description.priority = priority
            try await queue.add(description)
        }
        try await queue.setPriority(.high, of: TransferID.test(4))
        try await queue.runUntilIdle()
        #expect(server.numbers == [3, 4, 2, 1])
    }

    @Test func `a run that is cancelled ends all transfers, and another process goes on with them`() async throws {
        let server = ResourceServer(later: .stall(afterBodyByteCount: 40))
        let scene = try QueueScene(server)
        var queue: TransferQueue? = try await scene.queue()
        for number in 1...2 { try await queue?.add(scene.download(number)) }
        let running = queue?.start(untilIdle: false)
        await server.waitForRequests(2)
        for number in 1...2 as ClosedRange<Int64> {
            try await queue?.wait(for: .test(number)) { $0.progress.byteCount == 40 }
        }
        running?.cancel()
        try await running?.value
        #expect(queue?.states == [.waiting, .waiting])
        queue = nil

        let honest = ResourceServer()
        let later = try QueueScene(honest, in: scene.folder)
        let next = try await later.queue()
        #expect(next.states == [.waiting, .waiting])
        #expect(next.transfers.map(\.progress.byteCount) == [40, 40])
        try await next.runUntilIdle()
        for number in 1...2 { later.expectDownloaded(number) }
        #expect(honest.requests.map { $0.fields[.range] } == ["bytes=40-", "bytes=40-"])
        #expect(next.transfers.map(\.progress) == next.transfers.map { _ in .test(100, 100) })
    }

    @Test func `an interrupted download is tried again, and goes on where it was`() async throws {
        let server = ResourceServer([1: [.cut(afterBodyByteCount: 30), .status(.serviceUnavailable)]])
        let scene = try QueueScene(server)
        let queue = try await scene.queue()
        let id = try await queue.add(scene.download(1))
        try await queue.runUntilIdle()
        scene.expectDownloaded(1)
        #expect(server.requests.map { $0.fields[.range] } == [nil, "bytes=30-", "bytes=30-"])
        #expect(queue.transfer(id)?.failure == nil)
        #expect(queue.transfer(id)?.state == .completed)
    }

    @Test func `too many failures end a transfer until it is resumed`() async throws {
        let server = ResourceServer([1: Array(repeating: .status(.serviceUnavailable), count: 3)])
        let scene = try QueueScene(server)
        var configuration = QueueScene.immediate
        configuration.maximumAttemptCount = 3
        let queue = try await scene.queue(configuration)
        let id = try await queue.add(scene.download(1))
        try await queue.runUntilIdle()
        let failed = try #require(queue.transfer(id))
        #expect(failed.state == .failed(.serverUnavailable))
        #expect(failed.failedAttemptCount == 3)
        #expect(failed.failure?.error?.status == .serviceUnavailable)
        #expect(server.requests.count == 3)
        try await queue.resume(id)
        #expect(queue.transfer(id)?.failedAttemptCount == 0)
        #expect(queue.transfer(id)?.failure == nil)
        try await queue.runUntilIdle()
        scene.expectDownloaded(1)
    }

    @Test func `a refusal ends a transfer at once, and its text survives the process`() async throws {
        let server = ResourceServer(later: .status(.notFound))
        let scene = try QueueScene(server)
        var queue: TransferQueue? = try await scene.queue()
        let id = try #require(try await queue?.add(scene.download(1)))
        try await queue?.runUntilIdle()
        #expect(queue?.states == [.failed(.refused)])
        let message = try #require(queue?.transfer(id)?.failure?.message)
        queue = nil
        let next = try await scene.queue()
        #expect(next.states == [.failed(.refused)])
        #expect(next.transfer(id)?.failure?.message == message)
        #expect(next.transfer(id)?.failure?.error == nil)
        try await next.runUntilIdle()
        #expect(server.requests.count == 1)
    }

    @Test func `a file with another hash fails for good`() async throws {
        let scene = try QueueScene(ResourceServer())
        let queue = try await scene.queue()
        let checksum = try #require(Checksum("sha256:" + String(repeating: "00", count: 32)))
        let description = TransferDescription.download(
            from: .test("test", "1"),
            to: scene.folder.file("file1"),
            expecting: checksum
        )
        try await queue.add(description)
        try await queue.runUntilIdle()
        #expect(queue.states == [.failed(.digest)])
    }

    @Test func `without a strong validator, a download begins again after a break`() async throws {
        let server = ResourceServer([1: [.cut(afterBodyByteCount: 30)]], fields: [:])
        let scene = try QueueScene(server)
        let queue = try await scene.queue()
        try await queue.add(scene.download(1))
        try await queue.runUntilIdle()
        scene.expectDownloaded(1)
        #expect(server.requests.map { $0.fields[.range] } == [nil, nil])
    }

    @Test func `a missing folder fails for good, and only this transfer`() async throws {
        let scene = try QueueScene(ResourceServer())
        let queue = try await scene.queue()
        try await queue.add(.download(from: .test("test", "1"), to: scene.folder.file("none/file1")))
        try await queue.add(scene.download(2))
        try await queue.runUntilIdle()
        #expect(queue.states == [.failed(.file), .completed])
    }
}

extension TransferID {
    /// Returns the identifier with a number.
    static func test(_ number: Int64) -> TransferID {
        guard let id = TransferID(number) else { preconditionFailure("\(number) is not a number of a transfer") }
        return id
    }
}

extension TransferProgress {
    /// Returns a progress.
    static func test(_ byteCount: Int64, _ totalByteCount: Int64?) -> TransferProgress {
        TransferProgress(byteCount: byteCount, totalByteCount: totalByteCount)
    }
}
