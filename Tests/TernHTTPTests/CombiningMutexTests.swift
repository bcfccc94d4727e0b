// SPDX-License-Identifier: Apache-2.0
import Synchronization
import TestSupport
import Testing

@testable import TernHTTP

@Suite("CombiningMutex", .hangLimit)
struct CombiningMutexTests {
    /// Appends a number to a list, and notes that it did.
    private struct Append: CombinedWork {
        let number: Int
        let finished: Counter
        private(set) var isPerformed = false

        init(_ number: Int, _ finished: Counter) { (self.number, self.finished) = (number, finished) }

        static func perform(_ works: inout some MutableCollection<Append>, on value: inout [Int]) {
            for index in works.indices {
                value.append(works[index].number)
                works[index].isPerformed = true
            }
        }

        static func finish(_ works: some Collection<Append>) {
            for work in works where work.isPerformed { work.finished.count.add(1, ordering: .relaxed) }
        }
    }

    private final class Counter: Sendable {
        let count = Atomic(0)
        var value: Int { self.count.load(ordering: .relaxed) }
    }

    /// The lock, so that threads can share it.
    private final class Shared: Sendable { let mutex = CombiningMutex<Append>([]) }

    @Test func `work is performed at once if the lock is free`() {
        let (shared, finished) = (Shared(), Counter())
        shared.mutex.perform(Append(1, finished))
        #expect(finished.value == 1)
        #expect(shared.mutex.withLock { $0 } == [1])
    }

    @Test func `a thread that finds the lock in use does not wait, and its work is done when the lock is released`() {
        let (shared, finished) = (Shared(), Counter())
        shared.mutex.withLock { list in
            list.append(0)
            onOtherThread {
                for number in 1...3 { shared.mutex.perform(Append(number, finished)) }
            }
            #expect(list == [0] && finished.value == 0)
            list.append(10)
        }
        #expect(finished.value == 3)
        #expect(shared.mutex.withLock { $0 } == [0, 10, 1, 2, 3])
    }

    @Test func `threads that leave work lose nothing, and keep their order`() async {
        let (shared, finished) = (Shared(), Counter())
        let (threads, rounds) = (6, 4000)
        await withTaskGroup(of: Void.self) { group in
            for thread in 0..<threads {
                group.addTask {
                    for round in 0..<rounds {
                        shared.mutex.perform(Append(thread * rounds + round, finished))
                        if round % 16 == 0 { shared.mutex.withLock { _ in } }
                    }
                }
            }
        }
        #expect(finished.value == threads * rounds)
        let list = shared.mutex.withLock { $0 }
        #expect(list.count == threads * rounds)
        for thread in 0..<threads {
            let own = list.filter { $0 / rounds == thread }
            #expect(own == Array(thread * rounds..<(thread + 1) * rounds))
        }
    }
}
