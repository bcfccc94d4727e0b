// SPDX-License-Identifier: Apache-2.0
import Dispatch
import Synchronization
import TernConnections
import TestSupport
import Testing

@Suite("Work on a queue", .hangLimit)
struct DispatchQueuePerformTests {
    @Test func `gives what the work returns, done on the queue`() async {
        let queue = DispatchQueue(label: "tern.tests.perform")
        let value = await queue.perform {
            dispatchPrecondition(condition: .onQueue(queue))
            return 42
        }
        #expect(value == 42)
    }

    @Test func `is done in order on a serial queue, and is not interrupted by cancellation`() async {
        let queue = DispatchQueue(label: "tern.tests.perform")
        let done = Mutex<[Int]>([])
        let task = Task {
            withUnsafeCurrentTask { $0?.cancel() }
            for number in 1...3 { await queue.perform { done.withLock { $0.append(number) } } }
            return Task.isCancelled
        }
        #expect(await task.value)
        #expect(done.withLock { $0 } == [1, 2, 3])
    }
}
