// SPDX-License-Identifier: Apache-2.0
package import NIOCore

extension ByteBuffer {
    /// Appends bytes, and removes the bytes that were read, so that a buffer that its reader never empties does not keep growing.
    package mutating func append(arrived bytes: ByteBuffer) {
        guard self.readableBytes > 0 else {
            self = bytes
            return
        }
        // This moves less than a line or a frame header, because the reader has taken everything else.
        if self.readerIndex > 0 { self.discardReadBytes() }
        self.writeImmutableBuffer(bytes)
    }
}
