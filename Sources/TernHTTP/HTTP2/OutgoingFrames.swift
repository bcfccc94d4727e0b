// SPDX-License-Identifier: Apache-2.0
import NIOCore

/// Frames with content, in the pieces in which they are handed to the network.
///
/// Short content is copied after its header, so that one piece has many frames. Long content is a piece of its own, so
/// that it is not copied.
struct OutgoingFrames {
    /// The length of the shortest content that is not copied.
    ///
    /// TLS encrypts each piece in records of its own, with about 30 bytes and a microsecond for each record.
    private static let longByteCount = 32 << 10

    private var pieces: [ByteBuffer] = []
    /// The piece that the next bytes extend.
    private var last = ByteBuffer()

    /// Appends the header of a frame, or a frame without content.
    mutating func append(_ header: [UInt8]) { self.last.writeBytes(header) }

    /// Appends the content of the frame whose header was appended before.
    mutating func append(content: ByteBufferView) {
        guard content.count >= Self.longByteCount else {
            self.last.writeBytes(content)
            return
        }
        self.pieces.append(self.last)
        self.pieces.append(ByteBuffer(content))
        self.last = ByteBuffer()
    }

    /// Calls `body` with each piece, in order.
    consuming func forEachPiece(_ body: (ByteBuffer) -> Void) {
        for piece in self.pieces { body(piece) }
        if self.last.readableBytes > 0 { body(self.last) }
    }
}
