// SPDX-License-Identifier: Apache-2.0
import TernConnections
import TestSupport
import Testing

@Suite("Suspension", .hangLimit)
struct SuspensionTests {
    @Test func `a value given before the wait is taken by it`() async {
        let suspension = Suspension<Int>()
        #expect(suspension.resume(with: 1))
        #expect(await suspension.wait(onCancel: 0) == 1)
    }

    @Test func `the first value wins, and the loser learns so`() async {
        let suspension = Suspension<Int>()
        #expect(suspension.resume(with: 1))
        #expect(!suspension.resume(with: 2))
        #expect(await suspension.wait(onCancel: 0) == 1)
        #expect(!suspension.resume(with: 3))
    }

    @Test @MainActor func `a value wakes the task that waits`() async {
        let suspension = Suspension<Int>()
        let begun = Flag()
        let waiting = Task { @MainActor in
            begun.raise()
            return await suspension.wait(onCancel: 0)
        }
        // Both tasks run on one actor, so the other task is waiting when this one continues.
        await begun.wait()
        #expect(suspension.resume(with: 1))
        #expect(await waiting.value == 1)
    }

    @Test func `cancellation before the wait gives its value`() async {
        let suspension = Suspension<Int>()
        let waiting = Task {
            withUnsafeCurrentTask { $0?.cancel() }
            return await suspension.wait(onCancel: -1)
        }
        #expect(await waiting.value == -1)
        #expect(!suspension.resume(with: 1))
    }

    @Test func `a value that came first is not lost to cancellation`() async {
        let suspension = Suspension<Int>()
        suspension.resume(with: 1)
        let waiting = Task {
            withUnsafeCurrentTask { $0?.cancel() }
            return await suspension.wait(onCancel: -1)
        }
        #expect(await waiting.value == 1)
    }

    @Test func `of many racing values and a cancellation exactly one wins`() async {
        for _ in 0..<200 {
            let suspension = Suspension<Int>()
            let waiting = Task { await suspension.wait(onCancel: 0) }
            let winners = await withTaskGroup(of: Int?.self) { group in
                for value in 1...4 { group.addTask { suspension.resume(with: value) ? value : nil } }
                group.addTask {
                    waiting.cancel()
                    return nil
                }
                return await group.reduce(into: [Int]()) { winners, value in
                    if let value { winners.append(value) }
                }
            }
            let value = await waiting.value
            #expect(winners == (value == 0 ? [] : [value]))
        }
    }

    @Test func `nothing of it is left afterwards`() async {
        weak var released: Suspension<Int>?
        do {
            let suspension = Suspension<Int>()
            released = suspension
            let waiting = Task { await suspension.wait(onCancel: 0) }
            waiting.cancel()
            _ = await waiting.value
        }
        #expect(released == nil)
    }

    @Test func `a wait that nobody begins refuses values, and returns the one that came`() {
        let empty = Suspension<Int>()
        #expect(empty.finish() == nil)
        #expect(!empty.resume(with: 1))
        #expect(empty.isResolved)
        let early = Suspension<Int>()
        #expect(early.resume(with: 1))
        #expect(early.finish() == 1)
        #expect(early.finish() == nil)
        #expect(!early.resume(with: 2))
    }
}
