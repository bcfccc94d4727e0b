// SPDX-License-Identifier: Apache-2.0
import NIOCore
import TernWebSocketCore

#if canImport(FoundationEssentials)
import FoundationEssentials
#else
import Foundation
#endif

/// Puts the parts of a message together; how long it may become is the decoder's business.
struct MessageAssembler: Sendable {
    /// What may be kept of the memory of one message for the next.
    private static let retainedByteCount = 64 << 10
    /// The room that is made at least for what is only announced: no more than is kept anyway.
    private static let minimumRoomByteCount = 64 << 10

    private var bytes = ByteBuffer()

    /// Appends a part that lies in `input`.
    mutating func append(_ part: Range<Int>, of input: ByteBuffer, announced byteCount: Int) {
        if self.bytes.writableBytes < part.count, byteCount > part.count {
            // All that was announced, but not more at once than twice of what came: announcing costs the peer nothing.
            let likely = max(2 * (self.bytes.readableBytes + part.count), Self.minimumRoomByteCount)
            let room = min(byteCount, likely)
            self.bytes.reserveCapacity(self.bytes.readableBytes + room)
        }
        input.withUnsafeReadableBytes { _ = self.bytes.writeBytes(UnsafeRawBufferPointer(rebasing: $0[part])) }
    }

    /// Lets `write` append to what there is, in a space of at least `byteCount` bytes.
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
        guard let result else { preconditionFailure("the buffer did not lend its space") }
        return try result.get()
    }

    /// The message, which is complete; nothing is left.
    mutating func finish(_ kind: MessageKind) -> WebSocketMessage {
        let message = WebSocketMessage(kind, self.bytes)
        self.clear()
        return message
    }

    /// What there is as a part of a message; nothing is left.
    mutating func finishPart(_ kind: MessageKind, isFinal: Bool) -> WebSocketFragment {
        let fragment = WebSocketFragment(kind: kind, data: Data(self.bytes.readableBytesView), isFinal: isFinal)
        self.clear()
        return fragment
    }

    private mutating func clear() {
        if self.bytes.capacity <= Self.retainedByteCount { self.bytes.clear() } else { self.bytes = ByteBuffer() }
    }
}

extension WebSocketMessage {
    /// Copies a message out of bytes that were validated if they are text.
    init(_ kind: MessageKind, _ bytes: ByteBuffer) {
        switch kind {
        case .text: self = .text(String(validated: bytes.readableBytesUInt8Span))
        case .binary: self = .binary(bytes.withUnsafeReadableBytes { Data($0) })
        }
    }

    /// Copies a message out of a part of bytes that was validated if it is text.
    init(_ kind: MessageKind, _ range: Range<Int>, of bytes: ByteBuffer) {
        switch kind {
        case .text:
            self = .text(String(validated: bytes.readableBytesUInt8Span.extracting(range)))
        case .binary:
            self = .binary(bytes.withUnsafeReadableBytes { Data(UnsafeRawBufferPointer(rebasing: $0[range])) })
        }
    }
}
