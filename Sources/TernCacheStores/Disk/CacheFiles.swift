// SPDX-License-Identifier: Apache-2.0
import TernCLibrary
import TernConnections
import TernErrors
import TernFiles
import TernFoundation
import TernRequests

/// The folder of a cache, with subfolders for heads, for bodies, and for files that the store is still writing.
///
/// A head file contains the heads of all responses for one URL, and the names of their body files. Each folder must belong to
/// this user alone and must not be a link. Otherwise another user could write the stored responses, or choose which files the
/// store deletes.
struct CacheFiles: Sendable {
    enum Kind: String, CaseIterable {
        case head = "heads"
        case body = "bodies"
        case temporary = "new"

        /// The name of a head file is the digest of a URL; other names are random.
        fileprivate var digitCount: Int { self == .head ? 64 : 32 }

        func isName(_ text: String) -> Bool {
            let isDigit = { (byte: UInt8) in 0x30...0x39 ~= byte || 0x61...0x66 ~= byte }
            return text.utf8.count == self.digitCount && text.utf8.allSatisfy(isDigit)
        }
    }

    struct Found {
        let name: String
        /// The approximate size on disk, in bytes.
        let cost: Int64
        /// The time of the last change or use, in nanoseconds since 1970.
        let time: Int64
    }

    /// 256 TiB, so that sums do not overflow even if a damaged head names a huge length.
    private static let maximumCountedByteCount: Int64 = 1 << 48

    let root: String

    static func newName() -> String { Hexadecimal.random128() }

    /// Counts blocks of 4 KiB, as in most file systems, and 512 bytes for metadata such as the name.
    static func cost(ofByteCount byteCount: Int64) -> Int64 {
        (min(byteCount, Self.maximumCountedByteCount) + 4095) / 4096 * 4096 + 512
    }

    // MARK: Folders

    func folder(_ kind: Kind) throws(FileFailure) -> OpenFolder {
        try OpenFolder(ownPath: self.root).ownFolder(kind.rawValue)
    }

    func prepare() throws(CacheStoreError) {
        // Also create the folders above the root. Tern does this for every folder that a user names.
        let url = URL(fileURLWithPath: self.root).deletingLastPathComponent()
        try? FileManager.default.createDirectory(at: url, withIntermediateDirectories: true)
        do throws(FileFailure) {
            let place = FilePath(self.root)
            try OpenFolder(path: place.folder).makeFolder(place.name)
            let root = try OpenFolder(ownPath: self.root)
            for kind in Kind.allCases {
                try root.makeFolder(kind.rawValue)
                _ = try root.ownFolder(kind.rawValue)
            }
        } catch {
            throw .file(error)
        }
    }

    // MARK: Reading

    /// Throws if another user may have written the file.
    func open(_ kind: Kind, _ name: String) throws(FileReadError) -> ReadableFile {
        // The file of a body stays open while a call reads it, so it must not take a descriptor of the reserve.
        guard kind != .body || DescriptorReserve.leaves(1) else { throw FileReadError(.unreadable(errno: EMFILE)) }
        let descriptor: CInt
        do throws(FileFailure) {
            descriptor = try self.folder(kind).open(name, O_RDONLY | O_NONBLOCK)
        } catch {
            switch error {
            case .folderNotFound: throw FileReadError(.fileNotFound)
            case .system(let errno): throw FileReadError(.unreadable(errno: errno))
            default: throw FileReadError(.unreadable(errno: EACCES))
            }
        }
        let file = try ReadableFile(descriptor: descriptor)
        // Refuse files of other users: the checks of a body rely on its head, so a user who writes a head decides which
        // response the store returns.
        guard let status = try? FileStatus(descriptor: file.descriptor), status.isOwn, !status.isWritableByOthers else {
            throw FileReadError(.notAFile)
        }
        return file
    }

