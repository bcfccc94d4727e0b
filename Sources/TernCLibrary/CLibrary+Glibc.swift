// SPDX-License-Identifier: Apache-2.0
// Compiled and run on Linux.

#if canImport(Glibc)
@_exported public import Glibc

extension CLibrary {
    /// The kind of a socket for a stream of bytes: `SOCK_STREAM`.
    package static var streamSocket: CInt { CInt(SOCK_STREAM.rawValue) }

    /// Fills memory with random bytes of the system, at most 256.
    ///
    /// - Returns: Whether the system had as many.
    package static func fillRandomly(_ bytes: UnsafeMutableRawBufferPointer) -> Bool {
        getentropy(bytes.baseAddress, bytes.count) == 0
    }
}

extension CLibrary.ResourceLimit {
    /// The number of the limit, for the system.
    var number: __rlimit_resource_t {
        switch self {
        case .descriptors: __rlimit_resource_t(RLIMIT_NOFILE.rawValue)
        case .fileByteCount: __rlimit_resource_t(RLIMIT_FSIZE.rawValue)
        }
    }
}

extension stat {
    /// The time at which the content of the file was changed last.
    package var modificationTime: timespec { self.st_mtim }
}
#endif
