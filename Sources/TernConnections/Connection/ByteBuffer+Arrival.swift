// SPDX-License-Identifier: Apache-2.0
package import NIOCore

extension ByteBuffer {
    /// Appends bytes that arrived to those that were not read yet, and forgets those that were read.
    ///
    /// A buffer that is only appended to keeps all that it ever held as long as its reader never comes to its end, and a
    /// peer can see to that.
    ///
    /// - Parameter bytes: what arrived.
    package mutating func append(arrived bytes: ByteBuffer) {
        guard self.readableBytes > 0 else {
            self = bytes
            return
        }
        // What is moved is less than a line or a header: more would have been read.
        if self.readerIndex > 0 { self.discardReadBytes() }
        self.writeImmutableBuffer(bytes)
    }
}
