// SPDX-License-Identifier: Apache-2.0
import ClientTestSupport
import Tern
import TernErrors
import TernFoundation
import TernTesting
import TernTransfers
import TestSupport
import Testing

/// Tests the states of the folder in which a process may end while it completes the file.
@Suite("A durable download after the end of the process", .hangLimit)
struct KilledTransferTests {
    /// Leaves a partial file with all bytes, and the record that claims all of them.
    private func completeScene(_ last: Conduct = .honest) async throws -> TransferScene {
        let scene = try TransferScene(.cut(afterBodyByteCount: 40), last)
        #expect(await scene.failure() != nil)
        var record = try scene.storedRecord()
        record.ranges = ByteRangeSet(0..<100)
        try scene.overwrite(TransferScene.partial, scene.content)
        try scene.overwrite(TransferScene.record, record.encoded)
        return scene
    }

    @Test func `the complete file is moved into its place without a request`() async throws {
        let scene = try await self.completeScene()
        let result = try await scene.download()
        scene.expectComplete()
        #expect(scene.requests.count == 1)
        #expect((result.byteCount, result.resumedByteCount) == (100, 100))
        #expect(result.response == nil)
        #expect(result.restart == nil)
    }

    @Test func `the complete file is checked before it is moved`() async throws {
        let scene = try await self.completeScene()
        var bytes = scene.content
        bytes[50] ^= 1
        try scene.overwrite(TransferScene.partial, bytes)
        let checksum = try #require(Checksum(.sha256, sha256(of: scene.content)))
        #expect(await scene.fault(expecting: checksum) == .digestFailed(.unexpected(algorithm: "sha-256")))
        #expect(scene.requests.count == 1)
        _ = try await scene.download(expecting: checksum)
        scene.expectComplete()
    }

    @Test(arguments: [true, false])
    func `a file that is in its place already is recognized, and the record is deleted`(
        hasEmptyFile: Bool
    ) async throws {
        let scene = try await self.completeScene()
        try FileManager.default.moveItem(at: scene.folder.file(TransferScene.partial), to: scene.destination)
        // A later call may have been killed after it had created its partial file.
        if hasEmptyFile { try scene.folder.write("", to: TransferScene.partial) }
        let result = try await scene.download()
        scene.expectComplete()
        #expect(scene.requests.count == 1)
        #expect((result.byteCount, result.resumedByteCount) == (100, 100))
        #expect(result.response == nil)
    }

    @Test func `another file at the destination is not taken for the complete one`() async throws {
        let scene = try await self.completeScene()
        try FileManager.default.removeItem(at: scene.folder.file(TransferScene.partial))
        try Data(repeating: 0, count: 100).write(to: scene.destination)
        // The file system may give the file the number of the deleted one, and the same time if the clock has not ticked.
        try FileManager.default.setAttributes(
            [.modificationDate: Date(timeIntervalSinceNow: 10)],
            ofItemAtPath: scene.destination.path
        )
        let result = try await scene.download()
        scene.expectComplete()
        #expect(scene.requests.count == 2)
        #expect(result.restart == .partialFileChanged)
    }

    @Test func `a partial file without bytes and without a record is used again`() async throws {
        let scene = try TransferScene()
        try scene.folder.write("", to: TransferScene.partial)
        #expect(try await scene.download().restart == nil)
        scene.expectComplete()
    }

    @Test func `a record without bytes begins again`() async throws {
        let scene = try TransferScene(.cut(afterBodyByteCount: 40))
        #expect(await scene.failure() != nil)
        var record = try scene.storedRecord()
        record.ranges = ByteRangeSet()
        try scene.overwrite(TransferScene.record, record.encoded)
        let result = try await scene.download()
        scene.expectComplete()
        #expect(result.resumedByteCount == 0)
        #expect(scene.ranges == [nil, nil])
    }

    @Test func `a record with several ranges requests each gap`() async throws {
        let scene = try await self.completeScene()
        var record = try scene.storedRecord()
        record.ranges = ByteRangeSet(10..<30)
        record.ranges.insert(50..<60)
        try scene.overwrite(TransferScene.record, record.encoded)
        var bytes = scene.content
        for index in bytes.indices where !record.ranges.contains(Int64(index)..<Int64(index) + 1) { bytes[index] = 0 }
        try scene.overwrite(TransferScene.partial, bytes)
        let result = try await scene.download(TransferScene.url, .manual)
        scene.expectComplete()
        #expect(scene.ranges == [nil, "bytes=0-9", "bytes=30-49", "bytes=60-"])
        #expect(result.resumedByteCount == 30)
    }
}
