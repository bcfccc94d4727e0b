// SPDX-License-Identifier: Apache-2.0
package import HTTPTypes
@_spi(CrossModuleInlining) import TernFields

/// Frames a request body whose head does not state its length (RFC 9112 §7.1).
///
/// A chunk is its header, its data and ``dataTerminator``. After all chunks with data, ``lastChunk`` ends a body without trailers.
public enum ChunkEncoder: Sendable {
    /// The maximum number of bytes that ``encodeHeader(byteCount:into:)`` writes: 16 digits and CRLF.
    public static let maximumHeaderByteCount = 18

    /// The bytes after the data of each chunk: CRLF.
    public static let dataTerminator: [UInt8] = [0x0D, 0x0A]

    /// The end of the body: a chunk of size zero and an empty trailer section.
    public static let lastChunk: [UInt8] = [0x30, 0x0D, 0x0A, 0x0D, 0x0A]

    /// Returns a chunk of size zero and the trailers (RFC 9112 §7.1.2), except those that are not allowed (RFC 9110 §6.5.1).
    package static func lastChunk(with trailers: HTTPFields) -> [UInt8] {
        var bytes: [UInt8] = [0x30, 0x0D, 0x0A]
        for field in trailers where field.name.isAllowedInTrailers {
            bytes += field.name.rawName.utf8
            bytes += ": ".utf8
            field.withUnsafeBytesOfValue { bytes += $0 }
            bytes += "\r\n".utf8
        }
        bytes += "\r\n".utf8
        return bytes
    }

    /// Appends the line before the data of a chunk.
    ///
    /// - Parameters:
    ///   - byteCount: The size of the data in bytes, more than 0, because a size of 0 would end the body.
    ///   - output: The span to write to; room for ``maximumHeaderByteCount`` bytes is enough.
    public static func encodeHeader(byteCount: Int, into output: inout OutputRawSpan) {
        precondition(byteCount > 0, "a chunk must have data, because a chunk of size 0 ends the body")
        output.withUnsafeMutableBytes { buffer, initializedByteCount in
            var writer = ByteWriter(buffer, position: initializedByteCount)
            writer.write(hexadecimal: byteCount)
            writer.write("\r\n")
            initializedByteCount = writer.position
        }
    }
}

enum ChunkLine {
    /// Reads the size of a chunk from its line, and skips extensions (§7.1.1) and blanks, with which old servers pad the size.
    static func size(_ bytes: ByteView, from start: Int, lineFeed: Int) throws(HTTP1Violation) -> Int64 {
        guard lineFeed > start, bytes[lineFeed - 1] == UInt8(ascii: "\r") else { throw .bareLineFeed }
        let end = lineFeed - 1
        var (size, offset): (UInt64, Int) = (0, start)
        while offset < end, let digit = Self.hexadecimalDigit(bytes[offset]) {
            // "Recipients MUST anticipate potentially large hexadecimal numerals and prevent … overflows."
            guard offset - start < 16 else { throw .chunkSizeTooLarge }
            size = size << 4 | digit
            offset += 1
        }
        let textEnd = bytes.endOfText(from: offset, to: end)
        if textEnd < end, bytes[textEnd] == UInt8(ascii: "\r") { throw .bareCarriageReturn }
        guard offset > start else { throw .invalidChunkSize }
        guard size <= UInt64(Int64.max) else { throw .chunkSizeTooLarge }
        if offset < end {
            let rest = bytes.trimmed(offset..<end)
            guard rest.isEmpty || bytes[rest.lowerBound] == UInt8(ascii: ";") || rest.lowerBound > offset else {
                throw .invalidChunkSize
            }
            guard rest.isEmpty || bytes[rest.lowerBound] == UInt8(ascii: ";"), textEnd == end else {
                throw .invalidChunkExtension
            }
        }
        return Int64(size)
    }

    @inline(__always)
    static func hexadecimalDigit(_ byte: UInt8) -> UInt64? {
        switch byte {
        case UInt8(ascii: "0")...UInt8(ascii: "9"): UInt64(byte - UInt8(ascii: "0"))
        case UInt8(ascii: "a")...UInt8(ascii: "f"): UInt64(byte - UInt8(ascii: "a") + 10)
        case UInt8(ascii: "A")...UInt8(ascii: "F"): UInt64(byte - UInt8(ascii: "A") + 10)
        default: nil
        }
    }
}
