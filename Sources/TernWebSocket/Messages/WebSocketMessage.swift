// SPDX-License-Identifier: Apache-2.0
import NIOCore
public import TernFoundation
package import TernWebSocketCore

/// A message of a WebSocket (RFC 6455 §5.6).
///
/// This enumeration is closed: RFC 6455 §5.6 has these two kinds of messages.
public enum WebSocketMessage: Hashable, Sendable {
    /// Text.
    case text(String)
    /// Bytes.
    case binary(Data)

    /// The kind of the message: text or binary.
    package var kind: MessageKind {
        switch self {
        case .text: .text
        case .binary: .binary
        }
    }

    /// The length of the payload in bytes.
    ///
    /// For text, this is the length in UTF-8.
    package var byteCount: Int {
        switch self {
        case .text(let text): text.utf8.count
        case .binary(let data): data.count
        }
    }
}

extension ByteBuffer {
    /// Creates a buffer with a complete frame: the header and the masked payload.
    init(
        frame opcode: FrameOpcode,
        isFinal: Bool = true,
        isCompressed: Bool = false,
        payload: RawSpan,
        key: MaskingKey
    ) {
        self.init()
        let count = FrameEncoder.headerByteCount(payloadByteCount: payload.byteCount) + payload.byteCount
        self.writeWithOutputRawSpan(minimumWritableBytes: count) { span in
            FrameEncoder.encode(
                opcode,
                isFinal: isFinal,
                isCompressed: isCompressed,
                payload: payload,
                key: key,
                into: &span
            )
        }
    }

    /// Creates a buffer with a complete, masked Close frame.
    init(_ close: CloseFrame, key: MaskingKey) {
        var payload = ByteBuffer()
        payload.writeWithOutputRawSpan(minimumWritableBytes: close.payloadByteCount) { close.encodePayload(into: &$0) }
        self.init(frame: .close, payload: payload.readableBytesSpan, key: key)
    }
}

extension WebSocketMessage {
    /// Calls `body` with the bytes of the payload, and returns its result.
    func withPayload<Result>(_ body: (RawSpan) -> Result) -> Result {
        switch self {
        case .text(var text): text.withUTF8 { body(UnsafeRawBufferPointer($0).bytes) }
        case .binary(let data): data.withUnsafeBytes { body($0.bytes) }
        }
    }
}
