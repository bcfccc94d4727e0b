// SPDX-License-Identifier: Apache-2.0
import TernErrors
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
struct CacheFiles: Sendable {
    /// What a file is.
    enum Kind: String, CaseIterable {
        case head = "heads"
        case body = "bodies"
        case temporary = "new"
    }

    /// A file that was found.
    struct Found {
        let name: String
        let byteCount: Int64
        /// When it was changed, or used, last, in nanoseconds since 1970.
        let time: Int64
    }

    /// What a file of heads is taken to be as long as, until they are counted.
    static let estimatedHeadByteCount: Int64 = 1024

    /// The latest time that is told apart, in seconds since 1970: in the year 2242, so that nanoseconds fit.
    private static let maximumSeconds: Int64 = 1 << 33
    /// What a file counts as, at most: 256 TiB, so that a sum of them fits.
    private static let maximumCountedByteCount: Int64 = 1 << 48

    let root: String

    func path(_ kind: Kind, _ name: String) -> String { "\(self.root)/\(kind.rawValue)/\(name)" }

    /// Whether a text may be a name here: hexadecimal digits, so that none leads elsewhere.
    static func isName(_ text: String) -> Bool {
        !text.isEmpty && text.utf8.count <= 64 && text.utf8.allSatisfy { 0x30...0x39 ~= $0 || 0x61...0x66 ~= $0 }
    }

    /// A name that no other file has.
    static func newName() -> String { Hexadecimal.random128() }

    // MARK: Reading

    /// The whole of a file of heads; `nil` if there is none, it is too long, or somebody else may have written it: bodies are
    /// checked against it, so whoever writes it says what the answer is.
    func read(_ kind: Kind, _ name: String) -> [UInt8]? {
        let descriptor = open(self.path(kind, name), O_RDONLY | O_CLOEXEC | O_NOFOLLOW | O_NONBLOCK)
        guard descriptor >= 0 else { return nil }
        defer { close(descriptor) }
        var status = stat()
        guard fstat(descriptor, &status) == 0, status.st_mode & S_IFMT == S_IFREG,
            status.st_uid == geteuid(), status.st_mode & (S_IWGRP | S_IWOTH) == 0,
            0...Int64(CacheRecord.maximumFileByteCount) ~= Int64(status.st_size)
        else { return nil }
        let size = Int(status.st_size)
        var failed = false
        let bytes = [UInt8](unsafeUninitializedCapacity: size) { buffer, count in
            while count < size {
                let step = pread(descriptor, buffer.baseAddress?.advanced(by: count), size - count, off_t(count))
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
        let folder = "\(self.root)/\(kind.rawValue)"
        let names = (try? FileManager.default.contentsOfDirectory(atPath: folder)) ?? []
        return names.compactMap { self.found("\(folder)/\($0)", $0) }
    }

    private func found(_ path: String, _ name: String) -> Found? {
        var status = stat()
        guard lstat(path, &status) == 0 else { return nil }
        #if canImport(Darwin)
        let time = status.st_mtimespec
        #else
        let time = status.st_mtim
        #endif
        // Whoever may write here may give a file any time and length.
        let seconds = min(max(Int64(time.tv_sec), 0), Self.maximumSeconds)
        let nanoseconds = seconds * 1_000_000_000 + Int64(time.tv_nsec)
        let byteCount = min(Int64(status.st_size), Self.maximumCountedByteCount)
        return Found(name: name, byteCount: byteCount, time: nanoseconds)
    }

    // MARK: Writing

    /// Says that a file was used now.
    func touch(_ kind: Kind, _ name: String) { utimensat(AT_FDCWD, self.path(kind, name), nil, 0) }

    /// Creates a file for its owner alone, and the folders if they are missing.
    func create() throws(CacheStoreFailure) -> (name: String, descriptor: CInt) {
        let name = Self.newName()
        let flags = O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC | O_NOFOLLOW
        var descriptor = open(self.path(.temporary, name), flags, 0o600)
        if descriptor < 0, errno == ENOENT {
            try self.createFolders()
            descriptor = open(self.path(.temporary, name), flags, 0o600)
        }
        guard descriptor >= 0 else { throw .file(FileFailure(errno: errno)) }
        return (name, descriptor)
    }

    /// Gives a finished file its place; whoever looks finds the old one or the new one, and never a part.
    func move(_ temporary: String, to kind: Kind, _ name: String) throws(CacheStoreFailure) {
        guard rename(self.path(.temporary, temporary), self.path(kind, name)) == 0 else {
            throw .file(FileFailure(errno: errno))
        }
    }

    /// Replaces a file as a whole.
    func replace(_ kind: Kind, _ name: String, with bytes: [UInt8]) throws(CacheStoreFailure) {
        let (temporary, descriptor) = try self.create()
        do throws(CacheStoreFailure) {
            defer { close(descriptor) }
            let failure = bytes.withUnsafeBytes { FileDescriptor.write($0, to: descriptor) }
            if let failure { throw .file(failure) }
            try self.move(temporary, to: kind, name)
        } catch {
            self.delete(.temporary, temporary)
            throw error
        }
    }

    func delete(_ kind: Kind, _ name: String) { unlink(self.path(kind, name)) }

    /// Deletes a file that is as it was listed.
    ///
    /// - Returns: whether it is gone.
    func delete(_ kind: Kind, _ name: String, ifUnchangedSince time: Int64) -> Bool {
        if let found = self.found(self.path(kind, name), name), found.time != time { return false }
        self.delete(kind, name)
        return true
    }

    /// Heads first: a head without a body is a miss, a body without a head is only in the way.
    func deleteAll() {
        for kind in Kind.allCases {
            for file in self.list(kind) { self.delete(kind, file.name) }
        }
    }

    private func createFolders() throws(CacheStoreFailure) {
        // What is above is made, too, as for every folder that a user names.
        let parent = URL(fileURLWithPath: self.root).deletingLastPathComponent()
        try? FileManager.default.createDirectory(at: parent, withIntermediateDirectories: true)
        for folder in [self.root] + Kind.allCases.map({ "\(self.root)/\($0.rawValue)" }) {
            guard mkdir(folder, 0o700) == 0 || errno == EEXIST else { throw .file(FileFailure(errno: errno)) }
        }
    }
}
