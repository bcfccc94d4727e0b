// SPDX-License-Identifier: Apache-2.0
import NIOCore
import TernWebSocketCore

#if canImport(FoundationEssentials)
import FoundationEssentials
#else
import Foundation
#endif

extension ByteBuffer {
    /// A whole frame, masked.
    init(
        frame opcode: Opcode,
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
