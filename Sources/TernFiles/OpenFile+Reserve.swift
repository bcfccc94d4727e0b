// SPDX-License-Identifier: Apache-2.0
import TernCLibrary
package import TernErrors

extension OpenFile {
    /// Reserves the space for a length of an open file, so that later writes do not find the disk full.
    ///
    /// On Linux, the file gets this length, and its new bytes are zeros. On Apple platforms, it keeps its length. A file
    /// system that cannot reserve space leaves the file as it is. Only a lack of space is a failure, because a write
    /// reports any other.
    ///
    /// No other thread may write to the file meanwhile.
    ///
    /// - Parameters:
    ///   - descriptor: The descriptor of the file.
    ///   - byteCount: The length in bytes, at least that of the file.
    /// - Returns: Whether the space is reserved.
    /// - Throws: `diskFull`. The file then has its length and its space from before.
    package static func reserve(_ descriptor: CInt, byteCount: Int64) throws(FileFailure) -> Bool {
        let before = try FileStatus(descriptor: descriptor).byteCount
        let problem = try Self.allocate(descriptor, byteCount)
        guard problem != 0 else { return true }
        guard FileFailure(errno: problem) == .diskFull else { return false }
        // The system may have reserved a part. A file that is cut to its own length gives that back.
        try Self.truncate(descriptor, toByteCount: before)
        throw .diskFull
    }

    #if canImport(Darwin)
    private static func allocate(_ descriptor: CInt, _ byteCount: Int64) throws(FileFailure) -> CInt {
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
    #else
    private static func allocate(_ descriptor: CInt, _ byteCount: Int64) throws(FileFailure) -> CInt {
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
    #endif
}
