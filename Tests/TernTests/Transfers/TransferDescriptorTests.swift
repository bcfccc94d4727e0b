// SPDX-License-Identifier: Apache-2.0
import Synchronization
@testable import Tern
import TernCLibrary
import TernConnections
import TernFoundation
import TestSupport
import Testing

/// Tests the files that a transfer keeps open, in a separate process that has no free file descriptors.
@Suite("The files of a transfer, out of descriptors", .hangLimit)
struct TransferDescriptorTests {
    /// An owner with open files in place of idle connections.
    private final class Owner: IdleConnectionOwner {
        private let descriptors: Mutex<[CInt]>

        init(_ count: Int) {
            self.descriptors = Mutex((0..<count).map { _ in open("/dev/null", O_RDONLY | O_CLOEXEC) })
        }

        func closeIdleConnection() async -> Bool {
            guard let descriptor = self.descriptors.withLock({ $0.popLast() }) else { return false }
            close(descriptor)
            return true
        }
    }

    @Test func `idle connections make room for the partial file of a download`() async {
        await #expect(processExitsWith: .success) {
            let (folder, owner) = (try TemporaryFolder(), Owner(8))
            IdleConnections.process.add(owner)
            let table = try FullDescriptorTable(freeCount: 8)
            let file = try await PartialFile.open(for: folder.file("file"))
            withExtendedLifetime((owner, table, file)) {}
        }
    }

    @Test func `idle connections make room for the record of an upload`() async {
        await #expect(processExitsWith: .success) {
            let (folder, owner) = (try TemporaryFolder(), Owner(8))
            IdleConnections.process.add(owner)
            let table = try FullDescriptorTable(freeCount: 8)
            let file = try await UploadRecordFile.open(at: folder.file("record"))
            withExtendedLifetime((owner, table, file)) {}
        }
    }

    @Test func `idle connections make room for the file of an upload, of a form and of a hash`() async {
        await #expect(processExitsWith: .success) {
            let (folder, owner) = (try TemporaryFolder(), Owner(8))
            let path = folder.file("file").path
            try Data("content".utf8).write(to: folder.file("file"))
            IdleConnections.process.add(owner)
            let table = try FullDescriptorTable(freeCount: 8)
            _ = try await ReadableFile.identity(path: path)
            var files: [ReadableFile] = []
            for _ in 0..<4 { files.append(try await ReadableFile.opened(path: path)) }
            withExtendedLifetime((owner, table, files)) {}
        }
    }
}
