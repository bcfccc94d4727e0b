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

@Suite("The directory of a queue", .hangLimit)
struct OpenedQueueTests {
    private func open(_ scene: QueueScene) async throws(TransferQueueError) -> TransferQueue {
        try await TransferQueue(directory: scene.directory, client: scene.client)
    }

    /// A directory with a number of downloads that have not begun.
    private func filled(_ count: Int) async throws -> QueueScene {
        let scene = try QueueScene(ResourceServer())
        let queue = try await scene.queue()
        for number in 1...count { try await queue.add(scene.download(number)) }
        return scene
    }

    private func damage(_ name: String, _ scene: QueueScene, _ change: (inout Data) -> Void) throws {
        let file = scene.directory.appendingPathComponent(name)
        var bytes = try Data(contentsOf: file)
        change(&bytes)
        try bytes.write(to: file)
    }

    @Test func `the directory is created for its owner only, and so are its files`() async throws {
        let scene = try await self.filled(1)
        let path = scene.directory.path
        #expect(try FileManager.default.attributesOfItem(atPath: path)[.posixPermissions] as? Int == 0o700)
        #expect(scene.names == ["1.tern-transfer", "queue.tern-lock"])
        for name in scene.names {
            let attributes = try FileManager.default.attributesOfItem(atPath: "\(path)/\(name)")
            #expect(attributes[.posixPermissions] as? Int == 0o600)
        }
    }

    @Test func `a second queue in the directory is refused until the first is released`() async throws {
        let scene = try QueueScene(ResourceServer())
        var first: TransferQueue? = try await self.open(scene)
        await #expect(throws: TransferQueueError.inUse) { try await self.open(scene) }
        #expect(first?.transfers.isEmpty == true)
        first = nil
        _ = try await scene.queue()
    }

