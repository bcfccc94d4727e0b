// SPDX-License-Identifier: Apache-2.0
import TernCLibrary
package import TernErrors

/// Reads from and writes to an open file; most of these functions may wait for the disk.
package enum OpenFile {
    /// Reads bytes, and returns their number: 0 at the end of the file, less than 0 on failure, with the reason in `errno`.
    package static func read(from descriptor: CInt, into bytes: UnsafeMutableRawBufferPointer) -> Int {
        while true {
            let count = TernCLibrary.read(descriptor, bytes.baseAddress, bytes.count)
            if count >= 0 || errno != EINTR { return count }
        }
    }

    /// Writes bytes; returns `nil` if all were written.
    package static func write(_ bytes: UnsafeRawBufferPointer, to descriptor: CInt) -> FileFailure? {
        var rest = bytes
        while let address = rest.baseAddress, !rest.isEmpty {
            let count = TernCLibrary.write(descriptor, address, rest.count)
            if count < 0, errno == EINTR { continue }
            guard count > 0 else { return FileFailure(errno: errno) }
            rest = UnsafeRawBufferPointer(rebasing: rest[count...])
        }
        return nil
    }

    /// Writes at most 1024 regions (the smallest limit of the supported systems) at `offset`, or at the present position for `nil`;
    /// returns `nil` if all were written.
    package static func write(
        _ regions: [UnsafeRawBufferPointer],
        to descriptor: CInt,
        at offset: Int64?
    ) -> FileFailure? {
        var offset = offset
        var vectors = regions.filter { !$0.isEmpty }.map {
            iovec(iov_base: UnsafeMutableRawPointer(mutating: $0.baseAddress), iov_len: $0.count)
        }
        while !vectors.isEmpty {
            var count =
                offset.map { pwritev(descriptor, vectors, CInt(vectors.count), off_t($0)) }
                ?? writev(descriptor, vectors, CInt(vectors.count))
            if count < 0, errno == EINTR { continue }
            guard count > 0 else { return FileFailure(errno: errno) }
            offset = offset.map { $0 + Int64(count) }
            let wholeCount = vectors.prefix { vector in
                guard count >= vector.iov_len else { return false }
                count -= Int(vector.iov_len)
                return true
            }.count
            vectors.removeFirst(wholeCount)
            guard count > 0, let base = vectors.first?.iov_base else { continue }
            vectors[0] = iovec(iov_base: base + count, iov_len: vectors[0].iov_len - count)
        }
        return nil
    }
}

extension OpenFile {
    /// Returns whether a regular file is in a file system of this machine, where a write usually only copies the bytes.
    package static func isOnLocalDisk(_ descriptor: CInt) -> Bool {
        guard let status = try? FileStatus(descriptor: descriptor), status.kind == .regular else { return false }
        return self.isInLocalFileSystem(descriptor)
    }
}

extension OpenFile {
    /// Takes the exclusive lock (`flock`), which ``closeLocked(_:)`` or the end of the process ends; throws `inUse` if another open
    /// file has it; has no effect in a file system without locks.
    package static func lock(_ descriptor: CInt) throws(FileFailure) {
        while flock(descriptor, LOCK_EX | LOCK_NB) != 0 {
            if errno == EINTR { continue }
            if errno == EWOULDBLOCK { throw .inUse }
            guard errno == ENOLCK || errno == EOPNOTSUPP || errno == EINVAL else { throw FileFailure(errno: errno) }
            return
        }
    }

    /// Ends the lock, which closing alone does not always end: a child process shares it until the child runs its program.
    package static func unlock(_ descriptor: CInt) { flock(descriptor, LOCK_UN) }

    package static func closeLocked(_ descriptor: CInt) {
        Self.unlock(descriptor)
        close(descriptor)
    }

    /// Reads a short file from its present position to its end, or at most `maximumByteCount` bytes.
    package static func bytes(of descriptor: CInt, atMost maximumByteCount: Int) throws(FileFailure) -> [UInt8] {
        var bytes = [UInt8](repeating: 0, count: maximumByteCount)
        var byteCount = 0
        while byteCount < bytes.count {
            let count = bytes.withUnsafeMutableBytes { buffer in
                Self.read(from: descriptor, into: UnsafeMutableRawBufferPointer(rebasing: buffer[byteCount...]))
            }
            guard count >= 0 else { throw FileFailure(errno: errno) }
            if count == 0 { break }
            byteCount += count
        }
        return Array(bytes[..<byteCount])
    }
}
