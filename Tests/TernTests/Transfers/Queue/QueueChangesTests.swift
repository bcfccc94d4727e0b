// SPDX-License-Identifier: Apache-2.0
import ClientTestSupport
import Tern
import TernTesting
import TestSupport
import Testing

@testable import TernTransferQueue

@Suite("The changes of a queue", .hangLimit)
struct QueueChangesTests {
    @Test func `a reader sees each transfer up to its last state`() async throws {
        let scene = try QueueScene(ResourceServer())
        let queue = try await scene.queue()
        let changes = queue.changes
        let reading = Task {
            var states: [TransferID: QueuedTransfer.State] = [:]
            for await change in changes {
                if case .transfer(let transfer) = change { states[transfer.id] = transfer.state }
                if states.values.count(where: { $0 == .completed }) == 5 { break }
            }
            return states.count
        }
        for number in 1...5 { try await queue.add(scene.download(number)) }
        try await queue.runUntilIdle()
        #expect(await reading.value == 5)
    }

    @Test func `a reader that comes late gets only the last value of each transfer`() async throws {
        let scene = try QueueScene(ResourceServer())
        var queue: TransferQueue? = try await scene.queue()
        let changes = try #require(queue?.changes)
        for number in 1...3 { try await queue?.add(scene.download(number)) }
        try await queue?.runUntilIdle()
        try await queue?.remove(.test(2))
        try await queue?.pauseAll()
        queue = nil
        var found: [String] = []
        for await change in changes {
            switch change {
            case .transfer(let transfer): found.append("\(transfer.id) \(transfer.state)")
            case .removed(let id): found.append("\(id) removed")
            case .network(let isAvailable): found.append("network \(isAvailable)")
            case .queue(let isPaused): found.append("paused \(isPaused)")
            }
        }
        // The reader has never seen the second transfer, so it need not know that it was removed.
        #expect(found.sorted() == ["1 completed", "3 completed", "paused true"])
    }

    @Test func `a reader hears of a removal if it knows the transfer`() async throws {
        let scene = try QueueScene(ResourceServer())
        let queue = try await scene.queue()
        let id = try await queue.add(scene.download(1))
        var iterator = queue.changes.makeAsyncIterator()
        try await queue.remove(id)
        guard case .removed(id)? = await iterator.next() else {
            Issue.record("no removal")
            return
        }
    }

    @Test func `a cancelled task reads nothing more`() async throws {
        let queue = try await QueueScene(ResourceServer()).queue()
        let changes = queue.changes
        let reading = Task {
            var count = 0
            for await _ in changes { count += 1 }
            return count
        }
        reading.cancel()
        #expect(await reading.value == 0)
    }

    @Test func `reading does not retain the queue`() async throws {
        let scene = try QueueScene(ResourceServer())
        var queue: TransferQueue? = try await scene.queue()
        let changes = try #require(queue?.changes)
        let reading = Task { for await _ in changes {} }
        queue = nil
        await reading.value
        _ = try await scene.queue()
    }
}
