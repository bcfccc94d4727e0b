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

    /// Returns the next range to request.
    ///
    /// A range never goes beyond its gap, so it may be shorter than the minimum.
    ///
    /// - Parameters:
    ///   - gaps: The ranges that are missing and that no worker has requested, in ascending order.
    ///   - workerCount: The number of workers.
    /// - Returns: The beginning of the first gap; `nil` if there is none.
    func next(in gaps: [Range<Int64>], for workerCount: Int) -> Range<Int64>? {
        guard let first = gaps.first else { return nil }
        let missingByteCount = gaps.reduce(0) { $0 + ($1.upperBound - $1.lowerBound) }
        // Half of an equal share, so that the next ranges are shorter.
        let byteCount = min(max(missingByteCount / Int64(2 * workerCount), self.minimum), self.maximum)
        return first.lowerBound..<min(first.lowerBound + byteCount, first.upperBound)
    }
}
