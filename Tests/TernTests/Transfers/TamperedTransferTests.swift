// SPDX-License-Identifier: Apache-2.0
import ClientTestSupport
import Tern
import TernConnections
import TernErrors
import TernTesting
import TernTransfers
import TestSupport
import Testing

#if canImport(FoundationEssentials)
import FoundationEssentials
#else
import Foundation
#endif

#if canImport(Glibc)
import Glibc
#elseif canImport(Musl)
import Musl
#else
import Darwin
#endif

@Suite("A durable download whose files were changed", .hangLimit)
struct TamperedTransferTests {
    /// Calls again, and checks that the file is right and that the call began at the first byte.
    private func expectRestart(
        _ restart: DownloadRestart,
        in folder: TemporaryFolder,
        _ comment: @autoclosure () -> Comment? = nil,
        sourceLocation: SourceLocation = #_sourceLocation
    ) async throws {
        let scene = try TransferScene(in: folder)
        let result = try await scene.download()
        scene.expectComplete(comment(), sourceLocation: sourceLocation)
        #expect(result.restart == restart, comment(), sourceLocation: sourceLocation)
        #expect(result.resumedByteCount == 0, comment(), sourceLocation: sourceLocation)
        #expect(scene.ranges == [nil], comment(), sourceLocation: sourceLocation)
    }

    // MARK: The partial file

    @Test(arguments: [0, 1, 39])
    func `a partial file that is too short begins again`(byteCount: UInt64) async throws {
        let folder = try await TransferScene.interrupted(after: 40)
        try folder.truncate(TransferScene.partial, to: byteCount)
        try await self.expectRestart(.partialFileChanged, in: folder)
    }

    @Test func `a partial file that is missing begins again`() async throws {
        let folder = try await TransferScene.interrupted(after: 40)
        try folder.remove(TransferScene.partial)
        try await self.expectRestart(.partialFileChanged, in: folder)
    }

    @Test(arguments: [1, 60, 5000])
    func `bytes that the record does not claim are not used`(byteCount: Int) async throws {
        let folder = try await TransferScene.interrupted(after: 40)
        let scene = try TransferScene(in: folder)
        let bytes = try #require(scene.bytes(TransferScene.partial))
        try scene.overwrite(TransferScene.partial, bytes + [UInt8](repeating: 0, count: byteCount))
        #expect(try await scene.download().resumedByteCount == 40)
        scene.expectComplete()
        #expect(scene.ranges == ["bytes=40-"])
    }

    @Test func `a checksum finds bytes that were changed in place`() async throws {
        let folder = try await TransferScene.interrupted(after: 40)
        let scene = try TransferScene(in: folder)
        var bytes = try #require(scene.bytes(TransferScene.partial))
        bytes[7] ^= 1
        try scene.overwrite(TransferScene.partial, bytes)
        let checksum = try #require(Checksum(.sha256, sha256(of: scene.content)))
        #expect(await scene.fault(expecting: checksum) == .digestFailed(.unexpected(algorithm: "sha-256")))
        #expect(try folder.names == [])
    }

    @Test func `a link in the place of the partial file is not followed`() async throws {
        let scene = try TransferScene()
        try scene.folder.write("mine", to: "thesis")
        let link = scene.folder.file(TransferScene.partial)
        try FileManager.default.createSymbolicLink(at: link, withDestinationURL: scene.folder.file("thesis"))
        #expect(await scene.fault() == .fileFailed(.system(errno: ELOOP)))
        #expect(try scene.folder.text(of: "thesis") == "mine")
        #expect(try scene.folder.names == [TransferScene.partial, "thesis"])
        #expect(scene.requests.isEmpty)
    }

    @Test func `a folder or a pipe in the place of the partial file is refused`() async throws {
        let scene = try TransferScene()
        let place = scene.folder.file(TransferScene.partial)
        try FileManager.default.createDirectory(at: place, withIntermediateDirectories: false)
        #expect(await scene.fault() == .fileFailed(.isDirectory))
        try FileManager.default.removeItem(at: place)
        #expect(mkfifo(place.path, 0o600) == 0)
        #expect(await scene.fault() == .fileFailed(.notPermitted))
        #expect(scene.requests.isEmpty)
    }

