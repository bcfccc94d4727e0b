// SPDX-License-Identifier: Apache-2.0
package import NIOCore

extension ByteBuffer {
    /// Removes the bytes that were read, and appends newly arrived bytes to the unread ones.
    ///
    /// Without the removal, a buffer keeps all bytes until its reader reaches the end. A peer could send bytes in such
    /// a way that the reader never reaches the end.
    ///
    /// - Parameter bytes: The bytes that arrived.
    package mutating func append(arrived bytes: ByteBuffer) {
        guard self.readableBytes > 0 else {
            self = bytes
            return
        }
        // This moves only the unread bytes: less than a line or a frame header, because the reader has taken everything
        // else.
        if self.readerIndex > 0 { self.discardReadBytes() }
        self.writeImmutableBuffer(bytes)
    }
}
