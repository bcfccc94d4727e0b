// SPDX-License-Identifier: Apache-2.0
import TernCLibrary
package import TernErrors
import TernFoundation

/// Creates files that a process holds with a lock while it writes them, and deletes files that no process holds.
///
/// A lock (`flock`) belongs to the open file. It ends when the file is closed, at the latest when the process ends. So
/// a file without a lock has no writer. A file with a lock has one, even if the writer has written nothing for a long
/// time.
extension OpenFolder {
    /// The time without changes after which a file counts as abandoned if the disk does not support locks: one day.
    private static let silentNanoseconds: Int64 = 86400 * 1_000_000_000
    /// The maximum number of attempts to create a file.
    ///
    /// An attempt fails if another process deletes the file before this process holds it.
    private static let maximumAttemptCount = 16

    /// Creates a file that only its owner can access.
    ///
    /// The open descriptor holds the file, even after the file is renamed.
    ///
    /// - Throws: `alreadyExists` if the name exists, or another failure of the system.
    package func createLocked(_ name: String) throws(FileFailure) -> CInt {
        try Self.checkReserve()
        for _ in 0..<Self.maximumAttemptCount {
            let descriptor = try self.open(name, O_RDWR | O_CREAT | O_EXCL)
            // This waits for a moment at most. Another process may have found the new file without a lock, and then
            // holds it only while it checks or deletes the file.
            while flock(descriptor, LOCK_EX) != 0, errno == EINTR {}
            if let status = try? FileStatus(descriptor: descriptor), status.nameCount > 0 { return descriptor }
            OpenFile.closeLocked(descriptor)
        }
        throw .system(errno: EAGAIN)
    }

    /// Throws an error if a file that stays open would take a descriptor of the reserve.
    ///
    /// The check comes before the file is opened, because that may create the file.
    static func checkReserve() throws(FileFailure) {
        guard DescriptorReserve.leaves(1) else { throw .system(errno: EMFILE) }
    }

    /// Returns whether a file of this user is abandoned: no process holds it, and so no process will write it again.
    ///
    /// If the disk does not support locks, a file counts as abandoned after one day without changes.
    package func isAbandoned(_ name: String) -> Bool { self.examine(name) { true } }

    /// Deletes a file of this user if no process holds it.
    ///
    /// - Returns: Whether the file was deleted.
    @discardableResult
    package func deleteIfAbandoned(_ name: String) -> Bool {
        // Hold the file until it is deleted. A process that has just created the file waits for the lock, and then sees
        // that the file is gone.
        self.examine(name) {
            self.delete(name)
            return true
        }
    }

    private func examine(_ name: String, _ whileHeld: () -> Bool) -> Bool {
        guard let descriptor = try? self.open(name, O_RDWR | O_NONBLOCK) else { return false }
        defer { OpenFile.closeLocked(descriptor) }
        guard let status = try? FileStatus(descriptor: descriptor), status.kind == .regular, status.isOwn else {
            return false
        }
        while flock(descriptor, LOCK_EX | LOCK_NB) != 0 {
            if errno == EINTR { continue }
            guard errno != EWOULDBLOCK else { return false }
            let now = Int64(Date().timeIntervalSince1970) * 1_000_000_000
            return now - status.time > Self.silentNanoseconds && whileHeld()
        }
        return whileHeld()
    }
}
