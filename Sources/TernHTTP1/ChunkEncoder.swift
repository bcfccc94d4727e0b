// SPDX-License-Identifier: Apache-2.0

/// Frames the body of a request whose length is not known beforehand (RFC 9112 §7.1).
///
/// A chunk is its header, its data and ``dataTerminator``; ``lastChunk`` follows the last of them.
public enum ChunkEncoder: Sendable {
    /// How many bytes ``encodeHeader(byteCount:into:)`` may write at most: 16 digits and CRLF.
    public static let maximumHeaderByteCount = 18

    /// What follows the data of each chunk: CRLF.
    public static let dataTerminator: [UInt8] = [0x0D, 0x0A]

    /// What ends the body: a chunk of size zero and an empty trailer section.
    public static let lastChunk: [UInt8] = [0x30, 0x0D, 0x0A, 0x0D, 0x0A]

    /// Appends the line before the data of a chunk.
    ///
    /// - Parameters:
    ///   - byteCount: the size of the data in bytes, more than 0, for a size of 0 would end the body.
    ///   - output: where to write; must have room for ``maximumHeaderByteCount`` bytes.
    public static func encodeHeader(byteCount: Int, into output: inout OutputRawSpan) {
        precondition(byteCount > 0, "a chunk of size 0 ends the body")
        output.withUnsafeMutableBytes { buffer, initializedByteCount in
            var writer = ByteWriter(buffer, position: initializedByteCount)
            writer.write(hexadecimal: byteCount)
            writer.write("\r\n")
            initializedByteCount = writer.position
        }
    }
}
