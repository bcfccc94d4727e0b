// SPDX-License-Identifier: Apache-2.0
import TernCLibrary
package import TernErrors

/// Keeps small files, such as records, in one of two states: the old content or the new one.
extension OpenFolder {
    /// An attempt fails if another process replaces or deletes the file before this process has the lock.
    private static let maximumLockAttemptCount = 16

    /// Replaces or creates a file in one step, and returns its descriptor, which the caller closes.
    ///
    /// After a crash, the file has the old content or the new one; if the folder was synchronized, it has the new one.
    package func replace(
        _ name: String,
        with bytes: [UInt8],
        by newName: String,
        isLocked: Bool = false
    ) throws(FileFailure) -> CInt {
        // An old file with this name may have another name, too, or other permissions. So it is not written to. If the
        // name is not that of a file, opening or writing it fails.
        let isFile = self.status(of: newName).map { $0.kind == .regular } ?? true
        if isFile { self.delete(newName) }
        let descriptor = try self.open(newName, O_RDWR | O_CREAT | (isFile ? O_EXCL : O_TRUNC))
        do throws(FileFailure) {
            if isLocked { try OpenFile.lock(descriptor) }
            if let failure = bytes.withUnsafeBytes({ OpenFile.write($0, to: descriptor) }) { throw failure }
            try OpenFile.synchronize(descriptor)
            try self.move(newName, to: self, name)
            return descriptor
        } catch {
            OpenFile.closeLocked(descriptor)
            throw error
        }
    }

    /// Opens or creates a regular file of this user, and takes its lock, which ``OpenFile/closeLocked(_:)`` ends; throws `inUse`
    /// for a locked file, and `notPermitted` if it is not regular or belongs to another user.
    package func openLocked(_ name: String) throws(FileFailure) -> CInt {
        try Self.checkReserve()
        for _ in 0..<Self.maximumLockAttemptCount {
            // A link or a folder has another error than that of `open`.
            if let status = self.status(of: name), status.kind != .regular { throw .notPermitted }
            let descriptor = try self.open(name, O_RDWR | O_NONBLOCK | O_CREAT)
            do throws(FileFailure) {
                let status = try FileStatus(descriptor: descriptor)
                guard status.kind == .regular, status.isOwn else { throw .notPermitted }
                try OpenFile.lock(descriptor)
                // The process that had the lock may have replaced the file, or deleted it.
                if self.status(of: name)?.number == status.number { return descriptor }
            } catch {
                OpenFile.closeLocked(descriptor)
                throw error
            }
            OpenFile.closeLocked(descriptor)
        }
        throw .inUse
    }

    /// Reads a short regular file of this user; `nil` if the name does not exist; throws `notPermitted` for any other file.
    package func bytes(of name: String, atMost maximumByteCount: Int) throws(FileFailure) -> [UInt8]? {
        guard let status = self.status(of: name) else { return nil }
        guard status.kind == .regular, status.isOwn else { throw .notPermitted }
        let descriptor = try self.open(name, O_RDONLY | O_NONBLOCK)
        defer { close(descriptor) }
        return try OpenFile.bytes(of: descriptor, atMost: maximumByteCount)
    }
}
