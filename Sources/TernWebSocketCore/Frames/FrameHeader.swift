// SPDX-License-Identifier: Apache-2.0

/// The header of a frame from a server: 2, 4 or 10 bytes (RFC 6455 §5.2).
struct FrameHeader {
    enum Reading {
        case header(FrameHeader)
        case incomplete(missingByteCount: Int)
    }

    struct Context {
        var allowsCompression: Bool
        var isWithinMessage: Bool
    }

    var opcode: FrameOpcode
    var isFinal: Bool
    var isCompressed: Bool
    var payloadByteCount: Int
    var byteCount: Int

    /// Reads the header, and checks each byte at once, so that the violation does not depend on how the bytes are split.
    static func read(
        _ input: RawSpan,
        at position: Int,
        _ context: Context
    ) throws(WebSocketViolation) -> Reading {
        let available = input.byteCount - position
        guard available >= 1 else { return .incomplete(missingByteCount: 2) }
        let first = input.byte(at: position)
        let opcode = try Self.opcode(first, context)
        guard available >= 2 else { return .incomplete(missingByteCount: 1) }
        let second = input.byte(at: position + 1)
        // §5.1: a client must close the connection if it detects a masked frame.
        guard second & 0x80 == 0 else { throw .maskedFrame }
        // §5.5: control frames have a payload of 125 bytes or less.
        guard !opcode.isControl || second <= 125 else { throw .controlFrameTooLong }
        let byteCount = second <= 125 ? 2 : second == 126 ? 4 : 10
        guard available >= byteCount else { return .incomplete(missingByteCount: byteCount - available) }
        return .header(
            FrameHeader(
                opcode: opcode,
                isFinal: first & 0x80 != 0,
                isCompressed: first & 0x40 != 0,
                payloadByteCount: try Self.length(input, at: position + 2, short: second),
                byteCount: byteCount
            )
        )
    }

    private static func opcode(_ first: UInt8, _ context: Context) throws(WebSocketViolation) -> FrameOpcode {
        // §5.2: RSV bits must be 0 if no extension defines a meaning for other values.
        guard first & 0x30 == 0 else { throw .reservedBit }
        guard let opcode = FrameOpcode(rawValue: first & 0x0F) else { throw .unknownOpcode(first & 0x0F) }
        if first & 0x40 != 0 {
            guard context.allowsCompression else { throw .reservedBit }
            // RFC 7692 §6.1: only the first fragment of a message may have RSV1, and no control frame.
            guard !opcode.isControl else { throw .compressedControlFrame }
            guard opcode != .continuation else { throw .compressedContinuation }
        }
        if opcode.isControl {
            // §5.5: control frames must not be fragmented.
            guard first & 0x80 != 0 else { throw .fragmentedControlFrame }
        } else if opcode == .continuation {
            // §5.4: a continuation frame continues a message that an earlier frame began.
            guard context.isWithinMessage else { throw .unexpectedContinuation }
        } else {
            // §5.4: the fragments of one message must not be interleaved with those of another.
            guard !context.isWithinMessage else { throw .interruptedMessage }
        }
        return opcode
    }

    private static func length(
        _ input: RawSpan,
        at position: Int,
        short: UInt8
    ) throws(WebSocketViolation) -> Int {
        // RFC 6455 §5.2: the minimal number of bytes must be used to encode the length.
        switch short {
        case 126:
            let length = input.bigEndian(UInt16.self, at: position)
            guard length > 125 else { throw .lengthNotMinimal }
            return Int(length)
        case 127:
            let length = input.bigEndian(UInt64.self, at: position)
            guard let length = Int64(exactly: length) else { throw .lengthTooLarge }
            guard length > 0xFFFF else { throw .lengthNotMinimal }
            return Int(clamping: length)
        default:
            return Int(short)
        }
    }
}

extension RawSpan {
    @inline(__always)
    func byte(at offset: Int) -> UInt8 { self.unsafeLoadUnaligned(fromByteOffset: offset, as: UInt8.self) }

    @inline(__always)
    func bigEndian<Number: FixedWidthInteger & BitwiseCopyable>(_ type: Number.Type, at offset: Int) -> Number {
        Number(bigEndian: self.unsafeLoadUnaligned(fromByteOffset: offset, as: type))
    }
}
