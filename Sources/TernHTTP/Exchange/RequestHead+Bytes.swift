// SPDX-License-Identifier: Apache-2.0
import NIOCore
import TernHTTP1

extension RequestHead {
    /// The head as it is sent.
    ///
    /// - Parameter byteCount: how many bytes there should be room for behind it; 0 by default.
    /// - Returns: the head alone.
    func encoded(withRoomFor byteCount: Int = 0) -> ByteBuffer {
        let capacity = self.encodedByteCountUpperBound
        var bytes = ByteBuffer()
        bytes.reserveCapacity(capacity + byteCount)
        bytes.writeWithOutputRawSpan(minimumWritableBytes: capacity) { span in self.encode(into: &span) }
        return bytes
    }
}
