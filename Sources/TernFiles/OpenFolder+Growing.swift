// SPDX-License-Identifier: Apache-2.0
import TernCLibrary
package import TernErrors

/// Opens files that a process writes in place, such as the partial file of a download.
extension OpenFolder {
    package struct GrowingFile: Sendable {
        package let descriptor: CInt
        /// Whether the file is empty because this process has created it.
        package let isNew: Bool
    }

    private static let ownPermissions: mode_t = 0o600
    /// An attempt fails if another process creates, moves or deletes the file before this process has the lock.
    private static let maximumGrowingAttemptCount = 16

    /// Opens or creates a regular file of this user with its exclusive lock, to write it in place.
    ///
    /// Afterwards, only the owner can access the file, if the file system has permissions, and no other name leads to the file. If
    /// the file had a second name, as after `cp -al`, `name` now stands for a new file, with the same content if `keepsContent`.
    /// Throws `inUse` for a locked file, and `notPermitted` for a file that is not regular or belongs to another user.
    package func openGrowing(
        _ name: String,
        replacedBy form: TemporaryFileName,
        keepsContent: Bool
    ) throws(FileFailure) -> GrowingFile {
        try Self.checkReserve()
        for _ in 0..<Self.maximumGrowingAttemptCount {
            let isNew = self.status(of: name) == nil
            let descriptor: CInt
            do throws(FileFailure) {
                descriptor = try self.open(name, O_RDWR | O_NONBLOCK | (isNew ? O_CREAT | O_EXCL : 0))
            } catch {
                // Another process has created or deleted the file in the meantime.
                if isNew ? error == .alreadyExists : self.status(of: name) == nil { continue }
                throw error
            }
            do throws(FileFailure) {
                let status = try FileStatus(descriptor: descriptor)
                guard status.kind == .regular, status.isOwn else { throw .notPermitted }
                try OpenFile.lock(descriptor)
                // The process that had the lock may have moved the file to its destination, or deleted it.
                if let named = self.status(of: name), named.number == status.number, named.device == status.device {
                    // The number of names is that of now, because the lock may have come late.
                    guard named.nameCount > 1 else {
                        Self.protect(descriptor, named)
                        return GrowingFile(descriptor: descriptor, isNew: isNew)
                    }
                    let copy = try self.replace(name, copying: keepsContent ? descriptor : nil, by: form)
                    OpenFile.closeLocked(descriptor)
                    return GrowingFile(descriptor: copy, isNew: !keepsContent)
                }
            } catch {
                OpenFile.closeLocked(descriptor)
                throw error
            }
            OpenFile.closeLocked(descriptor)
        }
        throw .inUse
    }

    /// Gives only the owner access; ignores a failure, because some file systems have no permissions.
    private static func protect(_ descriptor: CInt, _ status: FileStatus) {
        if status.permissions != Self.ownPermissions { fchmod(descriptor, Self.ownPermissions) }
    }

    /// Gives a name to a new file, which is locked before it has the name; after a failure, the old file keeps the name.
    private func replace(
        _ name: String,
        copying source: CInt?,
        by form: TemporaryFileName
    ) throws(FileFailure) -> CInt {
        form.deleteAbandoned(in: self)  // a process may have ended while it copied
        let newName = form.make()
        let descriptor = try self.createLocked(newName)
        do throws(FileFailure) {
            if let source {
                try OpenFile.copy(source, to: descriptor)
                // A record beside the file says that its bytes are on the disk.
                try OpenFile.synchronize(descriptor)
            }
            try self.move(newName, to: self, name)
            self.synchronize()
            return descriptor
        } catch {
            self.delete(newName)
            OpenFile.closeLocked(descriptor)
            throw error
        }
    }
}
