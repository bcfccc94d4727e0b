// SPDX-License-Identifier: Apache-2.0
import ClientTestSupport
import HTTPTypes
import Tern
import TernErrors
import TernFoundation
import TernTesting
@testable import TernTransferQueue
import TestSupport
import Testing

@Suite("The commands of a queue", .hangLimit)
struct QueueCommandTests {
    /// A queue whose first download has stalled after 40 bytes.
    private func stalled() async throws -> (QueueScene, ResourceServer, TransferQueue, Task<Void, any Error>) {
        let server = ResourceServer([1: [.stall(afterBodyByteCount: 40)]])
        let scene = try QueueScene(server)
        let queue = try await scene.queue()
        let id = try await queue.add(scene.download(1))
        let running = queue.start(untilIdle: false)
        try await queue.wait(for: id) { $0.progress.byteCount == 40 }
        return (scene, server, queue, running)
    }

    private func end(_ running: Task<Void, any Error>) async throws {
        running.cancel()
        try await running.value
    }

    // MARK: Pausing

    @Test func `a running transfer is paused, and goes on where it was`() async throws {
        let (scene, server, queue, running) = try await self.stalled()
        try await queue.pause(.test(1))
        #expect(queue.states == [.paused])
        #expect(queue.transfer(.test(1))?.progress.byteCount == 40)
        try await queue.pause(.test(1))
        try await queue.resume(.test(1))
        try await queue.wait(for: .test(1)) { $0.state == .completed }
        try await self.end(running)
        scene.expectDownloaded(1)
        #expect(server.requests.map { $0.fields[.range] } == [nil, "bytes=40-"])
    }

    @Test func `a paused transfer stays paused in another process`() async throws {
        let (scene, server, first, running) = try await self.stalled()
        try await first.pause(.test(1))
        try await self.end(running)
        let copy = try TemporaryFolder()
        try FileManager.default.copyItem(at: scene.directory, to: copy.file("queue"))
        let queue = try await QueueScene(server, in: copy).queue()
        try await queue.runUntilIdle()
        #expect(queue.states == [.paused])
        #expect(server.requests.count == 1)
    }

    @Test func `pausing all ends what runs, also for later processes, and resuming all lets it go on`() async throws {
        let (scene, server, queue, running) = try await self.stalled()
        try await queue.pauseAll()
        #expect(queue.isPaused)
        #expect(queue.states == [.waiting])
        try await queue.add(scene.download(2))
        let copy = try TemporaryFolder()
        try FileManager.default.copyItem(at: scene.directory, to: copy.file("queue"))
        let other = try await QueueScene(server, in: copy).queue()
        #expect(other.isPaused)
        try await other.runUntilIdle()
        #expect(server.requests.count == 1)
        try await queue.resumeAll()
        for number in 1...2 as ClosedRange<Int64> {
            try await queue.wait(for: .test(number)) { $0.state == .completed }
        }
        try await self.end(running)
        for number in 1...2 { scene.expectDownloaded(number) }
    }

    @Test func `a command that cannot be stored has no effect`() async throws {
        let isFull = Flag()
        let scene = try QueueScene(ResourceServer())
        let queue = try await scene.queue { _ in isFull.isRaised ? .diskFull : nil }
        let id = try await queue.add(scene.download(1))
        isFull.raise()
        let full = TransferQueueError.file(.diskFull)
        await #expect(throws: full) { try await queue.add(scene.download(2)) }
        await #expect(throws: full) { try await queue.pause(id) }
        await #expect(throws: full) { try await queue.setPriority(.high, of: id) }
        await #expect(throws: full) { try await queue.remove(id) }
        await #expect(throws: full) { try await queue.pauseAll() }
        #expect(queue.states == [.waiting])
        #expect(queue.transfer(id)?.description.priority == .normal)
        #expect(!queue.isPaused)
    }

    @Test func `a transfer that does not exist is an error`() async throws {
        let queue = try await QueueScene(ResourceServer()).queue()
        let unknown = TransferQueueError.unknownTransfer(.test(7))
        await #expect(throws: unknown) { try await queue.pause(.test(7)) }
        await #expect(throws: unknown) { try await queue.resume(.test(7)) }
        await #expect(throws: unknown) { try await queue.remove(.test(7)) }
        await #expect(throws: unknown) { try await queue.setPriority(.low, of: .test(7)) }
        #expect(queue.transfer(.test(7)) == nil)
    }

