// SPDX-License-Identifier: Apache-2.0

/// The lengths of the ranges that a download with several requests asks for.
///
/// A long range costs fewer requests, and each request costs a round trip. But at the end of a download, all workers
/// but one wait for the slowest. So a range is a share of what is missing: long at first, and shorter towards the end
/// (guided self-scheduling, Polychronopoulos and Kuck 1987).
package struct PieceLength: Hashable, Sendable {
    /// The minimum number of bytes of a range; the last one before bytes that are in the file may be shorter.
    package let minimum: Int64
    /// The maximum number of bytes of a range.
    package let maximum: Int64

    /// Creates limits.
    ///
    /// - Parameters:
    ///   - minimum: The minimum number of bytes, at least 1. Defaults to 1 MiB, which takes several round trips on most
    ///     lines.
    ///   - maximum: The maximum number of bytes, at least `minimum`. Defaults to 16 MiB.
    package init(minimum: Int64 = 1 << 20, maximum: Int64 = 16 << 20) {
        self.minimum = max(1, minimum)
        self.maximum = max(self.minimum, maximum)
    }

    /// Returns the length of the next range.
    ///
    /// - Parameters:
    ///   - missingByteCount: The number of bytes that no worker has asked for.
    ///   - workerCount: The number of workers.
    /// - Returns: The number of bytes, which may be more than are missing.
    func byteCount(of missingByteCount: Int64, for workerCount: Int) -> Int64 {
        min(max(missingByteCount / Int64(2 * workerCount), self.minimum), self.maximum)
    }
}
