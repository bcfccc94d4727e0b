// SPDX-License-Identifier: Apache-2.0

/// Writes the frames of a client (RFC 6455 §5.2), without checking that one message ends before the next begins.
public enum FrameEncoder: Sendable {
    /// The maximum length of a control frame's payload, in bytes (RFC 6455 §5.5).
    public static let maximumControlPayloadByteCount = 125

    /// Returns the length of the header for a payload of this length: 6, 8 or 14 bytes.
    public static func headerByteCount(payloadByteCount: Int) -> Int {
        switch payloadByteCount {
        case ...125: 6
        case ...0xFFFF: 8
        default: 14
        }
    }

    /// Appends a whole frame: its header, then the masked payload.
    ///
    /// - Parameters:
    ///   - opcode: The type of the frame.
    ///   - isFinal: Whether the frame ends its message. Must be `true` for a control frame.
    ///   - isCompressed: Whether this is the first frame of a compressed message (RSV1, RFC 7692 §6.1).
    ///   - payload: The unmasked payload. A control frame has at most 125 bytes.
    ///   - key: A random masking key, new for this frame.
    ///   - output: The span to write to. Traps if the span has too little room for the header and the payload.
    public static func encode(
        _ opcode: FrameOpcode,
        isFinal: Bool = true,
        isCompressed: Bool = false,
        payload: RawSpan,
        key: MaskingKey,
        into output: inout OutputRawSpan
    ) {
        Self.encodeHeader(
            opcode,
            isFinal: isFinal,
            isCompressed: isCompressed,
            payloadByteCount: payload.byteCount,
            key: key,
            into: &output
        )
        Mask.append(payload, key, to: &output)
    }

    private static func encodeHeader(
        _ opcode: FrameOpcode,
        isFinal: Bool,
        isCompressed: Bool,
        payloadByteCount: Int,
        key: MaskingKey,
        into output: inout OutputRawSpan
    ) {
        precondition(payloadByteCount >= 0, "the payload's length must not be negative")
        precondition(
            !opcode.isControl || (isFinal && payloadByteCount <= Self.maximumControlPayloadByteCount),
            "a control frame must be final and have at most 125 bytes"
        )
        precondition(
            !isCompressed || opcode == .text || opcode == .binary,
            "only the first frame of a message may be marked as compressed"
        )
        output.append((isFinal ? 0x80 : 0) | (isCompressed ? 0x40 : 0) | opcode.rawValue)
        // RFC 6455 §5.2: the minimal number of bytes must be used to encode the length.
        switch payloadByteCount {
        case ...125:
            output.append(0x80 | UInt8(payloadByteCount))
        case ...0xFFFF:
            output.append(0x80 | 126)
            output.append(UInt16(payloadByteCount).bigEndian, as: UInt16.self)
        default:
            output.append(0x80 | 127)
            output.append(UInt64(payloadByteCount).bigEndian, as: UInt64.self)
        }
        output.append(key.value.bigEndian, as: UInt32.self)
    }
}
