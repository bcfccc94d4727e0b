// SPDX-License-Identifier: Apache-2.0
// Compiled and run on Linux.

#if canImport(Glibc)
@_exported public import Glibc

extension CLibrary {
    package static var streamSocket: CInt { CInt(SOCK_STREAM.rawValue) }

    /// Fills at most 256 bytes with random bytes; returns whether the system had as many.
    package static func fillRandomly(_ bytes: UnsafeMutableRawBufferPointer) -> Bool {
        getentropy(bytes.baseAddress, bytes.count) == 0
    }
}

extension CLibrary.ResourceLimit {
    var number: __rlimit_resource_t {
        switch self {
        case .descriptors: __rlimit_resource_t(RLIMIT_NOFILE.rawValue)
        case .fileByteCount: __rlimit_resource_t(RLIMIT_FSIZE.rawValue)
        }
    }
}

extension stat {
    package var modificationTime: timespec { self.st_mtim }
}
#endif
