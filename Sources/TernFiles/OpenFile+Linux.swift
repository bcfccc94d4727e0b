// SPDX-License-Identifier: Apache-2.0
// Compiled and run on Linux with glibc; never compiled with musl or for Android.

#if !canImport(Darwin)
import CFileSystems
import TernCLibrary
import TernErrors

extension OpenFile {
    /// The usual file systems in memory or on a disk of this machine, by their numbers in `statfs`: a network file system can
    /// keep a write waiting for minutes, and one in user space (FUSE) for as long as its program likes.
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

    /// Returns the number of bytes read; 0 or less if the first byte is not in memory.
    static func readPresent(
        _ descriptor: CInt,
        into space: UnsafeMutableRawBufferPointer,
        at offset: Int64
    ) -> Int {
        #if os(Android)
        // Android ends a process with a system call that its version does not allow.
        0
        #else
        CFileSystems_readCached(descriptor, space.baseAddress, space.count, Int(offset))
        #endif
    }

    static func isInLocalFileSystem(_ descriptor: CInt) -> Bool {
        var system = statfs()
        guard fstatfs(descriptor, &system) == 0 else { return false }
        return self.localFileSystems.contains(UInt32(truncatingIfNeeded: system.f_type))
    }

    /// Reserves space, and extends the file; returns 0, or the system's `errno`; throws if the file is left in append mode.
    static func allocate(_ descriptor: CInt, _ byteCount: Int64) throws(FileFailure) -> CInt {
        // Where the file system cannot reserve space, glibc would write to each block of the file, which may take
        // minutes. It does not do so for a file that appends. The system call ignores this flag.
        let flags = fcntl(descriptor, F_GETFL)
        guard flags >= 0, fcntl(descriptor, F_SETFL, flags | O_APPEND) == 0 else { return errno }
        var problem = EINTR
        while problem == EINTR { problem = posix_fallocate(descriptor, 0, off_t(byteCount)) }
        // Otherwise, later writes would not go to their positions.
        guard fcntl(descriptor, F_SETFL, flags) == 0 else { throw FileFailure(errno: errno) }
        return problem
    }

    static func flush(_ descriptor: CInt) -> Bool { fdatasync(descriptor) == 0 }
}
#endif
