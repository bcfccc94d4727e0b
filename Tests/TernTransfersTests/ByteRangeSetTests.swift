// SPDX-License-Identifier: Apache-2.0
import TernTransfers
import TestSupport
import Testing

@Suite("ByteRangeSet")
struct ByteRangeSetTests {
    private static func set(_ ranges: Range<Int64>...) -> ByteRangeSet {
        var set = ByteRangeSet()
        for range in ranges { set.insert(range) }
        return set
    }

    @Test(
        "ranges that overlap or touch become one",
        arguments: [
            ([], []),
            ([0..<0], []),
            ([5..<9, 0..<3], [0..<3, 5..<9]),
            ([0..<3, 3..<5], [0..<5]),
            ([3..<5, 0..<3], [0..<5]),
            ([0..<3, 4..<5], [0..<3, 4..<5]),
            ([0..<9, 2..<3], [0..<9]),
            ([2..<3, 0..<9], [0..<9]),
            ([0..<2, 4..<6, 8..<10, 1..<9], [0..<10]),
            ([0..<2, 4..<6, 8..<10, 3..<7], [0..<2, 3..<7, 8..<10]),
            ([0..<2, 4..<6, 8..<10, 2..<4], [0..<6, 8..<10]),
            ([-5..<3], [0..<3]),
            ([-5..<0], []),
            ([Int64.min..<Int64.max], [0..<Int64.max]),
        ] as [([Range<Int64>], [Range<Int64>])]
    )
    func insert(_ ranges: [Range<Int64>], _ expected: [Range<Int64>]) {
        var set = ByteRangeSet()
        for range in ranges { set.insert(range) }
        #expect(set.ranges == expected)
        #expect(ByteRangeSet(normalized: set.ranges) == set)
    }

    @Test func `numbers that do not fit are cut off, and negative ones ignored`() {
        var set = ByteRangeSet()
        set.insert(at: .max - 10, byteCount: .max)
        #expect(set.ranges == [(.max - 10)..<(.max)])
        set.insert(at: 5, byteCount: -1)
        set.insert(at: 5, byteCount: 0)
        set.insert(at: .min, byteCount: 1)
        #expect(set.ranges == [(.max - 10)..<(.max)])
        set.insert(at: -2, byteCount: 4)
        #expect(set.ranges == [0..<2, (.max - 10)..<(.max)])
        #expect(Self.set(.min ..< .max).byteCount == .max)
    }

    @Test func `a set knows its bytes, its prefix and its end`() {
        let set = Self.set(0..<10, 20..<25)
        #expect((set.byteCount, set.prefixByteCount, set.end) == (15, 10, 25))
        let late = Self.set(1..<10)
        #expect((late.byteCount, late.prefixByteCount, late.end) == (9, 0, 10))
        #expect((ByteRangeSet().byteCount, ByteRangeSet().prefixByteCount, ByteRangeSet().end) == (0, 0, 0))
        #expect(ByteRangeSet().isEmpty)
        #expect(ByteRangeSet(3..<4).ranges == [3..<4])
    }

    @Test(
        arguments: [
            (0..<30, [10..<20, 25..<30]), (0..<10, []), (5..<12, [10..<12]), (12..<15, [12..<15]), (10..<20, [10..<20]),
            (22..<23, []), (24..<26, [25..<26]), (100..<200, [100..<200]), (4..<4, []),
            (0..<Int64.max, [10..<20, 25..<Int64.max]),
        ] as [(Range<Int64>, [Range<Int64>])]
    )
    func `gaps are the missing bytes of a range`(_ range: Range<Int64>, _ gaps: [Range<Int64>]) {
        #expect(Self.set(0..<10, 20..<25).gaps(in: range) == gaps)
        #expect(Self.set(0..<10, 20..<25).contains(range) == gaps.isEmpty)
    }

    @Test(
        arguments: [
            [0..<0], [-1..<2], [5..<6, 0..<1], [0..<2, 2..<3], [0..<3, 2..<4],
        ] as [[Range<Int64>]]
    )
    func `a stored set that is not in order is refused`(_ ranges: [Range<Int64>]) {
        #expect(ByteRangeSet(normalized: ranges) == nil)
    }

    @Test func `the longest ranges are kept`() {
        let set = Self.set(0..<1, 2..<12, 20..<25, 30..<40)
        #expect(set.keepingLongest(2).ranges == [2..<12, 30..<40])
        #expect(set.keepingLongest(4) == set)
        #expect(set.keepingLongest(0).isEmpty)
    }

    @Test func `random sets agree with sets of numbers`() {
        for seed in 0..<200 {
            var generator = SeededGenerator(seed: UInt64(seed))
            var (set, other, model) = (ByteRangeSet(), ByteRangeSet(), Set<Int64>())
            for step in 0..<30 {
                let start = Int64.random(in: -5..<60, using: &generator)
                let range = start..<(start + Int64.random(in: 0..<12, using: &generator))
                if step.isMultiple(of: 3) { other.insert(range) } else { set.insert(range) }
                model.formUnion(range.filter { $0 >= 0 })
                if step.isMultiple(of: 3) { set.formUnion(other) }
                #expect(Set(set.ranges.flatMap { $0 }) == model, "seed \(seed)")
                #expect(ByteRangeSet(normalized: set.ranges) == set, "seed \(seed)")
                #expect(set.byteCount == Int64(model.count) && set.contains(other), "seed \(seed)")
                let window = 0..<Int64.random(in: 0..<70, using: &generator)
                #expect(set.gaps(in: window).flatMap { $0 } == window.filter { !model.contains($0) }, "seed \(seed)")
                #expect(set.contains(window) == window.allSatisfy { model.contains($0) }, "seed \(seed)")
            }
        }
    }
}
