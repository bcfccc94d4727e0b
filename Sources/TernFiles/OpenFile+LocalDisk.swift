// SPDX-License-Identifier: Apache-2.0

#if os(Linux)
import CFileSystems
import TernCLibrary
#endif

extension OpenFile {
    #if !canImport(Darwin)
    /// The file systems of Linux that store files in memory or on a disk of this machine, by their numbers in `statfs`.
    ///
    /// The list has the usual ones. All others count as remote: a network file system can keep a write waiting for
    /// minutes, and a file system in user space (FUSE) for as long as its program likes.
    private static let localFileSystems: Set<UInt32> = [
        0xEF53,  // ext2, ext3, ext4
        0x5846_5342,  // XFS
        0x9123_683E,  // Btrfs
        0xF2F5_2010,  // F2FS
        0x2FC1_2FC1,  // ZFS
        0x0102_1994,  // tmpfs
        0x8584_58F6,  // ramfs
        0x794C_7630,  // overlayfs, of containers
    ]
    #endif

    /// Returns whether an open file is a regular file on a disk of this machine, so that the system usually only copies
    /// the bytes of a write.
    package static func isOnLocalDisk(_ descriptor: CInt) -> Bool {
        guard let status = try? FileStatus(descriptor: descriptor), status.kind == .regular else { return false }
        var system = statfs()
        guard fstatfs(descriptor, &system) == 0 else { return false }
        #if canImport(Darwin)
        return system.f_flags & UInt32(MNT_LOCAL) != 0
        #else
        return self.localFileSystems.contains(UInt32(truncatingIfNeeded: system.f_type))
        #endif
    }
}
