// SPDX-License-Identifier: Apache-2.0

/// Counts the bytes of chunk framing beyond a reasonable allowance.
///
/// "A server ought to limit the total length of chunk extensions received in a request" (RFC 9112 §7.1.1). A client
/// ought to do the same for a response, because a limit for each line does not limit the whole body. The rule comes
/// from `net/http/internal/chunked.go` in Go. It accepts chunks of single bytes, and rejects long extensions with
/// little data.
struct ChunkFraming: Sendable {
    /// The allowance for each chunk, in bytes: enough for a size of up to twelve digits, and two line ends.
    private static let chunkAllowance = 16
    /// The allowance for each byte of data, in bytes.
    private static let dataAllowance = 2
    /// The maximum size of a chunk's data that counts toward the allowance.
    ///
    /// Data of this size makes up for any excess, and multiplying a larger number could overflow.
    private static let maximumSize: Int64 = 1 << 32

    private(set) var excessByteCount = 0

    /// Counts a chunk.
    ///
    /// - Parameters:
    ///   - lineByteCount: The length of the line before the chunk's data, including the line end.
    ///   - size: The size of the chunk's data, in bytes.
    ///   - limit: The maximum number of bytes beyond the allowance.
    /// - Throws: ``HTTP1Violation/excessiveChunkFraming(limit:)``.
    mutating func add(lineByteCount: Int, size: Int64, limit: Int) throws(HTTP1Violation) {
        let allowance = Self.chunkAllowance + Self.dataAllowance * Int(min(size, Self.maximumSize))
        self.excessByteCount = max(0, self.excessByteCount + lineByteCount + 2 - allowance)
        guard self.excessByteCount <= limit else { throw .excessiveChunkFraming(limit: limit) }
    }

    /// Counts chunks in their shortest form.
    ///
    /// Their framing always stays below the allowance.
    ///
    /// - Parameters:
    ///   - count: The number of chunks.
    ///   - lineByteCount: The total length of the lines before their data.
    ///   - dataByteCount: The total size of their data.
    mutating func addPlain(count: Int, lineByteCount: Int, dataByteCount: Int) {
        let allowance = Self.chunkAllowance * count + Self.dataAllowance * dataByteCount
        self.excessByteCount = max(0, self.excessByteCount + lineByteCount + 2 * count - allowance)
    }
}