    // MARK: Removing

    @Test func `a running download is removed with its partial file`() async throws {
        let (scene, _, queue, running) = try await self.stalled()
        try await queue.remove(.test(1))
        #expect(queue.transfers.isEmpty)
        #expect(try scene.folder.names == ["queue"])
        #expect(scene.names == ["queue.tern-lock", "queue.tern-queue"])
        try await self.end(running)
    }

    @Test func `the file of a complete download stays when its transfer is removed`() async throws {
        let scene = try QueueScene(ResourceServer())
        let queue = try await scene.queue()
        let id = try await queue.add(scene.download(1))
        try await queue.runUntilIdle()
        try await queue.remove(id)
        scene.expectDownloaded(1)
        #expect(queue.transfers.isEmpty)
    }

    @Test func `an interrupted upload is removed with its record`() async throws {
        let server = UploadServer(firstContent: .stall(afterByteCount: 40), by: .tus)
        let scene = try QueueScene(server)
        let queue = try await scene.queue()
        let id = try await queue.add(scene.upload(1, by: .tus))
        let running = queue.start(untilIdle: false)
        await server.waitForStops()
        try await queue.remove(id)
        #expect(scene.names == ["queue.tern-lock", "queue.tern-queue"])
        #expect(try scene.folder.names == ["file1", "queue"])
        try await self.end(running)
    }

    @Test func `a number is never used again`() async throws {
        let scene = try QueueScene(ResourceServer())
        var queue: TransferQueue? = try await scene.queue()
        for number in 1...3 { try await queue?.add(scene.download(number)) }
        try await queue?.remove(.test(2))
        try await queue?.remove(.test(3))
        #expect(try await queue?.add(scene.download(4)) == .test(4))
        try await queue?.remove(.test(4))
        queue = nil
        let next = try await scene.queue()
        #expect(try await next.add(scene.download(5)) == .test(5))
        #expect(next.transfers.map(\.id) == [.test(1), .test(5)])
    }

    // MARK: Adding

    @Test func `descriptions that cannot be used are refused`() async throws {
        let scene = try QueueScene(ResourceServer())
        let queue = try await scene.queue(TransferQueueConfiguration(maximumCount: 2))
        var secret = scene.download(1)
        secret.fields[.authorization] = "Bearer x"
        await #expect(throws: TransferQueueError.unsuitable(.secretField(name: "Authorization"))) {
            try await queue.add(secret)
        }
        var long = scene.download(1)
        long.fields[.accept] = String(repeating: "a", count: 60_000)
        await #expect(throws: TransferQueueError.unsuitable(.tooLong)) { try await queue.add(long) }
        try await queue.add(scene.download(1))
        await #expect(throws: TransferQueueError.unsuitable(.destinationInQueue(.test(1)))) {
            try await queue.add(scene.download(1))
        }
        try await queue.runUntilIdle()
        // The first download is complete, so another one may replace its file.
        try await queue.add(scene.download(1))
        await #expect(throws: TransferQueueError.full(limit: 2)) { try await queue.add(scene.download(3)) }
    }

    @Test func `transfers may be added while the queue runs`() async throws {
        let scene = try QueueScene(ResourceServer())
        let queue = try await scene.queue()
        let running = queue.start(untilIdle: false)
        for number in 1...3 {
            let id = try await queue.add(scene.download(number))
            try await queue.wait(for: id) { $0.state == .completed }
        }
        try await self.end(running)
    }

    // MARK: Running

    @Test func `only one run at a time`() async throws {
        let (_, _, queue, running) = try await self.stalled()
        await #expect(throws: TransferQueueError.alreadyRunning) { try await queue.run() }
        await #expect(throws: TransferQueueError.alreadyRunning) { try await queue.runUntilIdle() }
        try await self.end(running)
        try await queue.pause(.test(1))
        try await queue.runUntilIdle()
    }

    @Test func `a run in a cancelled task performs nothing`() async throws {
        let server = ResourceServer()
        let scene = try QueueScene(server)
        let queue = try await scene.queue()
        try await queue.add(scene.download(1))
        let running = Task {
            withUnsafeCurrentTask { $0?.cancel() }
            try await queue.run()
        }
        try await running.value
        #expect(server.requests.isEmpty)
        #expect(queue.states == [.waiting])
    }
}
