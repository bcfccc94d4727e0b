// SPDX-License-Identifier: Apache-2.0

/// A block of 64 bytes; each operation examines all of them at once.
///
/// The operations are loops and arithmetic that the compiler turns into vector instructions. Swift 6.3 does not do so
/// for a comparison of two SIMD vectors of bytes.
struct ByteBlock {
    /// The number of bytes in a block.
    static let byteCount = 64

    private let bytes: UnsafeRawPointer

    /// Refers to the 64 bytes at an address.
    @inline(__always)
    init(_ bytes: UnsafeRawPointer) { self.bytes = bytes }

    /// The bitwise OR of all words, in two words: the high bits of their bytes show whether any byte is above 127.
    @inline(__always)
    var union: SIMD2<UInt64> {
        let words = self.bytes.loadUnaligned(as: SIMD8<UInt64>.self)
        let half = words.lowHalf | words.highHalf
        return half.lowHalf | half.highHalf
    }

    /// Whether a byte is LF or CR.
    @inline(__always)
    var containsBreak: Bool {
        var breaks: UInt8 = 0
        for index in 0..<Self.byteCount {
            let byte = self.bytes.load(fromByteOffset: index, as: UInt8.self)
            breaks |= (byte == 0x0A ? 1 : 0) | (byte == 0x0D ? 1 : 0)
        }
        return breaks != 0
    }

    /// One bit for each byte, the lowest for the first byte: the bit is set if the byte is LF or CR.
    @inline(__always)
    var breaks: UInt64 {
        var bits: UInt64 = 0
        for index in 0..<8 { bits |= Self.breaks(of: self.word(index)) &>> UInt64(7 &- index) }
        // Bit i of byte j now describes byte j of word i. Transpose this matrix of bits: first in squares of two by two
        // bits, then of four by four, then of eight by eight.
        var exchanged = (bits ^ (bits &>> 7)) & 0x00AA_00AA_00AA_00AA
        bits ^= exchanged ^ (exchanged &<< 7)
        exchanged = (bits ^ (bits &>> 14)) & 0x0000_CCCC_0000_CCCC
        bits ^= exchanged ^ (exchanged &<< 14)
        exchanged = (bits ^ (bits &>> 28)) & 0x0000_0000_F0F0_F0F0
        return bits ^ exchanged ^ (exchanged &<< 28)
    }

    /// Returns a word in which the high bit of each byte that is LF or CR in `word` is set, and no other bit.
    @inline(__always)
    private static func breaks(of word: UInt64) -> UInt64 {
        let low: UInt64 = 0x7F7F_7F7F_7F7F_7F7F
        let lineFeeds = word ^ 0x0A0A_0A0A_0A0A_0A0A
        let carriageReturns = word ^ 0x0D0D_0D0D_0D0D_0D0D
        // A byte is zero if its own high bit is clear, and adding 0x7F to its other bits does not set the high bit.
        let others = (((lineFeeds & low) &+ low) | lineFeeds) & (((carriageReturns & low) &+ low) | carriageReturns)
        return ~others & ~low
    }

    @inline(__always)
    private func word(_ index: Int) -> UInt64 {
        UInt64(littleEndian: self.bytes.loadUnaligned(fromByteOffset: 8 &* index, as: UInt64.self))
    }
}
