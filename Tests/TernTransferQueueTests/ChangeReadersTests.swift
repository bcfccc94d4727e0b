// SPDX-License-Identifier: Apache-2.0
import TernConnections
@testable import TernTransferQueue
import Testing

@Suite("ChangeReaders")
struct ChangeReadersTests {
    private let ids = (1...5).map { ScheduleScene.id($0) }

    private func take(_ readers: inout ChangeReaders, _ number: UInt64, existing: [TransferID]) -> ChangeReaders.Key? {
        readers.take(number) { existing.contains($0) }
    }

    @Test func `a reader gets each transfer once, in the order of the first change`() {
        var readers = ChangeReaders()
        let number = readers.add(knowing: self.ids)
        for index in [2, 0, 2, 1, 0] { readers.note(.transfer(self.ids[index])) }
        readers.note(.network)
        readers.note(.network)
        for index in [2, 0, 1] {
            #expect(self.take(&readers, number, existing: self.ids) == .transfer(self.ids[index]))
        }
        #expect(self.take(&readers, number, existing: self.ids) == .network)
        #expect(self.take(&readers, number, existing: self.ids) == nil)
    }

    @Test func `each reader has its own changes, from its beginning`() {
        var readers = ChangeReaders()
        let first = readers.add(knowing: [])
        readers.note(.queue)
        let second = readers.add(knowing: [])
        #expect(self.take(&readers, second, existing: []) == nil)
        #expect(self.take(&readers, first, existing: []) == .queue)
        readers.remove(first)
        readers.note(.network)
        #expect(readers.pendingCount(first) == 0)
        #expect(self.take(&readers, second, existing: []) == .network)
    }

    @Test func `a removal is told to the readers that know the transfer`() {
        var readers = ChangeReaders()
        let first = readers.add(knowing: [self.ids[0]])
        let second = readers.add(knowing: [])
        readers.noteRemoval(self.ids[0])
        #expect(self.take(&readers, first, existing: []) == .transfer(self.ids[0]))
        #expect(self.take(&readers, second, existing: []) == nil)
    }

    @Test func `a reader that never reads needs memory only for what exists`() {
        var readers = ChangeReaders()
        let number = readers.add(knowing: [])
        for round in 1...1000 as ClosedRange<Int64> {
            readers.note(.transfer(ScheduleScene.id(round)))
            readers.noteRemoval(ScheduleScene.id(round))
        }
        #expect(readers.pendingCount(number) == 0)
    }

    @Test func `a wait ends with the next change, and with the queue`() {
        var readers = ChangeReaders()
        let number = readers.add(knowing: [])
        let wait = readers.wait(number)
        #expect(!wait.isResolved)
        readers.note(.network)
        #expect(wait.isResolved)
        let other = readers.wait(number)
        readers.end()
        #expect(other.isResolved)
        #expect(readers.wait(number).isResolved)
    }
}
