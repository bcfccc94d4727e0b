// SPDX-License-Identifier: Apache-2.0

internal import CZlib

/// How hard and with how much memory to compress.
///
/// The values are checked when a ``Deflater`` is made.
public struct DeflateParameters: Hashable, Sendable {
    /// What kind of data the compressor should expect; changes how well it works, never whether it is right.
    ///
    /// Closed: these are the strategies of zlib.
    public enum Strategy: Hashable, Sendable {
        /// Any data.
        case standard
        /// Small values that look random, such as what a filter of PNG leaves.
        case filtered
        /// No search for repetition, only Huffman codes.
        case huffmanOnly
        /// Only runs of one byte are searched for.
        case runLength
        /// Only the codes that RFC 1951 §3.2.6 fixes, which need no table.
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

    /// How hard to try, from 0 (store only) and 1 (fast) to 9 (small).
    ///
    /// The default, 6, is that of zlib: from there on time grows much faster than size shrinks.
    public var level: Int
    /// The base-2 logarithm of how many bytes are searched for repetition, in 9...15.
    ///
    /// The default, 15, is the largest that RFC 1951 knows and the one that every decompressor must support. RFC 7692
    /// can ask for 8, which zlib cannot do without a header.
    public var windowBits: Int
    /// How much memory the tables of the compressor take, in 1...9; less is slower and compresses worse.
    ///
    /// The default, 8, is that of zlib.
    public var memoryLevel: Int
    /// What kind of data to expect.
    public var strategy: Strategy

    /// Creates parameters; the defaults are those of zlib.
    ///
    /// - Parameters:
    ///   - level: how hard to try, in 0...9; 6 unless told.
    ///   - windowBits: the base-2 logarithm of the window in bytes, in 9...15; 15 unless told.
    ///   - memoryLevel: how much memory to take, in 1...9; 8 unless told.
    ///   - strategy: what kind of data to expect; any unless told.
    public init(level: Int = 6, windowBits: Int = 15, memoryLevel: Int = 8, strategy: Strategy = .standard) {
        (self.level, self.windowBits, self.memoryLevel, self.strategy) = (level, windowBits, memoryLevel, strategy)
    }

    /// How many bytes of memory a compressor with these parameters holds, from its making to its end.
    ///
    /// 264 KiB and some with the defaults. The sum is that of zlib's manual; other builds of zlib may differ a little.
    /// Only meaningful for parameters that are in range.
    public var memoryByteCount: Int {
        (1 << (self.windowBits + 2)) + (1 << (self.memoryLevel + 9)) + ZlibStream.stateByteCount
    }

    /// Checks that all is in range.
    ///
    /// - Throws: what is out of range.
    package func validate() throws(CompressionError) {
        guard 0...9 ~= self.level else { throw .levelOutOfRange(self.level) }
        guard 9...15 ~= self.windowBits else { throw .windowBitsOutOfRange(self.windowBits) }
        guard 1...9 ~= self.memoryLevel else { throw .memoryLevelOutOfRange(self.memoryLevel) }
    }
}

/// Which wrapping surrounds deflated data.
///
/// - SeeAlso: RFC 1951 for ``raw``, RFC 1950 for ``zlib``, RFC 1952 for ``gzip``.
@nonexhaustive
public enum CompressionFormat: Hashable, Sendable {
    /// Nothing: no header and no check value, as in `permessage-deflate` (RFC 7692).
    case raw
    /// A header of two bytes and an Adler-32 behind the data; the content coding `deflate`.
    case zlib
    /// A header of ten bytes or more, and a CRC-32 and the length behind the data; the content coding `gzip`.
    case gzip

    /// How zlib wants the window's size and the wrapping to be told, in one number.
    func windowArgument(_ windowBits: Int) -> CInt {
        switch self {
        case .raw: -CInt(windowBits)
        case .zlib: CInt(windowBits)
        case .gzip: CInt(windowBits) + 16
        }
    }
}
