// SPDX-License-Identifier: Apache-2.0

/// A set of byte positions in a file, as sorted ranges that neither overlap nor touch.
///
/// Positions are never negative. So the ranges together have at most `Int64.max` bytes, and no sum of their lengths can
/// overflow.
package struct ByteRangeSet: Hashable, Sendable {
    /// The ranges, in ascending order.
    ///
    /// No range is empty, and at least one position is missing between two ranges.
    package private(set) var ranges: [Range<Int64>] = []

    /// Creates an empty set.
    package init() {}

    /// Creates a set from one range.
    package init(_ range: Range<Int64>) { self.insert(range) }

    /// Creates a set from ranges that are already in the form of ``ranges``.
    ///
    /// - Parameter ranges: The ranges. The result is `nil` if a range is empty or begins at a negative position, or if
    ///   the ranges are not in ascending order, overlap or touch.
    package init?(normalized ranges: [Range<Int64>]) {
        guard ranges.allSatisfy({ !$0.isEmpty && $0.lowerBound >= 0 }),
            zip(ranges, ranges.dropFirst()).allSatisfy({ $0.upperBound < $1.lowerBound })
        else { return nil }
        self.ranges = ranges
    }

    /// Whether the set has no positions.
    package var isEmpty: Bool { self.ranges.isEmpty }

    /// The number of positions in the set.
    package var byteCount: Int64 { self.ranges.reduce(0) { $0 + ($1.upperBound - $1.lowerBound) } }

    /// The number of positions from 0 to the first missing one.
    package var prefixByteCount: Int64 {
        guard let first = self.ranges.first, first.lowerBound == 0 else { return 0 }
        return first.upperBound
    }

    /// The position after the last one in the set; 0 for an empty set.
    package var end: Int64 { self.ranges.last?.upperBound ?? 0 }

    // MARK: Adding

    /// Adds the positions of a range.
    ///
    /// Ignores negative positions, which no file has.
    ///
    /// - Complexity: O(*n*) in the number of ranges; O(1) for a range that continues the last one.
    package mutating func insert(_ range: Range<Int64>) {
        guard range.upperBound > 0, !range.isEmpty else { return }
        var merged = max(0, range.lowerBound)..<range.upperBound
        if let last = self.ranges.last, last.lowerBound <= merged.lowerBound, merged.lowerBound <= last.upperBound {
            self.ranges[self.ranges.count - 1] = last.lowerBound..<max(last.upperBound, merged.upperBound)
            return
        }
        let start = self.ranges.firstIndex { $0.upperBound >= merged.lowerBound } ?? self.ranges.endIndex
        let stop = self.ranges[start...].firstIndex { $0.lowerBound > merged.upperBound } ?? self.ranges.endIndex
        for other in self.ranges[start..<stop] {
            merged = min(merged.lowerBound, other.lowerBound)..<max(merged.upperBound, other.upperBound)
        }
        self.ranges.replaceSubrange(start..<stop, with: CollectionOfOne(merged))
    }

    /// Adds a number of positions from an offset.
    ///
    /// Ignores positions from `Int64.max` on, so that a number from a server cannot cause an overflow. Ignores negative
    /// positions, and a negative number.
    ///
    /// - Parameters:
    ///   - offset: The first position.
    ///   - byteCount: The number of positions.
    package mutating func insert(at offset: Int64, byteCount: Int64) {
        guard byteCount > 0 else { return }
        let (end, overflows) = offset.addingReportingOverflow(byteCount)
        self.insert(offset..<(overflows ? Int64.max : end))
    }

    /// Adds the positions of another set.
    package mutating func formUnion(_ other: ByteRangeSet) {
        for range in other.ranges { self.insert(range) }
    }

    // MARK: Asking

    /// Returns whether the set has all positions of a range.
    ///
    /// An empty range has no positions, so every set contains it.
    ///
    /// - Complexity: O(log *n*) in the number of ranges.
    package func contains(_ range: Range<Int64>) -> Bool {
        guard !range.isEmpty else { return true }
        var (low, high) = (0, self.ranges.count)
        while low < high {
            let middle = (low + high) / 2
            if self.ranges[middle].upperBound < range.upperBound { low = middle + 1 } else { high = middle }
        }
        return low < self.ranges.count && self.ranges[low].lowerBound <= range.lowerBound
    }

    /// Returns whether the set has all positions of another set.
    package func contains(_ other: ByteRangeSet) -> Bool { other.ranges.allSatisfy { self.contains($0) } }

    /// Returns the positions of a range that the set does not have.
    ///
    /// - Parameter range: The range to search.
    /// - Returns: The missing ranges, in ascending order; empty if the set contains the range.
    package func gaps(in range: Range<Int64>) -> [Range<Int64>] {
        var gaps: [Range<Int64>] = []
        var position = range.lowerBound
        for known in self.ranges where known.upperBound > position {
            guard known.lowerBound < range.upperBound else { break }
            if known.lowerBound > position { gaps.append(position..<known.lowerBound) }
            position = known.upperBound
        }
        if position < range.upperBound { gaps.append(position..<range.upperBound) }
        return gaps
    }

    /// Returns the longest ranges of the set, as many as a limit allows.
    ///
    /// - Parameter count: The maximum number of ranges.
    /// - Returns: A set of these ranges; the set itself if it has no more ranges than the maximum.
    package func keepingLongest(_ count: Int) -> ByteRangeSet {
        guard self.ranges.count > count else { return self }
        var set = ByteRangeSet()
        set.ranges = self.ranges.sorted { $0.upperBound - $0.lowerBound > $1.upperBound - $1.lowerBound }
            .prefix(max(0, count)).sorted { $0.lowerBound < $1.lowerBound }
        return set
    }
}
