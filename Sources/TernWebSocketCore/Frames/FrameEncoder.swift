// SPDX-License-Identifier: Apache-2.0

/// Writes the frames of a client (RFC 6455 §5.2).
///
/// It knows how a frame looks, not when one may be sent: that a message is not interrupted by another is up to the
/// caller.
public enum FrameEncoder: Sendable {
    /// The most bytes that the payload of a control frame may have (RFC 6455 §5.5).
    public static let maximumControlPayloadByteCount = 125

    /// How many bytes stand before a payload of this length: 6, 8 or 14.
    public static func headerByteCount(payloadByteCount: Int) -> Int {
        switch payloadByteCount {
        case ...125: 6
        case ...0xFFFF: 8
        default: 14
        }
    }

    /// Appends a whole frame: its header, then the payload, masked on the way.
    ///
    /// - Parameters:
    ///   - opcode: what the frame is for.
    ///   - isFinal: whether it ends its message; `true` by default. Control frames must not be fragmented.
    ///   - isCompressed: whether it is the first frame of a compressed message (RSV1, RFC 7692 §6.1); `false` by default.
    ///   - payload: the payload as it is; at most 125 bytes in a control frame.
    ///   - key: a fresh key.
    ///   - output: where to write; must have room for ``headerByteCount(payloadByteCount:)`` and the payload, or this
    ///     traps.
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
        precondition(payloadByteCount >= 0, "a length is not negative")
        precondition(
            !opcode.isControl || (isFinal && payloadByteCount <= Self.maximumControlPayloadByteCount),
            "a control frame is whole and short"
        )
        precondition(!isCompressed || opcode == .text || opcode == .binary, "RSV1 is only for the start of a message")
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
