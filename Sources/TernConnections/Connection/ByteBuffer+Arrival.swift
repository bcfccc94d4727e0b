// SPDX-License-Identifier: Apache-2.0
package import NIOCore

extension ByteBuffer {
    /// Appends bytes that arrived to those that are still unread, and removes those that were read.
    ///
    /// A buffer that is only appended to keeps all its bytes until its reader reaches the end, and a peer can prevent
    /// that.
    ///
    /// - Parameter bytes: The bytes that arrived.
    package mutating func append(arrived bytes: ByteBuffer) {
        guard self.readableBytes > 0 else {
            self = bytes
            return
        }
        // The bytes that are moved are less than a line or a header: more would have been read already.
        if self.readerIndex > 0 { self.discardReadBytes() }
        self.writeImmutableBuffer(bytes)
    }
}
