// SPDX-License-Identifier: Apache-2.0
package import TernErrors

#if canImport(Glibc)
import Glibc
#elseif canImport(Musl)
import Musl
#else
import Darwin
#endif

/// What the system knows of a file: its kind, its owner, and who else may change it.
package struct FileStatus: Sendable {
    /// What a file is.
    package enum Kind: Sendable {
        case regular
        case folder
        case link
        /// A device, a socket or a pipe.
        case other
    }

    /// The latest time that is told apart, in seconds since 1970: in the year 2242, so that nanoseconds fit.
    private static let maximumSeconds: Int64 = 1 << 33
    /// What a length counts as, at most: 256 TiB, so that a sum of them fits.
    private static let maximumByteCount: Int64 = 1 << 48

    package let kind: Kind
    /// Whether the file is this user's.
    package let isOwn: Bool
    /// Whether the file is the superuser's, who may do everything anyway.
    package let isOfSystem: Bool
    /// Who may do what, as for `chmod`.
    package let permissions: UInt32
    /// The number of names that the file has; 0 after the last one was deleted.
    package let nameCount: UInt64
    /// The length in bytes.
    package let byteCount: Int64
    /// When the file was changed or used last, in nanoseconds since 1970.
    package let time: Int64

    /// Whether another user may write to it.
    package var isWritableByOthers: Bool { self.permissions & 0o022 != 0 }

    /// The status of an open file.
    ///
    /// - Throws: the system's reason if there is none.
    package init(descriptor: CInt) throws(FileFailure) {
        var status = stat()
        guard fstat(descriptor, &status) == 0 else { throw FileFailure(errno: errno) }
        self.init(status)
    }

    init(_ status: stat) {
        switch status.st_mode & S_IFMT {
        case S_IFREG: self.kind = .regular
        case S_IFDIR: self.kind = .folder
        case S_IFLNK: self.kind = .link
        default: self.kind = .other
        }
        self.isOwn = status.st_uid == geteuid()
        self.isOfSystem = status.st_uid == 0
        self.permissions = UInt32(status.st_mode) & 0o7777
        self.nameCount = UInt64(status.st_nlink)
        #if canImport(Darwin)
        let time = status.st_mtimespec
        #else
        let time = status.st_mtim
        #endif
        // A file can be given any time and any length.
        self.byteCount = min(max(Int64(status.st_size), 0), Self.maximumByteCount)
        let seconds = min(max(Int64(time.tv_sec), 0), Self.maximumSeconds)
        self.time = seconds * 1_000_000_000 + Int64(time.tv_nsec)
    }
}
