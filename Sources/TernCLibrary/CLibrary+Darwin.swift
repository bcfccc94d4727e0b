// SPDX-License-Identifier: Apache-2.0
// Compiled and run over stand-ins on Linux (scripts/test --apple-shape); never on an Apple platform.

#if canImport(Darwin)
@_exported public import Darwin

extension CLibrary {
    package static var streamSocket: CInt { SOCK_STREAM }

    /// Fills memory with random bytes, and always succeeds; `getentropy` is public on macOS only.
    package static func fillRandomly(_ bytes: UnsafeMutableRawBufferPointer) -> Bool {
        arc4random_buf(bytes.baseAddress, bytes.count)
        return true
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
    package var modificationTime: timespec { self.st_mtimespec }
}
#endif
