// SPDX-License-Identifier: Apache-2.0
package import TernErrors

#if canImport(Glibc)
import Glibc
#elseif canImport(Musl)
import Musl
#else
import Darwin
#endif

/// Reading from and writing to an open file; these wait for the disk, so they are for a queue.
package enum OpenFile {
    /// Reads what there is, at most as much as there is room for.
    ///
    /// - Returns: how many bytes were read, 0 at the end; less than 0 on failure, and `errno` says why.
    package static func read(from descriptor: CInt, into bytes: UnsafeMutableRawBufferPointer) -> Int {
        while true {
            #if canImport(Glibc)
            let count = Glibc.read(descriptor, bytes.baseAddress, bytes.count)
            #elseif canImport(Musl)
            let count = Musl.read(descriptor, bytes.baseAddress, bytes.count)
            #else
            let count = Darwin.read(descriptor, bytes.baseAddress, bytes.count)
            #endif
            if count >= 0 || errno != EINTR { return count }
        }
    }

    /// Writes all bytes.
    ///
    /// - Returns: why not; `nil` if all were written.
    package static func write(_ bytes: UnsafeRawBufferPointer, to descriptor: CInt) -> FileFailure? {
        var rest = bytes
        while let address = rest.baseAddress, !rest.isEmpty {
            #if canImport(Glibc)
            let count = Glibc.write(descriptor, address, rest.count)
            #elseif canImport(Musl)
            let count = Musl.write(descriptor, address, rest.count)
            #else
            let count = Darwin.write(descriptor, address, rest.count)
            #endif
            if count < 0, errno == EINTR { continue }
            guard count > 0 else { return FileFailure(errno: errno) }
            rest = UnsafeRawBufferPointer(rebasing: rest[count...])
        }
        return nil
    }
}
