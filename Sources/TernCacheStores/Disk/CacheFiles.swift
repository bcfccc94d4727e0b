// SPDX-License-Identifier: Apache-2.0
import TernConnections
import TernErrors
import TernFiles
import TernRequests

#if canImport(FoundationEssentials)
import FoundationEssentials
#else
import Foundation
#endif

#if canImport(Glibc)
import Glibc
#elseif canImport(Musl)
import Musl
#else
import Darwin
#endif

/// The folder of a cache: heads and bodies in their places, and what is being written in another.
///
/// Each must be this user's alone, and no link: another user who could write to it, or lead elsewhere, would say what the
/// answers are, and which files are deleted to make room. Only files are touched that have a name of the store's own form.
struct CacheFiles: Sendable {
    /// What a file is.
    enum Kind: String, CaseIterable {
        case head = "heads"
        case body = "bodies"
        case temporary = "new"

        /// How many hexadecimal digits its name has: those of a URL's digest, or random ones.
        fileprivate var digitCount: Int { self == .head ? 64 : 32 }

        /// Whether the store names such files so.
        func isName(_ text: String) -> Bool {
            let isDigit = { (byte: UInt8) in 0x30...0x39 ~= byte || 0x61...0x66 ~= byte }
            return text.utf8.count == self.digitCount && text.utf8.allSatisfy(isDigit)
        }
    }

    /// A file that was found.
    struct Found {
        let name: String
        /// What it takes on the disk.
        let cost: Int64
        /// When it was changed, or used, last, in nanoseconds since 1970.
        let time: Int64
    }

    /// What a file counts as, at most: 256 TiB, so that a sum of them fits, whatever a damaged head says.
    private static let maximumCountedByteCount: Int64 = 1 << 48

    let root: String

    /// A name that no other file has.
    static func newName() -> String { Hexadecimal.random128() }

    /// What a file takes on the disk: its blocks of 4 KiB, as most file systems have them, and 512 bytes for what the file
    /// system keeps of it elsewhere, such as its name.
    static func cost(ofByteCount byteCount: Int64) -> Int64 {
        (min(byteCount, Self.maximumCountedByteCount) + 4095) / 4096 * 4096 + 512
    }

    // MARK: Folders

    /// Opens the folder of a kind, if it can be used.
    func folder(_ kind: Kind) throws(FileFailure) -> OpenFolder {
        try OpenFolder(ownPath: self.root).ownFolder(kind.rawValue)
    }

    /// Makes the folders that are missing, and looks whether all can be used.
    func prepare() throws(CacheStoreError) {
        // What is above is made, too, as for every folder that a user names.
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

    /// Opens a file for reading, if no other user may have written it.
    ///
    /// - Throws: why it cannot be read.
    func open(_ kind: Kind, _ name: String) throws(FileReadError) -> ReadableFile {
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
        // Bodies are checked against heads, so the writer of a head decides what the answer is.
        guard let status = try? FileStatus(descriptor: file.descriptor), status.isOwn, !status.isWritableByOthers else {
            throw FileReadError(.notAFile)
        }
        return file
    }

    /// The whole of a file of heads; `nil` if there is none, it is too long, or another user may have written it.
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

    /// All files of a kind.
    func list(_ kind: Kind) -> [Found] {
        guard let folder = try? self.folder(kind) else { return [] }
        return folder.names.compactMap { name in
            guard kind.isName(name), let status = folder.status(of: name), status.kind != .folder else { return nil }
            return Found(name: name, cost: Self.cost(ofByteCount: status.byteCount), time: status.time)
        }
    }

    // MARK: Writing

    /// Says that a file was used now.
    func touch(_ kind: Kind, _ name: String) { try? self.folder(kind).touch(name) }

    /// Creates a file for its owner alone, and the folders if they are missing.
    ///
    /// No sweep deletes it as long as its descriptor is open.
    func create() throws(CacheStoreError) -> (name: String, descriptor: CInt) {
        let name = Self.newName()
        do throws(FileFailure) {
            return (name, try self.folder(.temporary).createHeld(name))
        } catch {
            guard error == .folderNotFound else { throw .file(error) }
        }
        try self.prepare()
        do throws(FileFailure) {
            return (name, try self.folder(.temporary).createHeld(name))
        } catch {
            throw .file(error)
        }
    }

    /// Gives a finished file its place; a reader finds the old one or the new one, and never a part.
    func move(_ temporary: String, to kind: Kind, _ name: String) throws(CacheStoreError) {
        do throws(FileFailure) {
            try self.folder(.temporary).move(temporary, to: self.folder(kind), name)
        } catch {
            throw .file(error)
        }
    }

    /// Replaces a file as a whole.
    func replace(_ kind: Kind, _ name: String, with bytes: [UInt8]) throws(CacheStoreError) {
        let (temporary, descriptor) = try self.create()
        do throws(CacheStoreError) {
            defer { close(descriptor) }
            let failure = bytes.withUnsafeBytes { OpenFile.write($0, to: descriptor) }
            if let failure { throw .file(failure) }
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

    /// Deletes a file that is as it was listed.
    ///
    /// - Returns: whether it is gone.
    func delete(_ kind: Kind, _ name: String, ifUnchangedSince time: Int64) -> Bool {
        guard kind.isName(name), let folder = try? self.folder(kind) else { return false }
        if let status = folder.status(of: name), status.time != time { return false }
        folder.delete(name)
        return true
    }

    /// Deletes a file that no process writes any more.
    ///
    /// - Returns: whether it did.
    func deleteIfAbandoned(_ kind: Kind, _ name: String) -> Bool {
        guard kind.isName(name), let folder = try? self.folder(kind) else { return false }
        return folder.deleteIfAbandoned(name)
    }

    /// Whether no process writes a file any more, or is about to name it in a head.
    func isAbandoned(_ kind: Kind, _ name: String) -> Bool {
        guard let folder = try? self.folder(kind) else { return false }
        return folder.isAbandoned(name)
    }

    /// Heads first: a head without a body is a miss, a body without a head is only in the way.
    func deleteAll() {
        for kind in Kind.allCases {
            for file in self.list(kind) { self.delete(kind, file.name) }
        }
    }
}

extension CacheKey {
    /// The key with a name; `nil` if the store gives no such name to a file of heads.
    init?(name: String) {
        guard CacheFiles.Kind.head.isName(name) else { return nil }
        self.init(unchecked: name)
    }
}
