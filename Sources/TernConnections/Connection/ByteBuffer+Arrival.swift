// SPDX-License-Identifier: Apache-2.0
package import NIOCore

extension ByteBuffer {
    /// Appends bytes, and removes read ones, so that a peer cannot make a buffer grow whose end the reader never reaches.
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
