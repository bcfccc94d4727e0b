// SPDX-License-Identifier: Apache-2.0

import TernFields
import Testing

@Suite("A list of transfer codings")
struct TransferCodingsTests {
    private static let lists: [[TransferCoding]] = {
        var lists: [[TransferCoding]] = [[]]
        for count in 0..<TransferCodings.maximumCount {
            lists += lists.filter { $0.count == count }.flatMap { [$0 + [.gzip], $0 + [.deflate]] }
        }
        return lists
    }()

    @Test(arguments: lists)
    func `the last coding comes out first`(_ list: [TransferCoding]) {
        var codings = TransferCodings()
        for coding in list {
            let hadRoom = codings.append(coding)
            #expect(hadRoom)
        }
        #expect(codings.count == list.count && codings.isEmpty == list.isEmpty)
        var taken: [TransferCoding] = []
        while let coding = codings.popLast() { taken.append(coding) }
        #expect(taken == list.reversed())
        #expect(codings.isEmpty)
    }

    @Test
    func `lists are equal if their codings are`() {
        let all = Self.lists.map { list in
            list.reduce(into: TransferCodings()) { codings, coding in _ = codings.append(coding) }
        }
        #expect(all.count == 15 && Set(all).count == 15)
    }

    @Test(arguments: lists.filter { $0.count == TransferCodings.maximumCount })
    func `there is no room for a fourth coding`(_ list: [TransferCoding]) {
        var codings = list.reduce(into: TransferCodings()) { codings, coding in _ = codings.append(coding) }
        let before = codings
        let hadRoom = codings.append(.deflate)
        #expect(!hadRoom && codings == before)
    }
}
