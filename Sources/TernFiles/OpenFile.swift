// SPDX-License-Identifier: Apache-2.0
import TernCLibrary
package import TernErrors

/// Reads from and writes to an open file.
///
/// These functions wait for the disk, so call them on a queue.
package enum OpenFile {
    /// Reads the bytes that are available, at most as many as fit in the buffer.
    ///
    /// - Returns: The number of bytes read; 0 at the end of the file; less than 0 on failure, with the reason in
    ///   `errno`.
    package static func read(from descriptor: CInt, into bytes: UnsafeMutableRawBufferPointer) -> Int {
        while true {
            let count = TernCLibrary.read(descriptor, bytes.baseAddress, bytes.count)
            if count >= 0 || errno != EINTR { return count }
        }
    }

    /// Writes all bytes.
    ///
    /// - Returns: The failure; `nil` if all bytes were written.
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

    /// Writes all bytes of several regions of memory, one after the other, with as few system calls as possible.
    ///
    /// - Parameters:
    ///   - regions: The regions; at most 1024, the smallest limit of the supported systems.
    ///   - descriptor: The descriptor of the file.
    ///   - offset: The position in the file, which leaves the present position of the descriptor as it is. `nil` writes
    ///     at the present position.
    /// - Returns: The failure; `nil` if all bytes were written.
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
