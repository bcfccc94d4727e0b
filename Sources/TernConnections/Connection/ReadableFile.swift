// SPDX-License-Identifier: Apache-2.0
import Dispatch
public import NIOCore
import TernCLibrary
public import TernErrors
import TernFiles
public import TernFoundation
package import TernRequests
public import TernValues

/// A failure to open or read a file; see `UploadFailure`.
public struct FileReadError: Error, Hashable, Sendable {
    /// The reason for the failure.
    public var reason: UploadFailure

    package init(_ reason: UploadFailure) { self.reason = reason }
}

/// A regular file that is open for reading until it is released.
///
/// ``read(byteCount:at:)`` waits for the disk on a queue of its own, so that it does not block a thread of Swift concurrency.
public final class ReadableFile: Sendable {
    /// The file descriptor, closed when this object is released.
    public let descriptor: CInt
    /// The length in bytes when this object was created.
    public let byteCount: Int64
    /// The offsets of the bytes that are the body of a request.
    package let content: Range<Int64>
    /// The identity that the file must keep while it is sent; `nil` if it may change.
    private let identity: FileIdentity?

    private let queue = DispatchQueue(label: "tern.readable-file")

    /// Opens the file; throws `fileChanged` if the file does not have the identity of the part, or is too short for the part.
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

    /// Opens the file; if no descriptor is free, idle connections give way.
    package static func opened(
        path: String,
        part: RequestBody.FilePart? = nil
    ) async throws(FileReadError) -> ReadableFile {
        try await IdleConnections.process.opening(whileShort: \.reason.saysNoDescriptorIsFree) {
            () throws(FileReadError) in try ReadableFile(path: path, part: part)
        }
    }

    /// Returns the identity of the regular file at a path, without blocking the caller's thread.
    ///
    /// If no descriptor is free, idle connections give way.
    package static func identity(path: String) async throws(FileReadError) -> FileIdentity {
        try await IdleConnections.process.opening(whileShort: \.reason.saysNoDescriptorIsFree) {
            () async throws(FileReadError) in try await self.identityOfOpened(path: path)
        }
    }

    private static func identityOfOpened(path: String) async throws(FileReadError) -> FileIdentity {
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

    /// Takes over a descriptor that is open for reading, and closes it even if this throws an error.
    package init(descriptor: CInt) throws(FileReadError) {
        self.byteCount = try Self.byteCount(of: descriptor)
        self.content = 0..<self.byteCount
        self.identity = nil
        self.descriptor = descriptor
    }

    /// Returns the length of a regular file; closes any other descriptor and throws `notAFile`.
    private static func byteCount(of descriptor: CInt) throws(FileReadError) -> Int64 {
        guard let status = try? FileStatus(descriptor: descriptor), status.kind == .regular else {
            close(descriptor)
            throw FileReadError(.notAFile)
        }
        return status.byteCount
    }

    deinit { close(self.descriptor) }

    /// The current length, which differs from ``byteCount`` if the file has grown or shrunk since it was opened; 0 if unknown.
    package var currentByteCount: Int64 {
        (try? FileStatus(descriptor: self.descriptor))?.byteCount ?? 0
    }

    /// Whether the file still has its identity, to check before the last bytes, so that a server does not mix two versions.
    package var isUnchanged: Bool { self.identity.map { FileIdentity(descriptor: self.descriptor) == $0 } ?? true }

    /// Reads exactly `byteCount` bytes from `offset`; throws ``FileReadError`` with `fileChanged` if it cannot.
    public func read(byteCount: Int, at offset: Int64) async throws(FileReadError) -> ByteBuffer {
        let bytes = self.readCached(byteCount: byteCount, at: offset)
        guard bytes.readableBytes < byteCount else {
            // The reader of a long file in memory would keep its thread to the end. If there is only one, not even the task that
            // cancels the reader would run.
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
            // `pread` returns 0 at the end of the file, and -1 on failure, which is so rare that both count as a changed file.
            guard count > 0 else { return .failure(FileReadError(.fileChanged)) }
        }
        return .success(bytes)
    }
}

extension UploadFailure {
    package var saysNoDescriptorIsFree: Bool {
        if case .unreadable(let errno) = self { errno.saysNoDescriptorIsFree } else { false }
    }
}

extension FileReadError: CustomStringConvertible, Described {
    package var wording: String { self.reason.description }
}

extension FileReadError: LocalizedError {
    /// One sentence that an app may show; its wording may change.
    public var errorDescription: String? { self.reason.sentence }
}
