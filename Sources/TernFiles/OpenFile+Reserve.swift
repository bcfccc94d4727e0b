// SPDX-License-Identifier: Apache-2.0
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
}