    /// Returns `nil` if the file is missing, is too long, cannot be read, or may come from another user.
    func read(_ kind: Kind, _ name: String) -> [UInt8]? {
        guard let file = try? self.open(kind, name), file.byteCount <= Int64(CacheRecord.maximumFileByteCount) else {
            return nil
        }
        let size = Int(file.byteCount)
        var failed = false
        let bytes = [UInt8](unsafeUninitializedCapacity: size) { buffer, count in
            while count < size {
                let step = pread(
                    file.descriptor,
                    buffer.baseAddress?.advanced(by: count),
                    size - count,
                    off_t(count)
                )
                guard step > 0 else {
                    failed = true
                    return
                }
                count += step
            }
        }
        return failed ? nil : bytes
    }

    func list(_ kind: Kind) -> [Found] {
        guard let folder = try? self.folder(kind) else { return [] }
        return folder.names.compactMap { name in
            guard kind.isName(name), let status = folder.status(of: name), status.kind != .folder else { return nil }
            return Found(name: name, cost: Self.cost(ofByteCount: status.byteCount), time: status.time)
        }
    }

    /// Returns whether a file exists and has neither changed nor been used since it was listed.
    func isUnchanged(_ kind: Kind, _ name: String, since time: Int64) -> Bool {
        guard let folder = try? self.folder(kind) else { return false }
        return folder.status(of: name)?.time == time
    }

    // MARK: Writing

    func touch(_ kind: Kind, _ name: String) { try? self.folder(kind).touch(name) }

    /// Creates a temporary file that only its owner can access; as long as it is open, no ``CacheSweep`` deletes it.
    func create() throws(CacheStoreError) -> (name: String, descriptor: CInt) {
        let name = Self.newName()
        do throws(FileFailure) {
            return (name, try self.folder(.temporary).createLocked(name))
        } catch {
            guard error == .folderNotFound else { throw .file(error) }
        }
        try self.prepare()
        do throws(FileFailure) {
            return (name, try self.folder(.temporary).createLocked(name))
        } catch {
            throw .file(error)
        }
    }

    /// Moves a finished file to its final name: a reader finds the complete old file or the complete new file.
    func move(_ temporary: String, to kind: Kind, _ name: String) throws(CacheStoreError) {
        do throws(FileFailure) {
            try self.folder(.temporary).move(temporary, to: self.folder(kind), name)
        } catch {
            throw .file(error)
        }
    }

    /// Replaces a file; `time` is that of its last use, `nil` if this is a use.
    func replace(
        _ kind: Kind,
        _ name: String,
        with bytes: [UInt8],
        time: Int64? = nil
    ) throws(CacheStoreError) {
        let (temporary, descriptor) = try self.create()
        do throws(CacheStoreError) {
            defer { OpenFile.closeLocked(descriptor) }
            let failure = bytes.withUnsafeBytes { OpenFile.write($0, to: descriptor) }
            if let failure { throw .file(failure) }
            if let time { OpenFile.setTime(time, of: descriptor) }
            try self.move(temporary, to: kind, name)
        } catch {
            self.delete(.temporary, temporary)
            throw error
        }
    }

    // MARK: Deleting

    func delete(_ kind: Kind, _ name: String) {
        guard kind.isName(name) else { return }
        try? self.folder(kind).delete(name)
    }

    /// Deletes a file unless it has changed; returns whether it no longer exists.
    func delete(_ kind: Kind, _ name: String, ifUnchangedSince time: Int64) -> Bool {
        guard kind.isName(name), let folder = try? self.folder(kind) else { return false }
        if let status = folder.status(of: name), status.time != time { return false }
        folder.delete(name)
        return true
    }

    /// Deletes a file if no process is writing it.
    func deleteIfAbandoned(_ kind: Kind, _ name: String) -> Bool {
        guard kind.isName(name), let folder = try? self.folder(kind) else { return false }
        return folder.deleteIfAbandoned(name)
    }

    /// Returns whether no process is writing the file, and none is about to name it in a head file.
    func isAbandoned(_ kind: Kind, _ name: String) -> Bool {
        guard let folder = try? self.folder(kind) else { return false }
        return folder.isAbandoned(name)
    }

    /// Deletes the heads first: bodies that are left if the process ends only take space.
    func deleteAll() {
        for kind in Kind.allCases {
            for file in self.list(kind) { self.delete(kind, file.name) }
        }
    }
}

extension CacheKey {
    init?(name: String) {
        guard CacheFiles.Kind.head.isName(name) else { return nil }
        self.init(unchecked: name)
    }
}
