// SPDX-License-Identifier: Apache-2.0
import ClientTestSupport
import Tern
import TernErrors
import TernFoundation
import TernTesting
import TernTransfers
import TestSupport
import Testing

@Suite("A durable download whose record was changed", .hangLimit)
struct TamperedRecordTests {
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
            try await TransferScene.expectRestart(.recordUnusable, in: folder, "byte \(index)")
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
            try await TransferScene.expectRestart(.recordUnusable, in: folder, "\(byteCount) bytes")
        }
    }

    @Test(arguments: [
        "", "\n", "garbage", "tern-download 2 sha256:00\n{}", "tern-download 1 sha256:00\n{}",
        String(repeating: "tern-download ", count: 10_000),
    ])
    func `a file that is not a record begins again`(text: String) async throws {
        let folder = try await TransferScene.interrupted(after: 40)
        try folder.write(text, to: TransferScene.record)
        try await TransferScene.expectRestart(.recordUnusable, in: folder)
    }

    @Test func `a record that is missing begins again`() async throws {
        let folder = try await TransferScene.interrupted(after: 40)
        try folder.remove(TransferScene.record)
        try await TransferScene.expectRestart(.recordUnusable, in: folder)
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
