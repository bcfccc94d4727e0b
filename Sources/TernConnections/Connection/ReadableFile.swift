// SPDX-License-Identifier: Apache-2.0
import Dispatch
public import NIOCore
public import TernErrors
public import TernValues

#if canImport(FoundationEssentials)
public import FoundationEssentials
#else
public import Foundation
#endif

#if canImport(Glibc)
import Glibc
#elseif canImport(Musl)
import Musl
#else
import Darwin
#endif

/// A failure to read a file; see `UploadFailure`.
public struct FileReadError: Error, Hashable, Sendable {
    /// The reason for the failure.
    public var reason: UploadFailure

    /// Creates a failure.
    package init(_ reason: UploadFailure) { self.reason = reason }
}

/// A regular file that is open for reading until it is released.
///
/// Each file has its own queue for reading, because a disk may be slow, and the threads of Swift concurrency must not
/// wait for it. The system's concurrent queues are not suitable, because they share the threads of Swift concurrency.
public final class ReadableFile: Sendable {
    /// The file descriptor; closed when this object is released.
    public let descriptor: CInt
    /// The length in bytes when the file was opened.
    public let byteCount: Int64

    private let queue = DispatchQueue(label: "tern.readable-file")

    /// Opens the file at a path.
    ///
    /// - Throws: ``FileReadError`` with `fileNotFound`, `notAFile` or `unreadable`.
    package init(path: String) throws(FileReadError) {
        let descriptor = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK)
        guard descriptor >= 0 else {
            throw FileReadError(errno == ENOENT || errno == ENOTDIR ? .fileNotFound : .unreadable(errno: errno))
        }
        self.byteCount = try Self.byteCount(of: descriptor)
        self.descriptor = descriptor
    }

    /// Takes over a descriptor that is open for reading.
    ///
    /// If this initializer throws an error, it closes the descriptor.
    ///
    /// - Throws: ``FileReadError`` with `notAFile`.
    package init(descriptor: CInt) throws(FileReadError) {
        self.byteCount = try Self.byteCount(of: descriptor)
        self.descriptor = descriptor
    }

    /// Returns the length of a regular file.
    ///
    /// If the descriptor is not a regular file, closes it and throws `notAFile`.
    private static func byteCount(of descriptor: CInt) throws(FileReadError) -> Int64 {
        var status = stat()
        guard fstat(descriptor, &status) == 0, status.st_mode & S_IFMT == S_IFREG else {
            close(descriptor)
            throw FileReadError(.notAFile)
        }
        return Int64(status.st_size)
    }

    deinit { close(self.descriptor) }

    /// The current length in bytes.
    ///
    /// The length differs from ``byteCount`` if the file has grown or shrunk since it was opened.
    package var currentByteCount: Int64 {
        var status = stat()
        return fstat(self.descriptor, &status) == 0 ? Int64(status.st_size) : 0
    }

    /// Reads exactly `byteCount` bytes, beginning at `offset`.
    ///
    /// - Throws: ``FileReadError`` with `fileChanged` if the file is too short, or cannot be read.
    public func read(byteCount: Int, at offset: Int64) async throws(FileReadError) -> ByteBuffer {
        try await self.queue.perform { self.readNow(byteCount: byteCount, at: offset) }.get()
    }

    private func readNow(byteCount: Int, at offset: Int64) -> Result<ByteBuffer, FileReadError> {
        var bytes = ByteBuffer()
        bytes.reserveCapacity(byteCount)
        while bytes.readableBytes < byteCount {
            let missing = byteCount - bytes.readableBytes
            let position = off_t(offset) + off_t(bytes.readableBytes)
            let count = bytes.writeWithUnsafeMutableBytes(minimumWritableBytes: missing) { space in
                max(0, pread(self.descriptor, space.baseAddress, missing, position))
            }
            // `pread` returns 0 at the end of the file, and -1 on failure. A file that can be opened but not read is so
            // rare that both cases count as a changed file.
            guard count > 0 else { return .failure(FileReadError(.fileChanged)) }
        }
        return .success(bytes)
    }
}

extension FileReadError: CustomStringConvertible, Described {
    /// A short description of the reason.
    package var wording: String { self.reason.description }
}

extension FileReadError: LocalizedError {
    /// One sentence that an app may show.
    ///
    /// The wording may change in later versions.
    public var errorDescription: String? { self.reason.sentence }
}
