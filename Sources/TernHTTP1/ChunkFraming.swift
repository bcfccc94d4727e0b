// SPDX-License-Identifier: Apache-2.0

/// Counts the bytes of chunk framing beyond a reasonable allowance.
///
/// "A server ought to limit the total length of chunk extensions received in a request" (RFC 9112 §7.1.1). A client
/// ought to do the same for a response, because a limit for each line does not limit the whole body. The rule comes
/// from `net/http/internal/chunked.go` in Go: chunks of single bytes pass, but not long extensions with little data.
struct ChunkFraming: Sendable {
    /// The allowance for each chunk: its size in up to ten digits, and two line ends.
    private static let chunkAllowance = 16
    /// The allowance for each byte of data.
    private static let dataAllowance = 2
    /// A chunk this large outweighs any excess; a larger number would only overflow.
    private static let maximumSize: Int64 = 1 << 32

    private(set) var excessByteCount = 0

    /// Counts a chunk.
    ///
    /// - Parameters:
    ///   - lineByteCount: The length of the line before its data, including the line end.
    ///   - size: The size of the data.
    ///   - limit: The maximum excess.
    /// - Throws: ``HTTP1Violation/excessiveChunkFraming(limit:)``.
    mutating func add(lineByteCount: Int, size: Int64, limit: Int) throws(HTTP1Violation) {
        let allowance = Self.chunkAllowance + Self.dataAllowance * Int(min(size, Self.maximumSize))
        self.excessByteCount = max(0, self.excessByteCount + lineByteCount + 2 - allowance)
        guard self.excessByteCount <= limit else { throw .excessiveChunkFraming(limit: limit) }
    }

    /// Counts chunks in their shortest form, which stay below the allowance.
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
