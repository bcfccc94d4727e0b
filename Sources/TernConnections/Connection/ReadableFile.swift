// SPDX-License-Identifier: Apache-2.0
import Dispatch
public import NIOCore
import TernCLibrary
public import TernErrors
import TernFiles
public import TernFoundation
package import TernRequests
public import TernValues

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
    /// The offsets of the bytes that are the body of a request.
    package let content: Range<Int64>
    /// The identity that the file must keep while it is sent; `nil` if it may change.
    private let identity: FileIdentity?

    private let queue = DispatchQueue(label: "tern.readable-file")

    /// Opens the file at a path.
    ///
    /// - Parameters:
    ///   - path: The path.
    ///   - part: The part of the file that is the body of a request. Defaults to `nil`, for the whole file.
    /// - Throws: ``FileReadError`` with `fileNotFound`, `notAFile` or `unreadable`, or with `fileChanged` if the file
    ///   does not have the identity of the part.
    package init(path: String, part: RequestBody.FilePart? = nil) throws(FileReadError) {
        let descriptor = DescriptorReserve.open { open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK) }
        guard descriptor >= 0 else {
            throw FileReadError(errno == ENOENT || errno == ENOTDIR ? .fileNotFound : .unreadable(errno: errno))
        }
        let byteCount = try Self.byteCount(of: descriptor)
        if let part, FileIdentity(descriptor: descriptor) != part.identity || part.range.upperBound > byteCount {
            close(descriptor)
            throw FileReadError(.fileChanged)
        }
        self.byteCount = byteCount
        self.content = part?.range ?? 0..<byteCount
        self.identity = part?.identity
        self.descriptor = descriptor
    }

    /// Returns the identity of the regular file at a path, without blocking the caller's thread.
    ///
    /// - Throws: The same errors as ``init(path:part:)``.
    package static func identity(path: String) async throws(FileReadError) -> FileIdentity {
        let outcome = await DispatchQueue.global().perform { () -> Result<FileIdentity, FileReadError> in
            do throws(FileReadError) {
                let file = try ReadableFile(path: path)
                guard let identity = FileIdentity(descriptor: file.descriptor) else {
                    throw FileReadError(.notAFile)
                }
                return .success(identity)
            } catch {
                return .failure(error)
            }
        }
        return try outcome.get()
    }

    /// Takes over a descriptor that is open for reading.
    ///
    /// If this initializer throws an error, it closes the descriptor.
    ///
    /// - Throws: ``FileReadError`` with `notAFile`.
    package init(descriptor: CInt) throws(FileReadError) {
        self.byteCount = try Self.byteCount(of: descriptor)
        self.content = 0..<self.byteCount
        self.identity = nil
        self.descriptor = descriptor
    }

    /// Returns the length of a regular file.
    ///
    /// If the descriptor is not a regular file, closes it and throws `notAFile`.
    private static func byteCount(of descriptor: CInt) throws(FileReadError) -> Int64 {
        guard let status = try? FileStatus(descriptor: descriptor), status.kind == .regular else {
            close(descriptor)
            throw FileReadError(.notAFile)
        }
        return status.byteCount
    }

    deinit { close(self.descriptor) }

    /// The current length in bytes.
    ///
    /// The length differs from ``byteCount`` if the file has grown or shrunk since it was opened.
    package var currentByteCount: Int64 {
        (try? FileStatus(descriptor: self.descriptor))?.byteCount ?? 0
    }

    /// Whether the file still has the identity that it must keep while it is sent.
    ///
    /// Check it before the last bytes are sent, so that a server does not take the bytes of two versions for a whole.
    package var isUnchanged: Bool { self.identity.map { FileIdentity(descriptor: self.descriptor) == $0 } ?? true }

    /// Reads exactly `byteCount` bytes, beginning at `offset`.
    ///
    /// - Throws: ``FileReadError`` with `fileChanged` if the file is too short, or cannot be read.
    public func read(byteCount: Int, at offset: Int64) async throws(FileReadError) -> ByteBuffer {
        let bytes = self.readCached(byteCount: byteCount, at: offset)
        guard bytes.readableBytes < byteCount else {
            // The reader of a long file in memory would keep its thread until the end of the file. If there is only one
            // thread, no other task would run, not even the one that cancels the reader.
            if offset > 0 { await Task.yield() }
            return bytes
        }
        return try await self.queue.perform { self.readNow(byteCount: byteCount, at: offset, after: bytes) }.get()
    }

    /// Reads the bytes that follow `first`, and returns all.
    private func readNow(
        byteCount: Int,
        at offset: Int64,
        after first: ByteBuffer
    ) -> Result<ByteBuffer, FileReadError> {
        var bytes = first
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

extension UploadFailure {
    /// Whether the file could not be opened because no descriptor is free.
    package var saysNoDescriptorIsFree: Bool {
        if case .unreadable(let errno) = self { errno.saysNoDescriptorIsFree } else { false }
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
