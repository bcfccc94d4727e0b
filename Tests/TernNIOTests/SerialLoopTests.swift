// SPDX-License-Identifier: Apache-2.0
import Dispatch
import Foundation
import NIOCore
import Synchronization
import TestSupport
import Testing

@testable import TernNIO

@Suite("A loop without a thread", .hangLimit)
struct SerialLoopTests {
    /// The work that a loop has handed over to another thread.
    private final class HandedOver: Sendable {
        private let works = Mutex<[@Sendable () -> Void]>([])

        func append(_ work: @escaping @Sendable () -> Void) { self.works.withLock { $0.append(work) } }
        var count: Int { self.works.withLock { $0.count } }
        func runAll() {
            for work in self.works.withLock({ works in
                defer { works = [] }; return works
            }) { work() }
        }
    }

    /// A value that only one thread at a time may use.
    private final class Unprotected: @unchecked Sendable {
        var number = 0
        var isInUse = false
    }

    private let handedOver: HandedOver
    private let loop: SerialLoop

    init() {
        let handedOver = HandedOver()
        self.handedOver = handedOver
        self.loop = SerialLoop { handedOver.append($0) }
    }

    @Test func `a task runs at once on the thread that brings it`() {
        let thread = Mutex<Thread?>(nil)
        #expect(!self.loop.inEventLoop)
        self.loop.execute { [loop] in
            thread.withLock { $0 = Thread.current }
            #expect(loop.inEventLoop)
        }
        #expect(thread.withLock { $0 } == Thread.current)
        #expect(!self.loop.inEventLoop)
    }

    @Test func `a task that a task brings runs after it`() {
        let order = Mutex<[Int]>([])
        self.loop.execute { [loop] in
            loop.execute { order.withLock { $0.append(2) } }
            order.withLock { $0.append(1) }
        }
        #expect(order.withLock { $0 } == [1, 2])
    }

    @Test func `tasks of many threads run one after another, and none is lost`() async {
        let (value, loop) = (Unprotected(), self.loop)
        let handedOver = self.handedOver
        await withTaskGroup(of: Void.self) { group in
            for thread in 0..<8 {
                group.addTask {
                    await onThread {
                        let work: @Sendable () -> Void = {
                            #expect(!value.isInUse && loop.inEventLoop)
                            value.isInUse = true
                            value.number += 1
                            value.isInUse = false
                        }
                        for number in 0..<1000 {
                            if number % 8 == thread { loop.executeAlone(work) } else { loop.execute(work) }
                        }
                        handedOver.runAll()
                    }
                }
            }
        }
        while handedOver.count > 0 { handedOver.runAll() }
        #expect(value.number == 8000)
    }

    @Test func `a task that runs alone leaves later tasks to another thread`() {
        let order = Mutex<[Int]>([])
        self.loop.executeAlone { [loop] in
            loop.execute { order.withLock { $0.append(2) } }
            order.withLock { $0.append(1) }
        }
        #expect(order.withLock { $0 } == [1])
        #expect(self.handedOver.count == 1)
        onOtherThread { [handedOver] in handedOver.runAll() }
        #expect(order.withLock { $0 } == [1, 2])
    }

    @Test func `a loop in use is not free, and its thread performs what others bring`() {
        let (loop, hasRun) = (self.loop, Flag())
        loop.execute {
            onOtherThread {
                #expect(loop.executeIfFree {} == nil)
                loop.execute { hasRun.raise() }
                #expect(!hasRun.isRaised)
            }
        }
        #expect(hasRun.isRaised)
        #expect(loop.executeIfFree { 7 } == 7)
    }

    /// Makes a thread perform some of these tasks, which another thread brings; the rest waits.
    private func bring(_ count: Int, _ task: @escaping @Sendable () -> Void) {
        self.loop.execute { [loop] in
            onOtherThread { for _ in 0..<count { loop.execute(task) } }
        }
    }

    @Test func `a thread performs some tasks of others in its turn, and another thread the rest`() {
        let count = Mutex(0)
        self.bring(SerialLoop.budget * 2 + 1) { count.withLock { $0 += 1 } }
        var counts = [count.withLock { $0 }]
        while self.handedOver.count > 0 {
            #expect(self.handedOver.count == 1)
            self.handedOver.runAll()
            counts.append(count.withLock { $0 })
        }
        #expect(counts == [SerialLoop.budget, SerialLoop.budget * 2, SerialLoop.budget * 2 + 1])
    }

    @Test func `a task that needs a free loop comes after the tasks that wait`() {
        let count = Mutex(0)
        self.bring(SerialLoop.budget * 2 + 1) { count.withLock { $0 += 1 } }
        let asking = self.loop.executeIfFree(budget: 0) { count.withLock { $0 } }
        #expect(asking == nil && count.withLock { $0 } == SerialLoop.budget, "it performs no other task")
        let first = self.loop.executeIfFree { count.withLock { $0 } }
        #expect(first == nil && count.withLock { $0 } == SerialLoop.budget * 2, "too many tasks wait")
        let second = self.loop.executeIfFree { count.withLock { $0 } }
        #expect(second == SerialLoop.budget * 2 + 1)
        self.handedOver.runAll()
        #expect(count.withLock { $0 } == SerialLoop.budget * 2 + 1)
    }

    @Test func `a scheduled task runs on the loop, and a cancelled one does not`() async throws {
        let loop = SerialLoop { work in Thread.detachNewThread(work) }
        let scheduled = loop.scheduleTask(in: .milliseconds(1)) { loop.inEventLoop }
        #expect(try await scheduled.futureResult.get())
        let hasRun = Flag()
        _ = loop.scheduleTask(in: .milliseconds(1)) { hasRun.raise() }
        try await eventually("a task ran that nobody holds") { hasRun.isRaised }
        let cancelled = loop.scheduleTask(in: .hours(1)) {}
        cancelled.cancel()
        await #expect(throws: EventLoopError.self) { try await cancelled.futureResult.get() }
        let failing = loop.scheduleTask(in: .milliseconds(1)) { throw ChannelError.eof }
        await #expect(throws: ChannelError.eof) { try await failing.futureResult.get() }
    }
}
