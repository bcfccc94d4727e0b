// SPDX-License-Identifier: Apache-2.0
package import TernErrors

#if canImport(Glibc)
import Glibc
#elseif canImport(Musl)
import Musl
#else
import Darwin
#endif

/// An open folder, in which names are looked up whatever becomes of its path meanwhile.
///
/// In a folder that users share, another user can put a link where a file or a folder is expected. No link is followed
/// here: a name is that of a file in this folder, or of nothing.
package struct OpenFolder: ~Copyable, Sendable {
    private let descriptor: CInt

    /// Opens the folder at a path, following links that lead to it.
    ///
    /// - Throws: `folderNotFound` where there is none, or another reason of the system.
    package init(path: String) throws(FileFailure) {
        self.init(try Self.descriptor(AT_FDCWD, path, O_RDONLY | O_DIRECTORY))
    }

    /// Opens a folder that is this user's alone, which the last part of the path names, and no link.
    ///
    /// - Throws: `notPermitted` if it is another user's or others may write to it; else as the other initialiser.
    package init(ownPath path: String) throws(FileFailure) {
        self.init(try Self.checked(Self.descriptor(AT_FDCWD, path, O_RDONLY | O_DIRECTORY | O_NOFOLLOW)))
    }

    private init(_ descriptor: CInt) { self.descriptor = descriptor }

    deinit { close(self.descriptor) }

    /// Opens a folder in this one, which must be this user's alone, too.
    ///
    /// - Throws: as ``init(ownPath:)``.
    package func ownFolder(_ name: String) throws(FileFailure) -> OpenFolder {
        OpenFolder(try Self.checked(self.open(name, O_RDONLY | O_DIRECTORY)))
    }

    /// Makes a folder in this one for its owner alone, unless something has the name already.
    ///
    /// - Throws: the system's reason.
    package func makeFolder(_ name: String) throws(FileFailure) {
        guard mkdirat(self.descriptor, name, 0o700) == 0 || errno == EEXIST else { throw FileFailure(errno: errno) }
    }

    /// Gives the descriptor of a folder back, or closes it: others who may write there could exchange the files, and so
    /// could another owner.
    private static func checked(_ descriptor: CInt) throws(FileFailure) -> CInt {
        guard let status = try? FileStatus(descriptor: descriptor), status.isOwn, !status.isWritableByOthers else {
            close(descriptor)
            throw .notPermitted
        }
        return descriptor
    }

    // MARK: Files

    /// Opens a file, which a link is not; one that is created is for its owner alone.
    ///
    /// - Throws: the system's reason.
    package func open(_ name: String, _ flags: CInt) throws(FileFailure) -> CInt {
        try Self.descriptor(self.descriptor, name, flags | O_NOFOLLOW)
    }

    /// The status of a file, or of a link itself; `nil` if nothing has the name.
    package func status(of name: String) -> FileStatus? {
        var status = stat()
        guard fstatat(self.descriptor, name, &status, AT_SYMLINK_NOFOLLOW) == 0 else { return nil }
        return FileStatus(status)
    }

    /// Says that a file was used now.
    package func touch(_ name: String) { utimensat(self.descriptor, name, nil, AT_SYMLINK_NOFOLLOW) }

    /// Deletes a file, or a link itself; a folder stays.
    package func delete(_ name: String) { unlinkat(self.descriptor, name, 0) }

    /// Moves a file to a name in another folder, or in the same, in place of what has it.
    ///
    /// - Throws: the system's reason.
    package func move(
        _ name: String,
        to folder: borrowing OpenFolder,
        _ newName: String
    ) throws(FileFailure) {
        guard renameat(self.descriptor, name, folder.descriptor, newName) == 0 else { throw FileFailure(errno: errno) }
    }

    /// Gives a file one more name, in another folder or in the same, unless something has that name.
    ///
    /// - Returns: whether it has the name now.
    package func link(_ name: String, to folder: borrowing OpenFolder, _ newName: String) -> Bool {
        linkat(self.descriptor, name, folder.descriptor, newName, 0) == 0
    }

    /// Brings the names in the folder to the disk; some file systems cannot.
    package func synchronize() { fsync(self.descriptor) }

    /// The names of all that is in the folder; those that no text can be are left out.
    package var names: [String] {
        // Reading moves a position, which descriptors that were duplicated share.
        guard let descriptor = try? Self.descriptor(self.descriptor, ".", O_RDONLY | O_DIRECTORY) else { return [] }
        guard let stream = fdopendir(descriptor) else {
            close(descriptor)
            return []
        }
        defer { closedir(stream) }
        guard let offset = MemoryLayout<dirent>.offset(of: \.d_name) else { return [] }
        var names: [String] = []
        while let entry = readdir(stream) {
            // The array of the declaration is longer than what there is of it.
            let text = UnsafeRawPointer(entry).advanced(by: offset).assumingMemoryBound(to: CChar.self)
            if let name = String(validatingCString: text), name != ".", name != ".." { names.append(name) }
        }
        return names
    }

    /// How long a name may be here, in bytes.
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
