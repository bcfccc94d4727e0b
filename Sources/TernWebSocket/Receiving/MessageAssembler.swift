// SPDX-License-Identifier: Apache-2.0
import NIOCore
import TernFoundation
import TernWebSocketCore

/// Joins the parts of a message, which the decoder has checked and limited, into one message.
struct MessageAssembler: Sendable {
    private static let retainedByteCount = 64 << 10
    /// The room that may be reserved for announced bytes, because a buffer of this size is kept anyway.
    private static let minimumRoomByteCount = 64 << 10

    private var bytes = ByteBuffer()

    /// Appends a part, as a range of `input`; `byteCount` is its length with the announced bytes that are missing.
    mutating func append(_ part: Range<Int>, of input: ByteBuffer, announced byteCount: Int) {
        if self.bytes.writableBytes < part.count, byteCount > part.count {
            // At most 64 KiB, or twice the bytes that have arrived: announcing a large frame costs the peer nothing.
            let likely = max(2 * (self.bytes.readableBytes + part.count), Self.minimumRoomByteCount)
            let room = min(byteCount, likely)
            self.bytes.reserveCapacity(self.bytes.readableBytes + room)
        }
        input.withUnsafeReadableBytes { _ = self.bytes.writeBytes(UnsafeRawBufferPointer(rebasing: $0[part])) }
    }

    /// Calls `write` with room for at least `byteCount` bytes of the message.
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

    mutating func finish(_ kind: MessageKind) -> WebSocketMessage {
        let message = WebSocketMessage(kind, self.bytes.readableBytesSpan)
        self.clear()
        return message
    }

    mutating func finishPart(_ kind: MessageKind, isFinal: Bool) -> WebSocketFragment {
        let fragment = WebSocketFragment(kind: kind, data: Data(self.bytes.readableBytesView), isFinal: isFinal)
        self.clear()
        return fragment
    }

    private mutating func clear() {
        if self.bytes.capacity <= Self.retainedByteCount { self.bytes.clear() } else { self.bytes = ByteBuffer() }
    }
}
