// SPDX-License-Identifier: Apache-2.0
import NIOCore
import TernFoundation
import TernWebSocketCore

/// Joins the parts of a message into one message.
///
/// The decoder has checked the parts, and enforces the limit on the length of a message.
struct MessageAssembler: Sendable {
    /// The capacity of the largest buffer to keep from one message for the next.
    private static let retainedByteCount = 64 << 10
    /// The room that may be reserved for announced bytes, however few bytes have arrived.
    ///
    /// A buffer of this size is kept between messages anyway.
    private static let minimumRoomByteCount = 64 << 10

    private var bytes = ByteBuffer()

    /// Appends a part of a message, given as a range of `input`.
    ///
    /// `byteCount` is the length of the part, together with the announced bytes of its frame that are still missing.
    mutating func append(_ part: Range<Int>, of input: ByteBuffer, announced byteCount: Int) {
        if self.bytes.writableBytes < part.count, byteCount > part.count {
            // Reserve room for the announced bytes, but at most for 64 KiB or twice the bytes that have arrived,
            // whichever is more: announcing a large frame costs the peer nothing.
            let likely = max(2 * (self.bytes.readableBytes + part.count), Self.minimumRoomByteCount)
            let room = min(byteCount, likely)
            self.bytes.reserveCapacity(self.bytes.readableBytes + room)
        }
        input.withUnsafeReadableBytes { _ = self.bytes.writeBytes(UnsafeRawBufferPointer(rebasing: $0[part])) }
    }

    /// Calls `write` with a span that has room for at least `byteCount` bytes.
    ///
    /// The bytes that `write` appends to the span become a part of the message.
    mutating func withSpace<Result, Failure: Error>(
        _ byteCount: Int,
        _ write: (inout OutputRawSpan) throws(Failure) -> Result
    ) throws(Failure) -> Result {
        var result: Swift.Result<Result, Failure>?
        self.bytes.writeWithOutputRawSpan(minimumWritableBytes: byteCount) { span in
            do throws(Failure) {
                result = .success(try write(&span))
            } catch {
                result = .failure(error)
            }
        }
        guard let result else { preconditionFailure("the buffer did not provide its space") }
        return try result.get()
    }

    /// Returns the complete message and empties the assembler.
    mutating func finish(_ kind: MessageKind) -> WebSocketMessage {
        let message = WebSocketMessage(kind, self.bytes.readableBytesSpan)
        self.clear()
        return message
    }

    /// Returns the collected bytes as a part of a message, and empties the assembler.
    mutating func finishPart(_ kind: MessageKind, isFinal: Bool) -> WebSocketFragment {
        let fragment = WebSocketFragment(kind: kind, data: Data(self.bytes.readableBytesView), isFinal: isFinal)
        self.clear()
        return fragment
    }

    private mutating func clear() {
        if self.bytes.capacity <= Self.retainedByteCount { self.bytes.clear() } else { self.bytes = ByteBuffer() }
    }
}
