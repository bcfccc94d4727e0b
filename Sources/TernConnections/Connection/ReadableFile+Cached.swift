// SPDX-License-Identifier: Apache-2.0
import NIOCore
import TernFiles

extension ReadableFile {
    /// The maximum number of bytes to copy on the thread of the caller; a copy of them takes less than a millisecond.
    private static let maximumCopiedByteCount = 256 << 10

    /// Reads what the system has in memory, without waiting for the disk.
    ///
    /// A change of threads takes longer than copying the bytes.
    ///
    /// - Returns: The first of the bytes, perhaps none.
    func readCached(byteCount: Int, at offset: Int64) -> ByteBuffer {
        var bytes = ByteBuffer()
        guard byteCount > 0, byteCount <= Self.maximumCopiedByteCount else { return bytes }
        bytes.reserveCapacity(byteCount)
        bytes.writeWithUnsafeMutableBytes(minimumWritableBytes: byteCount) { space in
            OpenFile.readCached(
                self.descriptor,
                into: UnsafeMutableRawBufferPointer(rebasing: space[..<byteCount]),
                at: offset
            )
        }
        return bytes
    }
}
