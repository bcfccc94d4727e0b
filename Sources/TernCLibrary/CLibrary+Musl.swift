// SPDX-License-Identifier: Apache-2.0
// Never compiled: written from what we know of musl 1.2.

#if canImport(Musl)
@_exported public import Musl

extension CLibrary {
    package static var streamSocket: CInt { SOCK_STREAM }

    /// Fills at most 256 bytes with random bytes; returns whether the system had as many.
    package static func fillRandomly(_ bytes: UnsafeMutableRawBufferPointer) -> Bool {
        getentropy(bytes.baseAddress, bytes.count) == 0
    }
}

extension CLibrary.ResourceLimit {
    var number: CInt {
        switch self {
        case .descriptors: RLIMIT_NOFILE
        case .fileByteCount: RLIMIT_FSIZE
        }
    }
}

extension stat {
    package var modificationTime: timespec { self.st_mtim }
}
#endif
