// SPDX-License-Identifier: Apache-2.0
// Compiled and run over stand-ins on Linux (scripts/test --apple-shape); never on an Apple platform.

#if canImport(Darwin)
@_exported public import Darwin

extension CLibrary {
    /// The kind of a socket for a stream of bytes: `SOCK_STREAM`.
    package static var streamSocket: CInt { SOCK_STREAM }

    /// Fills memory with random bytes of the system, at most 256.
    ///
    /// - Returns: Whether the system had as many: always `true`. `getentropy` is public on macOS only.
    package static func fillRandomly(_ bytes: UnsafeMutableRawBufferPointer) -> Bool {
        arc4random_buf(bytes.baseAddress, bytes.count)
        return true
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
    package var modificationTime: timespec { self.st_mtimespec }
}
#endif
