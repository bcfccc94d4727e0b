// SPDX-License-Identifier: Apache-2.0
package import TernErrors

#if canImport(Glibc)
import Glibc
#elseif canImport(Musl)
import Musl
#else
import Darwin
#endif

#if canImport(FoundationEssentials)
import FoundationEssentials
#else
import Foundation
#endif

/// Files that a process holds while it writes them.
///
/// A lock (`flock`) belongs to the open file and ends with it, at the latest when the process ends. So a file without a
/// lock has no writer, and a file with a lock has one, however long the writer has been silent.
extension OpenFolder {
    /// The time without changes after which a file counts as abandoned, on a disk without locks: one day.
    private static let silentNanoseconds: Int64 = 86400 * 1_000_000_000
    /// The maximum number of attempts to create a file that another process deletes at once.
    private static let maximumAttemptCount = 16

    /// Creates a file that only its owner can access.
    ///
    /// The open descriptor holds the file, even after it is renamed.
    ///
    /// - Throws: `alreadyExists`, or another failure of the system.
    package func createLocked(_ name: String) throws(FileFailure) -> CInt {
        for _ in 0..<Self.maximumAttemptCount {
            let descriptor = try self.open(name, O_RDWR | O_CREAT | O_EXCL)
            // This waits only for a moment: another process that has the lock is deleting the file, because the file
            // was not held yet.
            while flock(descriptor, LOCK_EX) != 0, errno == EINTR {}
            if let status = try? FileStatus(descriptor: descriptor), status.nameCount > 0 { return descriptor }
            close(descriptor)
        }
        throw .system(errno: EAGAIN)
    }

    /// Returns whether no process holds a file of this user, so that none will ever hold it again.
    package func isAbandoned(_ name: String) -> Bool { self.examine(name) { true } }

    /// Deletes a file of this user if no process holds it.
    ///
    /// - Returns: Whether the file was deleted.
    @discardableResult
    package func deleteIfAbandoned(_ name: String) -> Bool {
        // Hold the file until it is deleted, because its writer may have just created it.
        self.examine(name) {
            self.delete(name)
            return true
        }
    }

    private func examine(_ name: String, _ whileHeld: () -> Bool) -> Bool {
        guard let descriptor = try? self.open(name, O_RDWR | O_NONBLOCK) else { return false }
        defer { close(descriptor) }
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
