// SPDX-License-Identifier: Apache-2.0
import NIOCore
public import TernWebSocketCore

#if canImport(FoundationEssentials)
public import FoundationEssentials
#else
public import Foundation
#endif

/// A message of a WebSocket (RFC 6455 §5.6).
public enum WebSocketMessage: Hashable, Sendable {
    /// Text.
    case text(String)
    /// Bytes.
    case binary(Data)

    /// Whether it is text or bytes.
    public var kind: MessageKind {
        switch self {
        case .text: .text
        case .binary: .binary
        }
    }

    /// The length of the payload, in bytes; of text in UTF-8.
    public var byteCount: Int {
        switch self {
        case .text(let text): text.utf8.count
        case .binary(let data): data.count
        }
    }
}

/// A part of a message, as it arrives; see ``WebSocket/fragments``.
public struct WebSocketFragment: Hashable, Sendable {
    /// Whether the message is text or bytes.
    public var kind: MessageKind
    /// The bytes; of text they are UTF-8, which may be cut within a character; empty only at the end of a message.
    public var data: Data
    /// Whether the message ends with this part.
    public var isFinal: Bool

    /// Creates a part.
    package init(kind: MessageKind, data: Data, isFinal: Bool) {
        self.kind = kind
        self.data = data
        self.isFinal = isFinal
    }
}

extension ByteBuffer {
    /// A whole frame, masked.
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

    /// A Close frame, masked.
    init(_ close: CloseFrame, key: MaskingKey) {
        var payload = ByteBuffer()
        payload.writeWithOutputRawSpan(minimumWritableBytes: close.payloadByteCount) { close.encodePayload(into: &$0) }
        self.init(frame: .close, payload: payload.readableBytesSpan, key: key)
    }
}

extension WebSocketMessage {
    /// Calls `body` with the payload.
    func withPayload<Result>(_ body: (RawSpan) -> Result) -> Result {
        switch self {
        case .text(var text): text.withUTF8 { body(UnsafeRawBufferPointer($0).bytes) }
        case .binary(let data): data.withUnsafeBytes { body($0.bytes) }
        }
    }
}
