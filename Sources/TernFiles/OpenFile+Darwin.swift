// SPDX-License-Identifier: Apache-2.0
// Compiled and run over stand-ins on Linux (scripts/test --apple-shape); never on an Apple platform.

#if canImport(Darwin)
import TernCLibrary
import TernErrors

extension OpenFile {
    /// Returns 0: Apple platforms have no function that reads only what is in memory.
    static func readPresent(
        _ descriptor: CInt,
        into space: UnsafeMutableRawBufferPointer,
        at offset: Int64
    ) -> Int { 0 }

    #if os(macOS)
    static func isInLocalFileSystem(_ descriptor: CInt) -> Bool {
        var system = statfs()
        return fstatfs(descriptor, &system) == 0 && system.f_flags & UInt32(MNT_LOCAL) != 0
    }
    #else
    /// Compares with the file system of the home folder, which is on the disk of an iPhone and the like: the App Store permits
    /// `fstatfs` there only for questions about free space (Documentation/Decisions/0018).
    static func isInLocalFileSystem(_ descriptor: CInt) -> Bool {
        guard let device = self.homeDevice else { return false }
        return (try? FileStatus(descriptor: descriptor).device) == device
    }

    private static let homeDevice = getenv("HOME").flatMap { try? FileStatus(path: String(cString: $0)).device }
    #endif

    /// Reserves space, and leaves the file's length as it is; returns 0, or the system's `errno`.
    static func allocate(_ descriptor: CInt, _ byteCount: Int64) throws(FileFailure) -> CInt {
        guard byteCount > 0 else { return EINVAL }  // as posix_fallocate on Linux
        var status = stat()
        guard fstat(descriptor, &status) == 0 else { return errno }
        let missingByteCount = byteCount - Int64(status.st_blocks) * 512
        guard missingByteCount > 0 else { return 0 }
        var request = fstore_t()
        request.fst_flags = UInt32(F_ALLOCATEALL)
        request.fst_posmode = F_PEOFPOSMODE
        request.fst_length = off_t(missingByteCount)
        return fcntl(descriptor, F_PREALLOCATE, &request) == -1 ? errno : 0
    }

    static func flush(_ descriptor: CInt) -> Bool {
        // On Apple platforms, `fsync` leaves the data in the cache of the disk.
        fcntl(descriptor, F_FULLFSYNC) != -1 || fsync(descriptor) == 0
    }
}
#endif
