// SPDX-License-Identifier: Apache-2.0

/// Which wrapping surrounds deflated data.
///
/// - SeeAlso: RFC 1951 for ``raw``, RFC 1950 for ``zlib``, RFC 1952 for ``gzip``.
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
