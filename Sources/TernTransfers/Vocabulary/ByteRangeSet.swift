// SPDX-License-Identifier: Apache-2.0

/// A set of byte positions in a file, as sorted ranges that neither overlap nor touch; no position is negative, so no sum of
/// lengths can overflow.
package struct ByteRangeSet: Hashable, Sendable {
    package private(set) var ranges: [Range<Int64>] = []

    package init() {}

    package init(_ range: Range<Int64>) { self.insert(range) }

    /// Returns `nil` if the ranges are not in the form of ``ranges``.
    package init?(normalized ranges: [Range<Int64>]) {
        guard ranges.allSatisfy({ !$0.isEmpty && $0.lowerBound >= 0 }),
            zip(ranges, ranges.dropFirst()).allSatisfy({ $0.upperBound < $1.lowerBound })
        else { return nil }
        self.ranges = ranges
    }

    package var isEmpty: Bool { self.ranges.isEmpty }

    package var byteCount: Int64 { self.ranges.reduce(0) { $0 + ($1.upperBound - $1.lowerBound) } }

    /// The number of positions from 0 to the first missing one.
    package var prefixByteCount: Int64 {
        guard let first = self.ranges.first, first.lowerBound == 0 else { return 0 }
        return first.upperBound
    }

    package var end: Int64 { self.ranges.last?.upperBound ?? 0 }

    // MARK: Adding

    /// Adds the positions of a range that are not negative, in O(1) if the range continues the last one.
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

    /// Ignores positions from `Int64.max` on, so that a number from a server cannot cause an overflow.
    package mutating func insert(at offset: Int64, byteCount: Int64) {
        guard byteCount > 0 else { return }
        let (end, overflows) = offset.addingReportingOverflow(byteCount)
        self.insert(offset..<(overflows ? Int64.max : end))
    }

    package mutating func formUnion(_ other: ByteRangeSet) {
        for range in other.ranges { self.insert(range) }
    }

    // MARK: Asking

    /// Returns whether the set has all positions of a range, in O(log *n*) of the number of ranges.
    package func contains(_ range: Range<Int64>) -> Bool {
        guard !range.isEmpty else { return true }
        var (low, high) = (0, self.ranges.count)
        while low < high {
            let middle = (low + high) / 2
            if self.ranges[middle].upperBound < range.upperBound { low = middle + 1 } else { high = middle }
        }
        return low < self.ranges.count && self.ranges[low].lowerBound <= range.lowerBound
    }

    package func contains(_ other: ByteRangeSet) -> Bool { other.ranges.allSatisfy { self.contains($0) } }

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

    package func keepingLongest(_ count: Int) -> ByteRangeSet {
        guard self.ranges.count > count else { return self }
        var set = ByteRangeSet()
        set.ranges = self.ranges.sorted { $0.upperBound - $0.lowerBound > $1.upperBound - $1.lowerBound }
            .prefix(max(0, count)).sorted { $0.lowerBound < $1.lowerBound }
        return set
    }
}