    @Test(arguments: [true, false])
    func `a file that takes the place of the partial file meanwhile is not the result`(isOther: Bool) async throws {
        let folder = try TemporaryFolder()
        try folder.write("old", to: "file")
        let mayEnd = Suspension<Void>()
        let connector = MemoryConnector.tested { connection in
            _ = try await connection.readRequest()
            try await connection.write("HTTP/1.1 200 OK\r\nETag: \"a\"\r\nContent-Length: 8\r\n\r\nnew ")
            await mayEnd.wait(onCancel: ())
            try await connection.write("body")
            await connection.waitForEnd()
        }
        let client = Client(configuration: .patient.tested, connector: connector)
        let destination = folder.file("file")
        let calling = Task { try await client.download(from: testURL, to: destination, resuming: .immediate) }
        try await eventually("there is a partial file") { try folder.names.contains(TransferScene.partial) }
        try folder.remove(TransferScene.partial)
        if isOther { try folder.write("another!", to: TransferScene.partial) }
        mayEnd.resume(with: ())
        let error = await #expect(throws: ClientError.self) { try await calling.value }
        #expect(error?.fault == .fileFailed(isOther ? .inUse : .system(errno: ENOENT)))
        #expect(try folder.text(of: "file") == "old")
        if isOther { #expect(try folder.text(of: TransferScene.partial) == "another!") }
    }

    // MARK: The record

    @Test func `a record with any bit of a byte changed begins again`() async throws {
        let folder = try await TransferScene.interrupted(after: 40)
        let original = try TransferScene(in: folder)
        let record = try #require(original.bytes(TransferScene.record))
        let partial = try #require(original.bytes(TransferScene.partial))
        for index in record.indices {
            var changed = record
            changed[index] ^= 1 << UInt8(index % 8)
            let folder = try TemporaryFolder()
            try Data(changed).write(to: folder.file(TransferScene.record))
            try Data(partial).write(to: folder.file(TransferScene.partial))
            try await self.expectRestart(.recordUnusable, in: folder, "byte \(index)")
        }
    }

    @Test func `a record that ends early begins again`() async throws {
        let folder = try await TransferScene.interrupted(after: 40)
        let original = try TransferScene(in: folder)
        let record = try #require(original.bytes(TransferScene.record))
        let partial = try #require(original.bytes(TransferScene.partial))
        for byteCount in record.indices {
            let folder = try TemporaryFolder()
            try Data(record[..<byteCount]).write(to: folder.file(TransferScene.record))
            try Data(partial).write(to: folder.file(TransferScene.partial))
            try await self.expectRestart(.recordUnusable, in: folder, "\(byteCount) bytes")
        }
    }

    @Test(arguments: [
        "", "\n", "garbage", "tern-download 2 sha256:00\n{}", "tern-download 1 sha256:00\n{}",
        String(repeating: "tern-download ", count: 10_000),
    ])
    func `a file that is not a record begins again`(text: String) async throws {
        let folder = try await TransferScene.interrupted(after: 40)
        try folder.write(text, to: TransferScene.record)
        try await self.expectRestart(.recordUnusable, in: folder)
    }

    @Test func `a record that is missing begins again`() async throws {
        let folder = try await TransferScene.interrupted(after: 40)
        try folder.remove(TransferScene.record)
        try await self.expectRestart(.recordUnusable, in: folder)
    }

    @Test func `a link or a folder in the place of the record is refused`() async throws {
        let folder = try await TransferScene.interrupted(after: 40)
        let scene = try TransferScene(in: folder)
        let place = folder.file(TransferScene.record)
        try FileManager.default.moveItem(at: place, to: folder.file("real"))
        try FileManager.default.createSymbolicLink(at: place, withDestinationURL: folder.file("real"))
        #expect(await scene.fault() == .fileFailed(.notPermitted))
        try FileManager.default.removeItem(at: place)
        try FileManager.default.createDirectory(at: place, withIntermediateDirectories: false)
        #expect(await scene.fault() == .fileFailed(.notPermitted))
        #expect(scene.requests.isEmpty)
    }

    @Test func `what a killed process has left of a new record does not matter`() async throws {
        let folder = try await TransferScene.interrupted(after: 40)
        try folder.write("tern-down", to: "file.tern-record-new")
        let scene = try TransferScene(.cut(afterBodyByteCount: 20), in: folder)
        #expect(await scene.failure() != nil)
        try scene.expectUnfinished(60)
        #expect(try await scene.download().resumedByteCount == 60)
        scene.expectComplete()
    }
}
