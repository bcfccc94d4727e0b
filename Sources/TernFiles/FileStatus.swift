// SPDX-License-Identifier: Apache-2.0
import TernCLibrary
package import TernErrors

package struct FileStatus: Sendable {
    package enum Kind: Sendable {
        case regular
        case folder
        case link
        /// A device, a socket or a pipe.
        case other
    }

    /// In the year 2242, when the number of nanoseconds since 1970 still fits in 64 bits.
    private static let maximumSeconds: Int64 = 1 << 33
    /// 256 TiB, so that sums do not overflow.
    private static let maximumByteCount: Int64 = 1 << 48

    package let kind: Kind
    package let isOwn: Bool
    /// Whether the superuser owns the file; they have access to every file anyway.
    package let isOwnedByRoot: Bool
    package let permissions: UInt32
    /// The number of hard links; 0 after the last name was deleted.
    package let nameCount: UInt64
    /// The number of the inode.
    package let number: UInt64
    /// The number of the file system.
    package let device: UInt64
    package let byteCount: Int64
    /// The time of the last change or `touch`, in nanoseconds since 1970.
    package let time: Int64

    package var isWritableByOthers: Bool { self.permissions & 0o022 != 0 }

    package init(descriptor: CInt) throws(FileFailure) {
        var status = stat()
        guard fstat(descriptor, &status) == 0 else { throw FileFailure(errno: errno) }
        self.init(status)
    }

    /// Reads the status of a file; if the path is a link, the status of the file to which the link leads.
    package init(path: String) throws(FileFailure) {
        var status = stat()
        guard stat(path, &status) == 0 else { throw FileFailure(errno: errno) }
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
        self.isOwnedByRoot = status.st_uid == 0
        self.permissions = UInt32(status.st_mode) & 0o7777
        self.nameCount = UInt64(status.st_nlink)
        self.number = UInt64(status.st_ino)
        self.device = UInt64(truncatingIfNeeded: status.st_dev)
        let time = status.modificationTime
        // A file system may report any time and any length, so limit both.
        self.byteCount = min(max(Int64(status.st_size), 0), Self.maximumByteCount)
        let seconds = min(max(Int64(time.tv_sec), 0), Self.maximumSeconds)
        self.time = seconds * 1_000_000_000 + Int64(time.tv_nsec)
    }
}
