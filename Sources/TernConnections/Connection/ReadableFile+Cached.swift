// SPDX-License-Identifier: Apache-2.0
import NIOCore
import TernFiles

extension ReadableFile {
    /// Copying so many bytes takes less than a millisecond, so the caller's thread may do it.
    private static let maximumCopiedByteCount = 256 << 10

    /// Reads what the system has in memory, perhaps nothing, because changing threads takes longer than copying.
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