    @Test func `a directory that cannot be used is an error`() async throws {
        let scene = try QueueScene(ResourceServer())
        let client = scene.client
        await #expect(throws: TransferQueueError.file(.notAFileURL)) {
            try await TransferQueue(directory: .test("test", "1"), client: client)
        }
        await #expect(throws: TransferQueueError.file(.folderNotFound)) {
            try await TransferQueue(directory: scene.folder.file("none/queue"), client: client)
        }
        try FileManager.default.createDirectory(
            at: scene.directory,
            withIntermediateDirectories: false,
            attributes: [.posixPermissions: 0o777]
        )
        try FileManager.default.setAttributes([.posixPermissions: 0o777], ofItemAtPath: scene.directory.path)
        await #expect(throws: TransferQueueError.file(.notPermitted)) { try await self.open(scene) }
    }

    @Test func `all that was added is there again, in the same form`() async throws {
        let scene = try QueueScene(ResourceServer())
        var queue: TransferQueue? = try await scene.queue()
        var download = scene.download(1)
        download.label = "one"
        download.priority = .high
        download.fields = [.accept: "text/plain"]
        let upload = try scene.upload(2, method: .put, by: .tus)
        try await queue?.add(download)
        try await queue?.add(upload)
        queue = nil
        let next = try await scene.queue()
        #expect(next.transfers.map(\.description) == [download, upload])
        #expect(next.transfers.map(\.id) == [.test(1), .test(2)])
    }

    @Test func `a damaged file does not take the others down, and is not deleted`() async throws {
        let scene = try await self.filled(3)
        try self.damage("2.tern-transfer", scene) { $0[100] ^= 1 }
        let queue = try await scene.queue()
        #expect(queue.transfers.map(\.id) == [.test(1), .test(3)])
        let damaged = DamagedTransferFile(name: "2.tern-transfer", id: .test(2), reason: .damaged)
        #expect(queue.damagedFiles == [damaged])
        try await queue.runUntilIdle()
        #expect(queue.states == [.completed, .completed])
        #expect(scene.names.contains("2.tern-transfer"))
        try await queue.remove(.test(2))
        #expect(queue.damagedFiles == [])
        #expect(!scene.names.contains("2.tern-transfer"))
    }

    @Test func `a file of a later version is not used`() async throws {
        let scene = try await self.filled(1)
        try self.damage("1.tern-transfer", scene) { $0 = Data("tern-transfer 2 more\n{}".utf8) }
        let queue = try await scene.queue()
        #expect(queue.damagedFiles.map(\.reason) == [.newerVersion(2)])
    }

    @Test func `a copy of a file is not a second transfer`() async throws {
        let scene = try await self.filled(1)
        let copy = scene.directory.appendingPathComponent("5.tern-transfer")
        try FileManager.default.copyItem(at: scene.directory.appendingPathComponent("1.tern-transfer"), to: copy)
        let queue = try await scene.queue()
        #expect(queue.transfers.map(\.id) == [.test(1)])
        #expect(queue.damagedFiles.map(\.id) == [.test(5)])
        #expect(try await queue.add(scene.download(9)) == .test(6))
    }

    @Test func `a link is not a file of a transfer`() async throws {
        let scene = try await self.filled(1)
        let file = scene.directory.appendingPathComponent("1.tern-transfer")
        try FileManager.default.moveItem(at: file, to: scene.folder.file("moved"))
        try FileManager.default.createSymbolicLink(at: file, withDestinationURL: scene.folder.file("moved"))
        let queue = try await scene.queue()
        #expect(queue.damagedFiles.map(\.reason) == [.unreadable(.notPermitted)])
    }

    @Test func `if the state of the queue is damaged, nothing runs until all are resumed`() async throws {
        let scene = try await self.filled(1)
        var queue: TransferQueue? = try await scene.queue()
        try await queue?.pauseAll()
        try await queue?.resumeAll()
        queue = nil
        try self.damage("queue.tern-queue", scene) { $0[30] ^= 1 }
        let next = try await scene.queue()
        #expect(next.isPaused)
        #expect(next.damagedFiles.map(\.id) == [nil])
        try await next.runUntilIdle()
        #expect(next.states == [.waiting])
        try await next.resumeAll()
        #expect(next.damagedFiles == [])
        try await next.runUntilIdle()
        #expect(next.states == [.completed])
    }

    @Test func `a later version of the state of the queue is an error`() async throws {
        let scene = try await self.filled(1)
        try Data("tern-transfer-queue 9 more\n{}".utf8)
            .write(to: scene.directory.appendingPathComponent("queue.tern-queue"))
        await #expect(throws: TransferQueueError.newerVersion(9)) { try await self.open(scene) }
    }

    @Test func `files that a process left while it wrote them are deleted, and records without a use`() async throws {
        let scene = try await self.filled(1)
        for name in ["1.tern-transfer-new", "queue.tern-queue-new", "7.tern-upload", "1.tern-upload", "other-new"] {
            try Data("x".utf8).write(to: scene.directory.appendingPathComponent(name))
        }
        _ = try await scene.queue()
        // The record of the first transfer stays, because the transfer is there, although it is a download.
        #expect(scene.names == ["1.tern-transfer", "1.tern-upload", "other-new", "queue.tern-lock"])
    }

    @Test func `a directory can be read while another process owns it`() async throws {
        let scene = try QueueScene(ResourceServer())
        #expect(try await TransferQueue.stored(in: scene.directory).transfers.isEmpty)
        let queue = try await scene.queue()
        try await queue.add(scene.download(1))
        try await queue.add(scene.download(2))
        try await queue.pause(.test(2))
        var stored = try await TransferQueue.stored(in: scene.directory)
        #expect(stored.transfers.map(\.state) == [.waiting, .paused])
        #expect(stored.transfers.map(\.description) == queue.transfers.map(\.description))
        #expect(!stored.isPaused)
        try await queue.pauseAll()
        try self.damage("1.tern-transfer", scene) { $0[100] ^= 1 }
        stored = try await TransferQueue.stored(in: scene.directory)
        #expect(stored.isPaused)
        #expect(stored.transfers.map(\.id) == [.test(2)])
        #expect(stored.damagedFiles.map(\.id) == [.test(1)])
    }
}
