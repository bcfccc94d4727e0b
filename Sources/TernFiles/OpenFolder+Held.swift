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

/// Files that are held as long as a process writes them.
///
/// A lock (`flock`) belongs to the open file and ends with it, at the latest with its process, however that ends. So a file
/// without a lock has no writer, and one with a lock has one, however long it has been silent.
extension OpenFolder {
    /// How long a file must not have changed to count as abandoned on a disk that knows no locks; a day.
    private static let silentNanoseconds: Int64 = 86400 * 1_000_000_000
    /// How often a file that is deleted as soon as it is there is made again.
    private static let maximumAttemptCount = 16

    /// Creates a file for its owner alone, which its open descriptor holds, also under another name later.
    ///
    /// - Throws: `alreadyExists`, or another reason of the system.
    package func createHeld(_ name: String) throws(FileFailure) -> CInt {
        for _ in 0..<Self.maximumAttemptCount {
            let descriptor = try self.open(name, O_RDWR | O_CREAT | O_EXCL)
            // Waits for a moment only: another process that has the lock is deleting the file, which was not held yet.
            while flock(descriptor, LOCK_EX) != 0, errno == EINTR {}
            if let status = try? FileStatus(descriptor: descriptor), status.nameCount > 0 { return descriptor }
            close(descriptor)
        }
        throw .system(errno: EAGAIN)
    }

    /// Whether a file of this user's is held by no process, and so will never be held again.
    package func isAbandoned(_ name: String) -> Bool { self.examine(name) { true } }

    /// Deletes a file of this user's if no process holds it.
    ///
    /// - Returns: whether it was deleted.
    @discardableResult
    package func deleteIfAbandoned(_ name: String) -> Bool {
        // Held until it is deleted: its writer may have created it just now.
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
