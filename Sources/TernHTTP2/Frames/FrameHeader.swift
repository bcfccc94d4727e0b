// SPDX-License-Identifier: Apache-2.0
@_spi(CrossModuleInlining) import TernFields

/// The nine bytes that begin a frame (RFC 9113 §4.1).
package struct FrameHeader: Hashable, Sendable {
    /// The flags of a frame, whose meaning depends on the type of the frame.
    package struct Flags: OptionSet, Hashable, Sendable {
        package let rawValue: UInt8

        package init(rawValue: UInt8) { self.rawValue = rawValue }

        package static let endStream = Flags(rawValue: 0x1)
        package static let acknowledgement = Flags(rawValue: 0x1)
        package static let endHeaders = Flags(rawValue: 0x4)
        package static let padded = Flags(rawValue: 0x8)
        package static let priority = Flags(rawValue: 0x20)
    }

    package static let byteCount = 9

    package var payloadByteCount: Int
    package var type: FrameType
    package var flags: Flags
    package var stream: HTTP2StreamID

    package init(_ type: FrameType, _ flags: Flags = [], stream: HTTP2StreamID = .connection, payloadByteCount: Int) {
        (self.type, self.flags, self.stream, self.payloadByteCount) = (type, flags, stream, payloadByteCount)
    }

    /// Reads a header; the reserved bit before the identifier of the stream "MUST be ignored when receiving" (RFC 9113 §4.1).
    init(_ bytes: ByteView, at offset: Int) {
        self.payloadByteCount = Int(bytes[offset]) << 16 | Int(bytes[offset + 1]) << 8 | Int(bytes[offset + 2])
        self.type = FrameType(rawValue: bytes[offset + 3])
        self.flags = Flags(rawValue: bytes[offset + 4])
        self.stream = HTTP2StreamID(rawValue: bytes.uint32(at: offset + 5))
    }

    package func encode(into output: inout [UInt8]) {
        let length = UInt32(truncatingIfNeeded: self.payloadByteCount)
        output.append(UInt8(truncatingIfNeeded: length >> 16))
        output.append(UInt8(truncatingIfNeeded: length >> 8))
        output.append(UInt8(truncatingIfNeeded: length))
        output.append(self.type.rawValue)
        output.append(self.flags.rawValue)
        output.append(bigEndian: self.stream.rawValue)
    }
}

extension ByteView {
    @inline(__always)
    func uint32(at offset: Int) -> UInt32 {
        UInt32(self[offset]) << 24 | UInt32(self[offset + 1]) << 16 | UInt32(self[offset + 2]) << 8
            | UInt32(self[offset + 3])
    }
}

extension [UInt8] {
    mutating func append(bigEndian value: UInt32) {
        self.append(UInt8(truncatingIfNeeded: value >> 24))
        self.append(UInt8(truncatingIfNeeded: value >> 16))
        self.append(UInt8(truncatingIfNeeded: value >> 8))
        self.append(UInt8(truncatingIfNeeded: value))
    }
}
