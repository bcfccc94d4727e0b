// SPDX-License-Identifier: Apache-2.0
import ClientTestSupport
import HTTPTypes
import Synchronization
import Tern
import TernErrors
import TernFoundation
import TernTesting
@testable import TernTransferQueue
import TestSupport
import Testing

/// Lets nothing of a queue reach the disk after a number of steps, as if the process had ended there.
///
/// The servers and the calls go on for a moment, as they do beside a process that ends.
@Suite("A queue after the end of the process", .hangLimit)
struct CrashedQueueTests {
    /// Fails each step after a number of them.
    private final class Crash: Sendable {
        private let rest: Atomic<Int>

        init(after count: Int) { self.rest = Atomic(count) }

        /// Whether a step has failed.
        var hasHappened: Bool { self.rest.load(ordering: .acquiring) < 0 }

        var fault: TransferStore.Fault {
            { _ in self.rest.subtract(1, ordering: .acquiringAndReleasing).newValue < 0 ? .diskFull : nil }
        }
    }

    /// Runs a queue until a step fails or nothing is left to do.
    private func run(_ queue: TransferQueue, until condition: () -> Bool) async throws {
        let running = queue.start()
        try await eventually("the end") { condition() }
        running.cancel()
        try await running.value
    }

    @Test(arguments: 0..<14)
    func `each download is requested once, wherever the process ends`(stepCount: Int) async throws {
        let server = ResourceServer()
        let scene = try QueueScene(server)
        let crash = Crash(after: stepCount)
        // Without delays, those that cannot store their end would take all places of the host, again and again.
        var configuration = QueueScene.immediate
        configuration.maximumRunningCountPerHost = 4
        var queue: TransferQueue? = try await scene.queue(configuration, fault: crash.fault)
        var count = 0
        for number in 1...3 where (try? await queue?.add(scene.download(number))) != nil { count = number }
        // A transfer that was not stored may be on the disk all the same, if the process ended after it was written.
        if let opened = queue, count > 0 {
            let files = (1...count).map { scene.folder.file("file\($0)").path }
            try await self.run(opened) { files.allSatisfy { FileManager.default.fileExists(atPath: $0) } }
        }
        queue = nil

        let later = try QueueScene(server, in: scene.folder)
        let next = try await later.queue()
        #expect(next.transfers.count >= count)
        try await next.runUntilIdle()
        #expect(next.states.allSatisfy { $0 == .completed })
        for index in next.transfers.indices { later.expectDownloaded(index + 1) }
        #expect(
            server.numbers.sorted() == Array(1...max(1, next.transfers.count)).filter { $0 <= next.transfers.count }
        )
        #expect(next.damagedFiles == [])
    }

    @Test(arguments: 0..<12, UploadScene.protocols)
    func `each file is processed once, wherever the process ends`(
        stepCount: Int,
        uploadProtocol: UploadProtocol
    ) async throws {
        let server = UploadServer()
        let scene = try QueueScene(server)
        let crash = Crash(after: stepCount)
        var queue: TransferQueue? = try await scene.queue(fault: crash.fault)
        var count = 0
        for number in 1...2 {
            let description = try scene.upload(number, by: uploadProtocol)
            if (try? await queue?.add(description)) != nil { count = number }
        }
        if let opened = queue {
            // If a request must not be sent before a step that fails, the queue never sends it.
            try await self.run(opened) {
                server.files.count >= count || crash.hasHappened && opened.transfers.allSatisfy { $0.failure != nil }
                    || opened.states.allSatisfy { $0 == .completed }
            }
        }
        queue = nil

        let later = try QueueScene(server, in: scene.folder)
        let next = try await later.queue()
        try await next.runUntilIdle()
        // An upload that may have been processed waits for consent. It was processed at most once.
        for transfer in next.transfers {
            #expect([.completed, .failed(.possiblyProcessed)].contains(transfer.state), "\(stepCount) steps")
        }
        let completedCount = next.states.count { $0 == .completed }
        #expect(server.files.count >= completedCount, "\(stepCount) steps")
        #expect(Set(server.files).count == server.files.count, "\(stepCount) steps")
        #expect(later.names.filter { $0.hasSuffix(".tern-upload") } == [])
    }

    /// Runs a queue until a step fails, five times; then without failing steps.
    private func runSixTimes(_ scene: QueueScene) async throws -> TransferQueue {
        for stepCount in [3, 11, 5, 17, 8] {
            let crash = Crash(after: stepCount)
            let queue = try await scene.queue(fault: crash.fault)
            let running = queue.start()
            try await eventually("a step that fails") { crash.hasHappened }
            running.cancel()
            try await running.value
        }
        let queue = try await scene.queue()
        try await queue.runUntilIdle()
        return queue
    }

    @Test func `fifty downloads end although the process ends five times`() async throws {
        let server = ResourceServer()
        let scene = try QueueScene(server)
        var queue: TransferQueue? = try await scene.queue()
        for number in 1...50 { try await queue?.add(scene.download(number, host: "host\(number % 5)")) }
        queue = nil
        let last = try await self.runSixTimes(scene)
        #expect(last.states == Array(repeating: .completed, count: 50))
        for number in 1...50 { scene.expectDownloaded(number) }
        // Only those that were running when a process ended can be requested again.
        #expect(server.requests.count <= 50 + 5 * 4)
    }

    @Test func `fifty uploads end although the process ends five times, and each is processed once`() async throws {
        let server = UploadServer()
        let scene = try QueueScene(server)
        var queue: TransferQueue? = try await scene.queue()
        for number in 1...50 { try await queue?.add(scene.upload(number, by: .tus)) }
        queue = nil
        let last = try await self.runSixTimes(scene)
        #expect(last.states == Array(repeating: .completed, count: 50))
        #expect(server.files.count == 50)
        #expect(Set(server.files) == Set((1...50).map { RangeServer.content(100, version: $0) }))
    }

    @Test func `a queue that cannot store the end stores it later, without another request`() async throws {
        let server = ResourceServer()
        let scene = try QueueScene(server)
        let isFull = Flag()
        let isFree = Flag()
        let queue = try await scene.queue(QueueScene.steady) { _ in
            isFull.isRaised && !isFree.isRaised ? .diskFull : nil
        }
        let id = try await queue.add(scene.download(1))
        isFull.raise()
        let running = queue.start()
        try await queue.wait(for: id) { $0.failure?.reason == .storage }
        #expect(FileManager.default.fileExists(atPath: scene.folder.file("file1").path))
        isFree.raise()
        #expect(await scene.clock.advance(until: running).isSuccess)
        #expect(queue.states == [.completed])
        scene.expectDownloaded(1)
        #expect(server.requests.count == 1)
    }

    @Test(arguments: UploadScene.protocols)
    func `an upload whose end cannot be stored is not sent again`(uploadProtocol: UploadProtocol) async throws {
        let server = UploadServer()
        let scene = try QueueScene(server)
        let isFull = Flag()
        let isFree = Flag()
        let queue = try await scene.queue(QueueScene.steady) { _ in
            isFull.isRaised && !isFree.isRaised ? .diskFull : nil
        }
        let id = try await queue.add(scene.upload(1, method: .put, by: uploadProtocol))
        isFull.raise()
        let running = queue.start()
        try await queue.wait(for: id) { $0.failure?.reason == .storage }
        isFree.raise()
        #expect(await scene.clock.advance(until: running).isSuccess)
        #expect(queue.states == [.completed])
        #expect(server.files.count == 1)
        #expect(scene.names.filter { $0.hasSuffix(".tern-upload") } == [])
    }
}

extension Result {
    /// Whether the result is a success.
    var isSuccess: Bool { if case .success = self { true } else { false } }
}
