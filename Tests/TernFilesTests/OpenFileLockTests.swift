// SPDX-License-Identifier: Apache-2.0
import Foundation
import Synchronization
import TernErrors
import TernFiles
import TestSupport
import Testing

@Suite("Locks of files", .hangLimit)
struct OpenFileLockTests {
    private final class Flag: Sendable {
        let isSet = Atomic(false)
    }

    /// A process that has just been started has all open files until it runs its program.
    @Test func `a closed file has no lock, also while this process starts others`() async throws {
        let folder = try TemporaryFolder()
        let path = folder.url.path
        let end = Flag()
        try await withThrowingTaskGroup(of: Void.self) { group in
            group.addTask {
                defer { end.isSet.store(true, ordering: .relaxed) }
                for _ in 0..<40 {
                    let process = Process()
                    process.executableURL = URL(filePath: "/bin/sh")
                    process.arguments = ["-c", "exit 0"]
                    try process.run()
                    process.waitUntilExit()
                }
            }
            group.addTask {
                let open = try OpenFolder(path: path)
                while !end.isSet.load(ordering: .relaxed) {
                    OpenFile.closeLocked(try open.openLocked("lock"))
                    OpenFile.closeLocked(try open.createLocked("held"))
                    let isDeleted = open.deleteIfAbandoned("held")
                    try #require(isDeleted)
                }
            }
            try await group.waitForAll()
        }
    }

    @Test func `an open file keeps its lock`() throws {
        let folder = try TemporaryFolder()
        let open = try OpenFolder(path: folder.url.path)
        let descriptor = try open.openLocked("lock")
        #expect(throws: FileFailure.inUse) { try open.openLocked("lock") }
        OpenFile.closeLocked(descriptor)
        OpenFile.closeLocked(try open.openLocked("lock"))
    }
}
