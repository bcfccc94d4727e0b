// SPDX-License-Identifier: Apache-2.0

/// Masks and unmasks payloads.
///
/// Masking and unmasking are the same operation (RFC 6455 §5.3).
///
/// All unsafe writes of this module happen here, except those of zlib. These writes are safe: before the loops, a
/// precondition checks, in release builds too, that the output has room for all bytes of the input. Each loop reads and
/// writes only at offsets below the number of these bytes.
package enum Mask: Sendable {
    /// Appends bytes and masks them.
    ///
    /// - Parameters:
    ///   - bytes: The bytes to mask.
    ///   - key: The key of the frame.
    ///   - offset: The number of bytes of the same payload that were masked before. Defaults to 0.
    ///   - output: The span to write to. Traps if the span has too little room for `bytes`.
    package static func append(
        _ bytes: RawSpan,
        _ key: MaskingKey,
        at offset: Int = 0,
        to output: inout OutputRawSpan
    ) {
        let pattern = key.pattern(at: offset)
        output.withUnsafeMutableBytes { buffer, initializedByteCount in
            bytes.withUnsafeBytes { source in
                precondition(source.count <= buffer.count - initializedByteCount, "the output span is full")
                guard let from = source.baseAddress, let to = buffer.baseAddress else { return }
                Self.copy(from, to + initializedByteCount, source.count, pattern)
            }
            initializedByteCount += bytes.byteCount
        }
    }

    /// Masks and copies 32 bytes at a time, then 8, then 1.
    ///
    /// Source and target must not overlap.
    @inline(__always)
    private static func copy(
        _ source: UnsafeRawPointer,
        _ target: UnsafeMutableRawPointer,
        _ count: Int,
        _ pattern: UInt64
    ) {
        var offset = 0
        let wide = SIMD4<UInt64>(repeating: pattern)
        while offset + 32 <= count {
            let block = source.loadUnaligned(fromByteOffset: offset, as: SIMD4<UInt64>.self)
            target.storeBytes(of: block ^ wide, toByteOffset: offset, as: SIMD4<UInt64>.self)
            offset += 32
        }
        while offset + 8 <= count {
            let word = source.loadUnaligned(fromByteOffset: offset, as: UInt64.self)
            target.storeBytes(of: word ^ pattern, toByteOffset: offset, as: UInt64.self)
            offset += 8
        }
        var rest = pattern.littleEndian
        while offset < count {
            let byte = source.load(fromByteOffset: offset, as: UInt8.self)
            target.storeBytes(of: byte ^ UInt8(truncatingIfNeeded: rest), toByteOffset: offset, as: UInt8.self)
            rest &>>= 8
            offset += 1
        }
    }
}

/// The four bytes that mask the payload of one frame (RFC 6455 §5.3).
///
/// Every frame needs a new, unpredictable key, so that a web page cannot choose the bytes that a proxy sees (RFC 6455
/// §10.3).
public struct MaskingKey: Hashable, Sendable {
    /// The four bytes as a number.
    ///
    /// The most significant byte comes first on the wire.
    public var value: UInt32

    /// Creates a key.
    ///
    /// - Parameter value: The four bytes as a number. The most significant byte comes first on the wire.
    public init(_ value: UInt32) { self.value = value }

    /// Returns a key of 32 random bits.
    ///
    /// The generator must be unpredictable, such as `SystemRandomNumberGenerator`.
    public static func random(using generator: inout some RandomNumberGenerator) -> MaskingKey {
        MaskingKey(UInt32(truncatingIfNeeded: generator.next()))
    }

    /// Returns eight bytes that contain the key twice, to mask eight bytes of payload at a time.
    ///
    /// The key is rotated for a payload of which `offset` bytes are masked already.
    func pattern(at offset: Int) -> UInt64 {
        // Byte i of the payload is masked with byte i MOD 4 of the key (RFC 6455 §5.3).
        let shift = UInt32(truncatingIfNeeded: offset & 3) &* 8
        let rotated = self.value &<< shift | (shift == 0 ? 0 : self.value &>> (32 &- shift))
        return (UInt64(rotated) &<< 32 | UInt64(rotated)).bigEndian
    }
}
