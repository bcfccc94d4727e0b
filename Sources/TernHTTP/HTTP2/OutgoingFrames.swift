// SPDX-License-Identifier: Apache-2.0
import NIOCore

/// Frames with content, in the pieces that the network gets: only short content is copied after its header.
struct OutgoingFrames {
    /// The length of the shortest content that is not copied, because TLS spends a record on each piece.
    private static let longByteCount = 32 << 10

    private var pieces: [ByteBuffer] = []
    private var last = ByteBuffer()

    mutating func append(_ header: [UInt8]) { self.last.writeBytes(header) }

    mutating func append(content: ByteBufferView) {
        guard content.count >= Self.longByteCount else {
            self.last.writeBytes(content)
            return
        }
        self.pieces.append(self.last)
        self.pieces.append(ByteBuffer(content))
        self.last = ByteBuffer()
    }

    consuming func forEachPiece(_ body: (ByteBuffer) -> Void) {
        for piece in self.pieces { body(piece) }
        if self.last.readableBytes > 0 { body(self.last) }
    }
}
