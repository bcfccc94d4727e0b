// SPDX-License-Identifier: Apache-2.0

/// Counts the bytes of chunk framing beyond an allowance, because a limit for each line does not limit the whole body.
///
/// "A server ought to limit the total length of chunk extensions received in a request" (RFC 9112 §7.1.1). As in Go, chunks of
/// single bytes are accepted, and long extensions with little data are not.
struct ChunkFraming: Sendable {
    /// The allowance for each chunk, in bytes: enough for a size of up to twelve digits, and two line ends.
    private static let chunkAllowance = 16
    private static let dataAllowance = 2
    /// The maximum size of a chunk's data that counts toward the allowance, so that the product cannot overflow.
    private static let maximumSize: Int64 = 1 << 32

    private(set) var excessByteCount = 0

    mutating func add(lineByteCount: Int, size: Int64, limit: Int) throws(HTTP1Violation) {
        let allowance = Self.chunkAllowance + Self.dataAllowance * Int(min(size, Self.maximumSize))
        self.excessByteCount = max(0, self.excessByteCount + lineByteCount + 2 - allowance)
        guard self.excessByteCount <= limit else { throw .excessiveChunkFraming(limit: limit) }
    }

    /// Counts chunks in their shortest form, whose framing always stays below the allowance.
    mutating func addPlain(count: Int, lineByteCount: Int, dataByteCount: Int) {
        let allowance = Self.chunkAllowance * count + Self.dataAllowance * dataByteCount
        self.excessByteCount = max(0, self.excessByteCount + lineByteCount + 2 * count - allowance)
    }
}
