// SPDX-License-Identifier: Apache-2.0
// Never compiled: written from what we know of Bionic, the C library of Android.

#if canImport(Android)
@_exported public import Android

extension CLibrary {
    package static var streamSocket: CInt { SOCK_STREAM }

    /// Fills memory with random bytes, and always succeeds; older systems do not have `getentropy`.
    package static func fillRandomly(_ bytes: UnsafeMutableRawBufferPointer) -> Bool {
        guard let start = bytes.baseAddress else { return true }
        arc4random_buf(start, bytes.count)
        return true
    }
}

extension CLibrary.ResourceLimit {
    var number: CInt {
        switch self {
        case .descriptors: CInt(RLIMIT_NOFILE)
        case .fileByteCount: CInt(RLIMIT_FSIZE)
        }
    }
}

extension stat {
    package var modificationTime: timespec { self.st_mtim }
}
#endif
