// SPDX-License-Identifier: Apache-2.0
import ClientTestSupport
import HTTPTypes
import Tern
import TernErrors
import TernFoundation
import TernRequests
import TernTesting
@testable import TernTransferQueue
import TestSupport
import Testing

/// Tests that the server deletes its part of an upload that is removed from a queue.
@Suite("Uploads that are removed from a queue", .hangLimit)
struct UploadRemovalTests {
    /// Adds a token to each request.
    private struct Provider: TransferQueueDelegate {
        func transfer(_ transfer: QueuedTransfer, willStartWith request: Request) async throws -> Request {
            request.header(.authorization, "Bearer \(transfer.id)")
        }
    }

    /// Has no token.
    private struct NoProvider: TransferQueueDelegate {
        private struct NoToken: Error {}

        func transfer(_ transfer: QueuedTransfer, willStartWith request: Request) async throws -> Request {
            throw NoToken()
        }
    }

    /// A queue whose only upload has stopped after 40 bytes, and is not running.
    private func begun(
        by uploadProtocol: UploadProtocol = .draft(.eight),
        delegate: (any TransferQueueDelegate)? = nil
    ) async throws -> (scene: QueueScene, server: UploadServer, queue: TransferQueue, id: TransferID) {
        let server = UploadServer(firstContent: .stall(afterByteCount: 40), by: uploadProtocol)
        let scene = try QueueScene(server)
        let queue = try await scene.queue(delegate: delegate)
        let id = try await queue.add(scene.upload(1, by: uploadProtocol))
        let running = queue.start(untilIdle: false)
        await server.waitForStops()
        try await eventually("\(scene.names)") {
            let record = try? Data(contentsOf: scene.directory.appendingPathComponent("1.tern-upload"))
            return record?.isEmpty == false
        }
        running.cancel()
        try await running.value
        #expect(server.uploads.count == 1)
        return (scene, server, queue, id)
    }

    private func expectRemoved(
        _ scene: QueueScene,
        _ queue: TransferQueue,
        sourceLocation: SourceLocation = #_sourceLocation
    ) throws {
        #expect(queue.transfers.isEmpty, sourceLocation: sourceLocation)
        #expect(scene.names == ["queue.tern-lock", "queue.tern-queue"], sourceLocation: sourceLocation)
        #expect(try scene.folder.names == ["file1", "queue"], sourceLocation: sourceLocation)
    }

    @Test(arguments: UploadScene.protocols)
    func `the server deletes its part`(uploadProtocol: UploadProtocol) async throws {
        let (scene, server, queue, id) = try await self.begun(by: uploadProtocol, delegate: Provider())
        let count = server.requests.count
        try await queue.remove(id)
        try self.expectRemoved(scene, queue)
        #expect(server.requests[count...].map(\.method) == [.delete])
        #expect(server.requests.last?.fields[.authorization] == "Bearer 1")
        #expect(server.uploads.isEmpty && server.files.isEmpty)
    }

    @Test(arguments: UploadScene.protocols)
    func `an upload that is running ends first`(uploadProtocol: UploadProtocol) async throws {
        let server = UploadServer(firstContent: .stall(afterByteCount: 40), by: uploadProtocol)
        let scene = try QueueScene(server)
        let queue = try await scene.queue()
        let id = try await queue.add(scene.upload(1, by: uploadProtocol))
        let running = queue.start(untilIdle: false)
        await server.waitForStops()
        try await eventually("\(scene.names)") {
            let record = try? Data(contentsOf: scene.directory.appendingPathComponent("1.tern-upload"))
            return record?.isEmpty == false
        }
        try await queue.remove(id)
        try self.expectRemoved(scene, queue)
        #expect(server.requests.last?.method == .delete)
        #expect(server.uploads.isEmpty && server.files.isEmpty)
        running.cancel()
        try await running.value
    }

