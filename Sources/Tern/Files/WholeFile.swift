// SPDX-License-Identifier: Apache-2.0
import TernErrors

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

/// Reads and replaces a small file as a whole; these wait for the disk, so they are for a queue.
enum WholeFile {
    /// Ends the name of a file that is being written.
    private static let suffix = ".part"
    /// How old such a file must be, so that nobody is writing it now; the largest takes less than a second.
    private static let leftoverSeconds: TimeInterval = 60

    /// Reads a file; one that is not there is empty, but its folder must be.
    static func read(_ path: String, atMost limit: Int) throws(CookieFileFailure) -> Data {
        // Without waiting: a pipe by that name would have no end.
        let descriptor = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK)
        guard descriptor >= 0 else {
            guard errno == ENOENT else { throw .file(FileFailure(errno: errno)) }
            let folder = open(Self.folder(of: path), O_RDONLY | O_CLOEXEC | O_DIRECTORY)
            guard folder >= 0 else { throw .file(FileFailure(errno: errno)) }
            close(folder)
            return Data()
        }
        defer { close(descriptor) }
        var status = stat()
        guard fstat(descriptor, &status) == 0 else { throw .file(FileFailure(errno: errno)) }
        let kind = status.st_mode & S_IFMT
        guard kind == S_IFREG else { throw .file(kind == S_IFDIR ? .isDirectory : .notAFile) }
        var data = Data()
        var buffer = [UInt8](repeating: 0, count: 64 << 10)
        while true {
            let count = buffer.withUnsafeMutableBytes { FileDescriptor.read(from: descriptor, into: $0) }
            guard count >= 0 else { throw .file(FileFailure(errno: errno)) }
            guard count > 0 else { return data }
            data.append(contentsOf: buffer[..<count])
            guard data.count <= limit else { throw .tooLong }
        }
    }

    /// Replaces a file in one step, for its owner alone: whoever reads it finds the old one or the new one.
    ///
    /// The new one is on the disk before it gets its name, so that a loss of power does not leave an empty file.
    static func replace(_ path: String, with data: Data) throws(CookieFileFailure) {
        let tag = String(UInt64.random(in: .min ... .max), radix: 36)
        let partial = "\(path).\(tag)\(Self.suffix)"
        let descriptor = open(partial, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0o600)
        guard descriptor >= 0 else { throw .file(FileFailure(errno: errno)) }
        var failure = data.withUnsafeBytes { FileDescriptor.write($0, to: descriptor) }
        if failure == nil, fsync(descriptor) != 0 { failure = FileFailure(errno: errno) }
        close(descriptor)
        if failure == nil, rename(partial, path) != 0 { failure = FileFailure(errno: errno) }
        if let failure {
            unlink(partial)
            throw .file(failure)
        }
        let folder = open(Self.folder(of: path), O_RDONLY | O_CLOEXEC | O_DIRECTORY)
        guard folder >= 0 else { return }
        _ = fsync(folder)  // the name, too; some file systems cannot
        close(folder)
    }

    /// Deletes what a program that was ended while it wrote the file has left beside it: it holds what the file would.
    static func deleteLeftovers(of path: String) {
        let folder = Self.folder(of: path)
        let prefix = path.split(separator: "/").last.map { "\($0)." } ?? ""
        for name in (try? FileManager.default.contentsOfDirectory(atPath: folder)) ?? [] {
            guard name.hasPrefix(prefix), name.hasSuffix(Self.suffix) else { continue }
            let tag = name.dropFirst(prefix.count).dropLast(Self.suffix.count)
            let leftover = "\(folder)/\(name)"
            let date = (try? FileManager.default.attributesOfItem(atPath: leftover))?[.modificationDate] as? Date
            guard UInt64(tag, radix: 36) != nil, let date else { continue }
            if -date.timeIntervalSinceNow > Self.leftoverSeconds { unlink(leftover) }
        }
    }

    private static func folder(of path: String) -> String {
        guard let slash = path.lastIndex(of: "/") else { return "." }
        return slash == path.startIndex ? "/" : String(path[..<slash])
    }
}
