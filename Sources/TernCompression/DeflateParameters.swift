// SPDX-License-Identifier: Apache-2.0

internal import CZlib

/// The parameters of a compressor, which are checked when a ``Deflater`` is created.
public struct DeflateParameters: Hashable, Sendable {
    /// The kind of data to expect, which affects the size and the time, but not the correctness.
    public enum Strategy: Hashable, Sendable {
        /// Any data.
        case standard
        /// Mostly small values that look random, such as the output of a PNG filter.
        case filtered
        /// Data without repetitions: the compressor searches for none.
        case huffmanOnly
        /// Data with runs of equal bytes: the compressor searches for no other repetitions.
        case runLength
        /// Any data: the only Huffman codes are the fixed ones of RFC 1951 §3.2.6, which need no table in the output.
        case fixed

        var code: CInt {
            switch self {
            case .standard: Z_DEFAULT_STRATEGY
            case .filtered: Z_FILTERED
            case .huffmanOnly: Z_HUFFMAN_ONLY
            case .runLength: Z_RLE
            case .fixed: Z_FIXED
            }
        }
    }

    package var level: Int
    package var windowBits: Int
    package var memoryLevel: Int
    package var strategy: Strategy

    /// Creates parameters, by default those of zlib.
    ///
    /// - Parameters:
    ///   - level: The compression level: 0 for no compression, or from 1 (fast) to 9 (small output). Above 6, the time may
    ///     grow a lot for an output that is only a little smaller.
    ///   - windowBits: The base-2 logarithm of the window in bytes, in 9...15; 15 is the largest window of the format (RFC 1951).
    ///     A peer can ask for 8 (RFC 7692), which is out of range, because zlib does not support it for raw data.
    ///   - memoryLevel: The amount of memory for the compressor's tables, in 1...9; less memory can mean less speed and a larger
    ///     output.
    ///   - strategy: The kind of data to expect.
    public init(level: Int = 6, windowBits: Int = 15, memoryLevel: Int = 8, strategy: Strategy = .standard) {
        (self.level, self.windowBits, self.memoryLevel, self.strategy) = (level, windowBits, memoryLevel, strategy)
    }

    /// The approximate number of bytes of memory that a compressor with these parameters allocates; 264 KiB with the defaults.
    public var memoryByteCount: Int {
        (1 << (self.windowBits + 2)) + (1 << (self.memoryLevel + 9)) + ZlibStream.stateByteCount
    }

    /// Throws the error for the first parameter that is out of range.
    package func validate() throws(CompressionError) {
        guard 0...9 ~= self.level else { throw .levelOutOfRange(self.level) }
        guard 9...15 ~= self.windowBits else { throw .windowBitsOutOfRange(self.windowBits) }
        guard 1...9 ~= self.memoryLevel else { throw .memoryLevelOutOfRange(self.memoryLevel) }
    }
}

/// The header and the check value around deflated data.
@nonexhaustive
public enum CompressionFormat: Hashable, Sendable {
    /// No header and no check value (RFC 1951), as in `permessage-deflate` (RFC 7692).
    case raw
    /// A header of two bytes and an Adler-32 check value (RFC 1950), which HTTP names `deflate`.
    case zlib
    /// A header of at least ten bytes, a CRC-32 check value and the length (RFC 1952), which HTTP names `gzip`.
    case gzip

    /// Returns zlib's `windowBits` argument, which encodes the size of the window and the format in one number.
    func windowArgument(_ windowBits: Int) -> CInt {
        switch self {
        case .raw: -CInt(windowBits)
        case .zlib: CInt(windowBits)
        case .gzip: CInt(windowBits) + 16
        }
    }
}
