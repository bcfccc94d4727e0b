// SPDX-License-Identifier: Apache-2.0

/// How many bytes of a chunked body are framing beyond what its chunks account for.
///
/// "A server ought to limit the total length of chunk extensions received in a request" (RFC 9112 §7.1.1), and a client
/// that of a response: a limit for each line alone bounds no body. The rule is that of `net/http/internal/chunked.go` in
/// Go: chunks of single bytes pass, and long extensions beside little data do not.
struct ChunkFraming: Sendable {
    /// What each chunk may take: its size in up to ten digits, and two line ends.
    private static let chunkAllowance = 16
    /// What each byte of data accounts for.
    private static let dataAllowance = 2
    /// A chunk this large outweighs any excess; more would only overflow.
    private static let maximumSize: Int64 = 1 << 32

    private(set) var excessByteCount = 0

    /// Counts a chunk.
    ///
    /// - Parameters:
    ///   - lineByteCount: how long the line before its data is, line end included.
    ///   - size: how much data follows.
    ///   - limit: how large the excess may become.
    /// - Throws: ``HTTP1Violation/excessiveChunkFraming(limit:)``.
    mutating func add(lineByteCount: Int, size: Int64, limit: Int) throws(HTTP1Violation) {
        let allowance = Self.chunkAllowance + Self.dataAllowance * Int(min(size, Self.maximumSize))
        self.excessByteCount = max(0, self.excessByteCount + lineByteCount + 2 - allowance)
        guard self.excessByteCount <= limit else { throw .excessiveChunkFraming(limit: limit) }
    }

    /// Counts chunks in their plainest form, which take less than they account for.
    ///
    /// - Parameters:
    ///   - count: how many chunks.
    ///   - lineByteCount: how long the lines before their data are together.
    ///   - dataByteCount: how much data they have together.
    mutating func addPlain(count: Int, lineByteCount: Int, dataByteCount: Int) {
        let allowance = Self.chunkAllowance * count + Self.dataAllowance * dataByteCount
        self.excessByteCount = max(0, self.excessByteCount + lineByteCount + 2 * count - allowance)
    }
}
