// SPDX-License-Identifier: Apache-2.0
package import TernErrors

extension OpenFile {
    /// Reserves the space for a length, if the file system can, so that later writes do not find the disk full.
    ///
    /// - Parameters:
    ///   - descriptor: The descriptor of the file, to which no other thread may write meanwhile.
    ///   - byteCount: The length in bytes, at least that of the file. On Linux, the file gets this length, with zeros.
    /// - Returns: Whether the space is reserved.
    /// - Throws: `diskFull`, after which the file has its length and its space from before; or the failure of a system call.
    package static func reserve(_ descriptor: CInt, byteCount: Int64) throws(FileFailure) -> Bool {
        let before = try FileStatus(descriptor: descriptor).byteCount
        let problem = try Self.allocate(descriptor, byteCount)
        guard problem != 0 else { return true }
        guard FileFailure(errno: problem) == .diskFull else { return false }
        // The system may have reserved a part. A file that is cut to its own length gives that back.
        try Self.truncate(descriptor, toByteCount: before)
        throw .diskFull
    }
}
