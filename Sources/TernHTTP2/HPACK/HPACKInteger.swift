// SPDX-License-Identifier: Apache-2.0
@_spi(CrossModuleInlining) import TernFields

/// The integers of HPACK: the lowest bits of the first byte, and 7 bits of each further byte (RFC 7541 §5.1).
enum HPACKInteger {
    /// The largest integer that the decoder accepts, so that a sum of two fits in an `Int` on every platform.
    static let largest = Int(Int32.max) / 2
    /// The largest number of further bytes; without this limit, a server could append zeros without end.
    static let maximumContinuationByteCount = 5

    @inline(__always)
    static func decode(_ bytes: ByteView, _ offset: inout Int, prefixBitCount: Int) throws(HTTP2Violation) -> Int {
        guard offset < bytes.count else { throw .truncatedFieldBlock }
        let mask = 1 << prefixBitCount - 1
        let value = Int(bytes[offset]) & mask
        offset += 1
        return value < mask ? value : try Self.decodeRest(bytes, &offset, value)
    }

    private static func decodeRest(_ bytes: ByteView, _ offset: inout Int, _ prefix: Int) throws(HTTP2Violation) -> Int
    {
        var value = UInt64(prefix)
        for position in 0..<Self.maximumContinuationByteCount {
            guard offset < bytes.count else { throw .truncatedFieldBlock }
            let byte = bytes[offset]
            offset += 1
            value += UInt64(byte & 0x7F) << UInt64(7 * position)
            guard byte & 0x80 != 0 else {
                // "Integer encodings that exceed implementation limits […] MUST be treated as decoding errors."
                guard value <= UInt64(Self.largest) else { throw .integerTooLarge }
                return Int(value)
            }
        }
        throw .integerTooLarge
    }

    /// Appends an integer; `pattern` contains the upper bits of the first byte.
    @inline(__always)
    static func encode(_ value: Int, prefixBitCount: Int, pattern: UInt8, into output: inout [UInt8]) {
        let mask = 1 << prefixBitCount - 1
        guard value >= mask else { return output.append(pattern | UInt8(truncatingIfNeeded: value)) }
        output.append(pattern | UInt8(truncatingIfNeeded: mask))
        var rest = value - mask
        while rest >= 0x80 {
            output.append(UInt8(truncatingIfNeeded: rest & 0x7F | 0x80))
            rest >>= 7
        }
        output.append(UInt8(truncatingIfNeeded: rest))
    }
}