    @Test(arguments: [UploadFault.respond(.response(.methodNotAllowed)), .loseAnswer, .respond(.response(.notFound))])
    func `a server that refuses, breaks or does not know the upload is not an error`(fault: UploadFault) async throws {
        let (scene, server, queue, id) = try await self.begun()
        server.plan(fault)
        let count = server.requests.count
        try await queue.remove(id)
        try self.expectRemoved(scene, queue)
        // Over HTTP/2, the gateway of the tests may send the request again on another connection.
        #expect(Set(server.requests[count...].map(\.method)) == [.delete])
    }

    @Test func `a server that is silent is left after ten seconds`() async throws {
        let (scene, server, queue, id) = try await self.begun()
        let flag = Flag()
        server.plan(UploadFault.none.with(\.before, { await flag.wait() }))
        let count = server.requests.count
        let removing = Task { try await queue.remove(id) }
        await server.waitForRequests(count + 1)
        // The transfer is gone before the server has answered.
        #expect(queue.transfers.isEmpty)
        #expect(!scene.names.contains("1.tern-transfer"))
        scene.clock.advance(by: .seconds(10))
        try await removing.value
        flag.raise()
        try self.expectRemoved(scene, queue)
    }

    @Test func `a task that is cancelled does not wait for the server`() async throws {
        let (scene, server, queue, id) = try await self.begun()
        let count = server.requests.count
        let removing = Task {
            withUnsafeCurrentTask { $0?.cancel() }
            try await queue.remove(id)
        }
        try await removing.value
        try self.expectRemoved(scene, queue)
        #expect(server.requests.count == count)
    }

    @Test func `without a request from the delegate, the server is not asked`() async throws {
        let (first, server, _, id) = try await self.begun()
        let copy = try TemporaryFolder()
        try FileManager.default.copyItem(at: first.directory, to: copy.file("queue"))
        let scene = try QueueScene(server, in: copy)
        let queue = try await scene.queue(delegate: NoProvider())
        let count = server.requests.count
        try await queue.remove(id)
        #expect(queue.transfers.isEmpty && server.requests.count == count)
        #expect(scene.names == ["queue.tern-lock", "queue.tern-queue"])
    }

    @Test func `the caller may leave the server alone`() async throws {
        let (scene, server, queue, id) = try await self.begun()
        let count = server.requests.count
        try await queue.remove(id, tellsServer: false)
        try self.expectRemoved(scene, queue)
        #expect(server.requests.count == count && server.uploads.count == 1)
    }

    @Test func `an upload that has not begun, or is complete, causes no request`() async throws {
        let server = UploadServer()
        let scene = try QueueScene(server)
        let queue = try await scene.queue()
        let first = try await queue.add(scene.upload(1))
        try await queue.runUntilIdle()
        let second = try await queue.add(scene.upload(2))
        let count = server.requests.count
        for id in [first, second] { try await queue.remove(id) }
        #expect(queue.transfers.isEmpty && server.requests.count == count)
        #expect(server.files.count == 1)
    }

    @Test func `a removal that cannot be stored leaves the upload on the server`() async throws {
        let (first, server, _, id) = try await self.begun()
        let copy = try TemporaryFolder()
        try FileManager.default.copyItem(at: first.directory, to: copy.file("queue"))
        let isFull = Flag()
        let queue = try await QueueScene(server, in: copy).queue { _ in isFull.isRaised ? .diskFull : nil }
        isFull.raise()
        let count = server.requests.count
        await #expect(throws: TransferQueueError.file(.diskFull)) { try await queue.remove(id) }
        #expect(queue.states == [.waiting] && server.requests.count == count)
        #expect(server.uploads.count == 1)
    }

    @Test func `the next process deletes the record of a removed upload`() async throws {
        let (first, server, _, _) = try await self.begun()
        let copy = try TemporaryFolder()
        try FileManager.default.copyItem(at: first.directory, to: copy.file("queue"))
        // As after the end of the process between the file of the transfer and the record of its upload.
        try copy.remove("queue/1.tern-transfer")
        let scene = try QueueScene(server, in: copy)
        let queue = try await scene.queue()
        #expect(queue.transfers.isEmpty)
        #expect(!scene.names.contains("1.tern-upload"))
    }
}
