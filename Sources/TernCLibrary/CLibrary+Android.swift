// SPDX-License-Identifier: Apache-2.0
// Never compiled: written from what we know of Bionic, the C library of Android.

#if canImport(Android)
@_exported public import Android

extension CLibrary {
    /// The kind of a socket for a stream of bytes: `SOCK_STREAM`.
    package static var streamSocket: CInt { SOCK_STREAM }

    /// Fills memory with random bytes of the system, at most 256.
    ///
    /// - Returns: Whether the system had as many: always `true`. Older systems do not have `getentropy`.
    package static func fillRandomly(_ bytes: UnsafeMutableRawBufferPointer) -> Bool {
        guard let start = bytes.baseAddress else { return true }
        arc4random_buf(start, bytes.count)
        return true
    }
}

extension CLibrary.ResourceLimit {
    /// The number of the limit, for the system.
    var number: CInt {
        switch self {
        case .descriptors: CInt(RLIMIT_NOFILE)
        case .fileByteCount: CInt(RLIMIT_FSIZE)
        }
    }
}

extension stat {
    /// The time at which the content of the file was changed last.
    package var modificationTime: timespec { self.st_mtim }
}
#endif
