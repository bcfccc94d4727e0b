// SPDX-License-Identifier: Apache-2.0
import TestSupport
import Testing

@_spi(CrossModuleInlining) @testable import TernHTTP2

@Suite("StreamTable")
struct StreamTableTests {
    private static func id(_ number: Int) -> HTTP2StreamID { HTTP2StreamID(rawValue: UInt32(2 * number + 1)) }

    @Test func `a stream that is not there has no value`() {
        var table = StreamTable<Int>()
        #expect(table[.first] == nil)
        table[.first] = nil
        #expect(table.removeValue(for: 1) == nil)
        #expect(table.keys.isEmpty && table.values.isEmpty)
    }

    @Test func `the order is that of the identifiers, whatever the order of adding`() {
        var table = StreamTable<Int>()
        for number in [3, 0, 4, 1, 2] { table[Self.id(number)] = number }
        #expect(table.ids == (0..<5).map(Self.id))
        #expect(table.values == [0, 1, 2, 3, 4])
    }

    @Test func `a value can be changed in place`() {
        var table = StreamTable<[Int]>()
        table[.first] = [1]
        table[.first]?.append(2)
        table[Self.id(7)]?.append(3)
        #expect(table.values == [[1, 2]])
    }

    @Test(arguments: 0..<20)
    func `the table has what a dictionary has`(seed: Int) {
        var generator = SeededGenerator(seed: UInt64(seed))
        var (table, dictionary) = (StreamTable<Int>(), [HTTP2StreamID: Int]())
        for step in 0..<2000 {
            let id = Self.id(Int.random(in: 0..<100, using: &generator))
            switch Int.random(in: 0..<10, using: &generator) {
            case 0..<5: (table[id], dictionary[id]) = (step, step)
            case 5..<8: (table[id], dictionary[id]) = (nil, nil)
            default: #expect(table.removeValue(for: id.rawValue) == dictionary.removeValue(forKey: id))
            }
            #expect(table[id] == dictionary[id])
        }
        #expect(table.ids == dictionary.keys.sorted())
        #expect(table.values == table.ids.compactMap { dictionary[$0] })
        table.removeAll()
        #expect(table.keys.isEmpty && table.values.isEmpty)
    }
}
