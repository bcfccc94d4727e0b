// SPDX-License-Identifier: Apache-2.0

internal import CZlib

/// The parameters of a compressor.
///
/// The values are checked when a ``Deflater`` is created.
public struct DeflateParameters: Hashable, Sendable {
    /// The kind of data to expect.
    ///
    /// It affects how well the compressor works, and never whether the result is correct.
    ///
    /// This enumeration is closed: these are the strategies of zlib.
    public enum Strategy: Hashable, Sendable {
        /// Any data.
        case standard
        /// Small values that look random, such as the output of a PNG filter.
        case filtered
        /// No search for repetitions, only Huffman codes.
        case huffmanOnly
        /// Only a search for runs of one byte.
        case runLength
        /// Only the fixed codes of RFC 1951 §3.2.6, which need no table.
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

    /// The compression level, from 0 (store only) and 1 (fast) to 9 (small).
    ///
    /// Defaults to 6, like zlib: above it, time grows much faster than size shrinks.
    public var level: Int
    /// The base-2 logarithm of the window in bytes, in 9...15; the window is searched for repetitions.
    ///
    /// Defaults to 15, the largest value in RFC 1951, which every decompressor must support. RFC 7692 can ask for 8,
    /// which zlib does not support without a header.
    public var windowBits: Int
    /// The amount of memory for the compressor's tables, in 1...9.
    ///
    /// Less memory is slower and compresses worse.
    ///
    /// Defaults to 8, like zlib.
    public var memoryLevel: Int
    /// The kind of data to expect.
    public var strategy: Strategy

    /// Creates parameters; the defaults are those of zlib.
    ///
    /// - Parameters:
    ///   - level: The compression level, in 0...9. Defaults to 6.
    ///   - windowBits: The base-2 logarithm of the window in bytes, in 9...15. Defaults to 15.
    ///   - memoryLevel: The amount of memory for tables, in 1...9. Defaults to 8.
    ///   - strategy: The kind of data to expect. Defaults to `.standard`, any data.
    public init(level: Int = 6, windowBits: Int = 15, memoryLevel: Int = 8, strategy: Strategy = .standard) {
        (self.level, self.windowBits, self.memoryLevel, self.strategy) = (level, windowBits, memoryLevel, strategy)
    }

    /// The number of bytes of memory that a compressor with these parameters uses, from its creation to its end.
    ///
    /// It is a little over 264 KiB with the defaults. The formula is from zlib's manual; other builds of zlib may
    /// differ a little. The value is meaningful only for valid parameters.
    public var memoryByteCount: Int {
        (1 << (self.windowBits + 2)) + (1 << (self.memoryLevel + 9)) + ZlibStream.stateByteCount
    }

    /// Checks that all parameters are in range.
    ///
    /// - Throws: ``CompressionError`` for the parameter that is out of range.
    package func validate() throws(CompressionError) {
        guard 0...9 ~= self.level else { throw .levelOutOfRange(self.level) }
        guard 9...15 ~= self.windowBits else { throw .windowBitsOutOfRange(self.windowBits) }
        guard 1...9 ~= self.memoryLevel else { throw .memoryLevelOutOfRange(self.memoryLevel) }
    }
}

/// The format that wraps deflated data.
///
/// - SeeAlso: RFC 1951 for ``raw``, RFC 1950 for ``zlib``, RFC 1952 for ``gzip``.
@nonexhaustive
public enum CompressionFormat: Hashable, Sendable {
    /// No header and no check value, as in `permessage-deflate` (RFC 7692).
    case raw
    /// A header of two bytes before the data and an Adler-32 after it; the content coding `deflate`.
    case zlib
    /// A header of at least ten bytes before the data, and a CRC-32 and the length after it; the content coding `gzip`.
    case gzip

    /// Returns the argument with which zlib expects the window's size and the format, in one number.
    func windowArgument(_ windowBits: Int) -> CInt {
        switch self {
        case .raw: -CInt(windowBits)
        case .zlib: CInt(windowBits)
        case .gzip: CInt(windowBits) + 16
        }
    }
}
