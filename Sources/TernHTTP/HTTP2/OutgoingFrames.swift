// SPDX-License-Identifier: Apache-2.0
import NIOCore

/// Frames with content, in the pieces that the network gets: only short content is copied after its header.
struct OutgoingFrames: Sendable {
    /// The length of the shortest content that is not copied, because TLS spends a record on each piece.
    private static let longByteCount = 32 << 10

    private var pieces: [ByteBuffer] = []
    private var last = ByteBuffer()
    private var piecesByteCount = 0

    var byteCount: Int { self.piecesByteCount + self.last.readableBytes }

    var isEmpty: Bool { self.byteCount == 0 }

    /// Makes room for short frames, so that they are not copied again.
    mutating func reserve(byteCount: Int) { self.last.reserveCapacity(self.last.writerIndex + byteCount) }

    mutating func append(_ header: [UInt8]) { self.last.writeBytes(header) }

    mutating func append(copying content: HTTP2Session.Body) { self.last.append(content) }

    mutating func append(content: ByteBufferView) {
        guard content.count >= Self.longByteCount else {
            self.last.writeBytes(content)
            return
        }
        self.piecesByteCount += self.last.readableBytes + content.count
        self.pieces.append(self.last)
        self.pieces.append(ByteBuffer(content))
        self.last = ByteBuffer()
    }

    func forEachPiece(_ body: (ByteBuffer) -> Void) {
        for piece in self.pieces { body(piece) }
        if self.last.readableBytes > 0 { body(self.last) }
    }
}
