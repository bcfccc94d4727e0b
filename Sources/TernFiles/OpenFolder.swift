// SPDX-License-Identifier: Apache-2.0
import TernCLibrary
package import TernErrors
import TernFoundation

/// An open folder, which stays the same even if its path leads to another folder later.
///
/// In a shared folder, another user can replace a file or a folder with a link. So no method follows a link: a name stands for an
/// entry of this folder itself, and opening a link fails.
package struct OpenFolder: ~Copyable, Sendable {
    private let descriptor: CInt

    /// Opens a folder, and follows links in its path; throws `folderNotFound` if there is no folder.
    package init(path: String) throws(FileFailure) {
        self.init(try Self.descriptor(AT_FDCWD, path, O_RDONLY | O_DIRECTORY))
    }

    /// Opens a folder, and fails for a link; throws `notPermitted` if another user owns the folder or may write to it.
    package init(ownPath path: String) throws(FileFailure) {
        self.init(try Self.checked(Self.descriptor(AT_FDCWD, path, O_RDONLY | O_DIRECTORY | O_NOFOLLOW)))
    }

    private init(_ descriptor: CInt) { self.descriptor = descriptor }

    deinit { close(self.descriptor) }

    /// Opens an inner folder, with the checks of ``init(ownPath:)``.
    package func ownFolder(_ name: String) throws(FileFailure) -> OpenFolder {
        OpenFolder(try Self.checked(self.open(name, O_RDONLY | O_DIRECTORY)))
    }

    /// Creates an inner folder that only its owner can access, unless the name exists.
    package func makeFolder(_ name: String) throws(FileFailure) {
        guard mkdirat(self.descriptor, name, 0o700) == 0 || errno == EEXIST else { throw FileFailure(errno: errno) }
    }

    /// Returns the descriptor; closes it and throws if another user can write to the folder, and so replace the files in it.
    private static func checked(_ descriptor: CInt) throws(FileFailure) -> CInt {
        guard let status = try? FileStatus(descriptor: descriptor), status.isOwn, !status.isWritableByOthers else {
            close(descriptor)
            throw .notPermitted
        }
        return descriptor
    }

    // MARK: Files

    /// Opens a file, but not a link; only the owner can access a file that this creates.
    package func open(_ name: String, _ flags: CInt) throws(FileFailure) -> CInt {
        try Self.descriptor(self.descriptor, name, flags | O_NOFOLLOW)
    }

    /// Returns the status of a file, or of a link itself; `nil` on failure.
    package func status(of name: String) -> FileStatus? {
        var status = stat()
        guard fstatat(self.descriptor, name, &status, AT_SYMLINK_NOFOLLOW) == 0 else { return nil }
        return FileStatus(status)
    }

    package func touch(_ name: String) { utimensat(self.descriptor, name, nil, AT_SYMLINK_NOFOLLOW) }

    /// Deletes a file, or a link itself; does not delete folders.
    package func delete(_ name: String) { unlinkat(self.descriptor, name, 0) }

    /// Moves a file, and replaces an existing one.
    package func move(
        _ name: String,
        to folder: borrowing OpenFolder,
        _ newName: String
    ) throws(FileFailure) {
        guard renameat(self.descriptor, name, folder.descriptor, newName) == 0 else { throw FileFailure(errno: errno) }
    }

    /// Gives the file an additional name (a hard link); returns `false` on failure, such as when the name exists.
    package func link(_ name: String, to folder: borrowing OpenFolder, _ newName: String) -> Bool {
        linkat(self.descriptor, name, folder.descriptor, newName, 0) == 0
    }

    /// Flushes the names in the folder to the disk, if the file system supports this.
    package func synchronize() { fsync(self.descriptor) }

    /// The names in the folder, without names that are not UTF-8; empty if the folder cannot be read.
    package var names: [String] {
        // Reading a folder moves the read position, which copies of a descriptor share. So open another descriptor.
        guard let descriptor = try? Self.descriptor(self.descriptor, ".", O_RDONLY | O_DIRECTORY) else { return [] }
        guard let stream = fdopendir(descriptor) else {
            close(descriptor)
            return []
        }
        defer { closedir(stream) }
        guard let offset = MemoryLayout<dirent>.offset(of: \.d_name) else { return [] }
        var names: [String] = []
        while let entry = readdir(stream) {
            // The name is declared as an array that is longer than the actual entry, so do not copy the array.
            let text = UnsafeRawPointer(entry).advanced(by: offset).assumingMemoryBound(to: CChar.self)
            if let name = String(validatingCString: text), name != ".", name != ".." { names.append(name) }
        }
        return names
    }

    /// Returns the system's maximum length of a name, in bytes; 255 if the system does not say.
    package static func maximumNameByteCount(inFolder path: String) -> Int {
        let count = pathconf(path, CInt(_PC_NAME_MAX))
        return count > 0 ? count : 255
    }

    private static func descriptor(
        _ folder: CInt,
        _ name: String,
        _ flags: CInt
    ) throws(FileFailure) -> CInt {
        while true {
            let descriptor = openat(folder, name, flags | O_CLOEXEC, 0o600)
            if descriptor >= 0 { return descriptor }
            guard errno == EINTR else { throw FileFailure(errno: errno) }
        }
    }
}

/// Creates files that a process holds with a lock while it writes them, and deletes files that no process holds.
///
/// A lock (`flock`) ends at the latest when the process ends. So a file with a lock has a writer, even if nothing was written to it
/// for a long time.
extension OpenFolder {
    /// The time after which a file counts as abandoned if the disk does not support locks: one day.
    private static let silentNanoseconds: Int64 = 86400 * 1_000_000_000
    /// An attempt fails if another process deletes the file before this process holds it.
    private static let maximumAttemptCount = 16

    /// Creates a file, which its descriptor holds even after the file is renamed; throws `alreadyExists` if the name exists.
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

    /// Throws if the next file would get a descriptor of the reserve; call this before opening, which may create the file.
    static func checkReserve() throws(FileFailure) {
        guard DescriptorReserve.leaves(1) else { throw .system(errno: EMFILE) }
    }

    /// Returns whether no process holds a file of this user; without locks, whether it has not changed for one day.
    package func isAbandoned(_ name: String) -> Bool { self.examine(name) { true } }

    /// Deletes a file if ``isAbandoned(_:)`` is `true` for it; returns whether that is so.
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
