// SPDX-License-Identifier: Apache-2.0
import NIOCore
public import TernFoundation
package import TernWebSocketCore

/// A message of a WebSocket, of one of the two kinds of RFC 6455 §5.6.
public enum WebSocketMessage: Hashable, Sendable {
    /// Text.
    case text(String)
    /// Bytes.
    case binary(Data)

    package var kind: MessageKind {
        switch self {
        case .text: .text
        case .binary: .binary
        }
    }

    /// The length of the payload in bytes, for text in UTF-8.
    package var byteCount: Int {
        switch self {
        case .text(let text): text.utf8.count
        case .binary(let data): data.count
        }
    }
}

extension ByteBuffer {
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

    init(_ close: CloseFrame, key: MaskingKey) {
        var payload = ByteBuffer()
        payload.writeWithOutputRawSpan(minimumWritableBytes: close.payloadByteCount) { close.encodePayload(into: &$0) }
        self.init(frame: .close, payload: payload.readableBytesSpan, key: key)
    }
}

extension WebSocketMessage {
    func withPayload<Result>(_ body: (RawSpan) -> Result) -> Result {
        switch self {
        case .text(var text): text.withUTF8 { body(UnsafeRawBufferPointer($0).bytes) }
        case .binary(let data): data.withUnsafeBytes { body($0.bytes) }
        }
    }
}
