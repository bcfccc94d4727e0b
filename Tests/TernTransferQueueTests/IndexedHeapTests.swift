// SPDX-License-Identifier: Apache-2.0
@testable import TernTransferQueue
import TestSupport
import Testing

@Suite("IndexedHeap")
struct IndexedHeapTests {
    /// Removes the elements of a heap, the lowest rank first.
    private static func drained(_ heap: IndexedHeap<String, Int>) -> [String] {
        var (heap, elements) = (heap, [String]())
        while let first = heap.first {
            elements.append(first.element)
            heap.remove(first.element)
        }
        return elements
    }

    @Test func `the lowest rank comes first`() {
        var heap = IndexedHeap<String, Int>()
        #expect(heap.first == nil && heap.isEmpty)
        for (element, rank) in [("c", 3), ("a", 1), ("e", 5), ("b", 2), ("d", 4)] { heap.set(element, rank) }
        #expect(heap.count == 5)
        #expect(heap.first?.element == "a" && heap.first?.rank == 1)
        #expect(Self.drained(heap) == ["a", "b", "c", "d", "e"])
    }

    @Test func `an element gets another rank, and is there once`() {
        var heap = IndexedHeap<String, Int>()
        for (rank, element) in ["a", "b", "c"].enumerated() { heap.set(element, rank) }
        heap.set("a", 9)
        heap.set("c", -1)
        #expect(heap.count == 3)
        #expect(Self.drained(heap) == ["c", "b", "a"])
    }

    @Test func `any element can be removed`() {
        for removed in ["a", "b", "c", "d"] {
            var heap = IndexedHeap<String, Int>()
            for (rank, element) in ["a", "b", "c", "d"].enumerated() { heap.set(element, rank) }
            let results = [heap.remove(removed), heap.remove(removed)]
            #expect(results == [true, false])
            #expect(Self.drained(heap) == ["a", "b", "c", "d"].filter { $0 != removed })
        }
    }

    @Test(arguments: 0..<20)
    func `random changes leave the order of a sorted list`(_ seed: UInt64) {
        var generator = SeededGenerator(seed: seed)
        var heap = IndexedHeap<Int, Int>()
        var ranks: [Int: Int] = [:]
        for _ in 0..<500 {
            let element = Int.random(in: 0..<50, using: &generator)
            if Bool.random(using: &generator) {
                let rank = Int.random(in: 0..<1000, using: &generator)
                heap.set(element, rank)
                ranks[element] = rank
            } else {
                let (isRemoved, wasThere) = (heap.remove(element), ranks.removeValue(forKey: element) != nil)
                #expect(isRemoved == wasThere)
            }
            #expect(heap.count == ranks.count)
            #expect(heap.first?.rank == ranks.values.min())
            if let first = heap.first { #expect(ranks[first.element] == first.rank) }
        }
    }

    @Test func `each change inspects few of many elements`() {
        var heap = IndexedHeap<Int, Int>()
        for element in 0..<10_000 { heap.set(element, element * 7919 % 10_007) }
        for element in stride(from: 0, to: 10_000, by: 97) {
            let before = heap.inspectionCount
            heap.set(element, 0)
            heap.remove(element)
            // The heap has 14 levels, and a level costs two comparisons at most.
            #expect(heap.inspectionCount - before <= 4 * 14 + 4)
        }
    }
}
