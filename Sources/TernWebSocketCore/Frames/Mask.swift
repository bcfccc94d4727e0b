// SPDX-License-Identifier: Apache-2.0

/// Masks and unmasks payloads, which is the same operation (RFC 6455 §5.3).
///
/// The unsafe writes are safe: before them, a precondition, which release builds have, too, checks that all bytes have room.
package enum Mask: Sendable {
    /// Appends and masks bytes, after `offset` earlier bytes of the payload; traps if the span has too little room.
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
/// Every frame needs a new, unpredictable key, so that a web page cannot choose the bytes that a proxy sees (§10.3).
public struct MaskingKey: Hashable, Sendable {
    /// The four bytes as a number, whose most significant byte comes first on the wire.
    public var value: UInt32

    /// Creates a key from four bytes, the most significant first.
    public init(_ value: UInt32) { self.value = value }

    /// Returns 32 bits from a generator as a key; use an unpredictable one, such as `SystemRandomNumberGenerator`.
    public static func random(using generator: inout some RandomNumberGenerator) -> MaskingKey {
        MaskingKey(UInt32(truncatingIfNeeded: generator.next()))
    }

    func pattern(at offset: Int) -> UInt64 {
        // Byte i of the payload is masked with byte i MOD 4 of the key (RFC 6455 §5.3).
        let shift = UInt32(truncatingIfNeeded: offset & 3) &* 8
        let rotated = self.value &<< shift | (shift == 0 ? 0 : self.value &>> (32 &- shift))
        return (UInt64(rotated) &<< 32 | UInt64(rotated)).bigEndian
    }
}
