// SPDX-License-Identifier: Apache-2.0
import TernCLibrary
package import TernErrors

/// Opens files that a process writes in place, such as the partial file of a download.
extension OpenFolder {
    /// A file that a process writes in place, with its lock.
    package struct GrowingFile: Sendable {
        /// The descriptor, which the caller closes.
        package let descriptor: CInt
        /// Whether the file is empty because this process has created it.
        package let isNew: Bool
    }

    /// The permissions of a file that only its owner can access.
    private static let ownPermissions: mode_t = 0o600
    /// The maximum number of attempts to open the file.
    ///
    /// An attempt fails if another process creates, moves or deletes the file before this process has the lock.
    private static let maximumGrowingAttemptCount = 16

    /// Opens a regular file of this user with its exclusive lock, to write it in place, and creates it if necessary.
    ///
    /// Afterwards, only the owner can access the file, also if it was there before with other permissions. And no other
    /// name leads to the file: if one does, as after `cp -al`, the name gets another file with the same content. So the
    /// file of the other name stays as it is.
    ///
    /// - Parameters:
    ///   - name: The name of the file.
    ///   - form: The format of the name of another file while it is written.
    ///   - keepsContent: Whether another file gets the content of the old one. If not, it is empty.
    /// - Returns: The file.
    /// - Throws: `inUse` when another open file has the lock; `notPermitted` when the name is not a regular file or
    ///   belongs to another user; another failure of the system.
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

    /// Takes the access to a file from other users.
    ///
    /// Some file systems have no permissions, so a failure is ignored, as when the file is created there.
    private static func protect(_ descriptor: CInt, _ status: FileStatus) {
        if status.permissions != Self.ownPermissions { fchmod(descriptor, Self.ownPermissions) }
    }

    /// Gives a name another file, which is locked before it has the name.
    ///
    /// - Parameters:
    ///   - name: The name.
    ///   - source: The descriptor of the file whose content the new one gets; `nil` for an empty file.
    ///   - form: The format of the name of the new file while it is written.
    /// - Returns: The descriptor of the new file, at its beginning.
    /// - Throws: The failure of the system. The name then has its old file.
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
