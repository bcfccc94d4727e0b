// SPDX-License-Identifier: Apache-2.0

internal import CZlib

/// The parameters of a compressor.
///
/// Creating a ``Deflater`` checks the values.
public struct DeflateParameters: Hashable, Sendable {
    /// The kind of data to expect.
    ///
    /// The strategy affects the size of the result and the time. The result is correct with every strategy.
    ///
    /// This enumeration is closed: zlib has only these strategies.
    public enum Strategy: Hashable, Sendable {
        /// Any data.
        case standard
        /// Small values that look random, such as the output of a PNG filter.
        case filtered
        /// Data without repetitions: the compressor only uses Huffman codes.
        case huffmanOnly
        /// Data with runs of equal bytes: the compressor searches for no other repetitions.
        case runLength
        /// Data to compress with the fixed Huffman codes of RFC 1951 §3.2.6, which need no table in the output.
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

    /// The compression level: 0 stores the data without compression, 1 is the fastest level, and 9 gives the smallest
    /// output.
    ///
    /// Defaults to 6, like zlib. Above 6, the time grows a lot, and the output becomes only a little smaller.
    public var level: Int
    /// The base-2 logarithm of the window in bytes, in 9...15.
    ///
    /// The compressor searches the window for repetitions.
    ///
    /// Defaults to 15, the largest value in RFC 1951, which every decompressor must support. A peer can ask for 8 (RFC
    /// 7692), which zlib does not support for raw data.
    public var windowBits: Int
    /// The amount of memory for the compressor's tables, in 1...9.
    ///
    /// With less memory, compression is slower, and the output is larger.
    ///
    /// Defaults to 8, like zlib.
    public var memoryLevel: Int
    /// The kind of data to expect.
    public var strategy: Strategy

    /// Creates parameters.
    ///
    /// The defaults are the values of zlib.
    ///
    /// - Parameters:
    ///   - level: The compression level, in 0...9. Defaults to 6.
    ///   - windowBits: The base-2 logarithm of the window in bytes, in 9...15. Defaults to 15.
    ///   - memoryLevel: The amount of memory for tables, in 1...9. Defaults to 8.
    ///   - strategy: The kind of data to expect. Defaults to `.standard`, any data.
    public init(level: Int = 6, windowBits: Int = 15, memoryLevel: Int = 8, strategy: Strategy = .standard) {
        (self.level, self.windowBits, self.memoryLevel, self.strategy) = (level, windowBits, memoryLevel, strategy)
    }

    /// The number of bytes of memory that a compressor with these parameters allocates when it is created.
    ///
    /// The number is 264 KiB with the defaults. The formula is from zlib's manual. Other builds of zlib may differ a
    /// little. The number has a meaning only if the parameters are valid.
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

/// The header and the check value around deflated data.
///
/// - SeeAlso: RFC 1951 for ``raw``, RFC 1950 for ``zlib``, RFC 1952 for ``gzip``.
@nonexhaustive
public enum CompressionFormat: Hashable, Sendable {
    /// No header and no check value, as in `permessage-deflate` (RFC 7692).
    case raw
    /// A header of two bytes before the data, and an Adler-32 check value after the data. HTTP names this content
    /// coding `deflate`.
    case zlib
    /// A header of at least ten bytes before the data, and a CRC-32 check value and the length after the data. HTTP
    /// names this content coding `gzip`.
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
