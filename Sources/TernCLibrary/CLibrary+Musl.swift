// SPDX-License-Identifier: Apache-2.0
// Never compiled: written from what we know of musl 1.2.

#if canImport(Musl)
@_exported public import Musl

extension CLibrary {
    /// The kind of a socket for a stream of bytes: `SOCK_STREAM`.
    package static var streamSocket: CInt { SOCK_STREAM }

    /// Fills memory with random bytes of the system, at most 256.
    ///
    /// - Returns: Whether the system had as many.
    package static func fillRandomly(_ bytes: UnsafeMutableRawBufferPointer) -> Bool {
        getentropy(bytes.baseAddress, bytes.count) == 0
    }
}

extension CLibrary.ResourceLimit {
    /// The number of the limit, for the system.
    var number: CInt {
        switch self {
        case .descriptors: RLIMIT_NOFILE
        case .fileByteCount: RLIMIT_FSIZE
        }
    }
}

extension stat {
    /// The time at which the content of the file was changed last.
    package var modificationTime: timespec { self.st_mtim }
}
#endif
