// SPDX-License-Identifier: Apache-2.0
@testable import TernNIO
import Testing

@Suite("LookUpStateMachine")
struct LookUpStateMachineTests {
    private typealias Waiter = LookUpStateMachine.Waiter

    @Test func `names are looked up at once while there are threads, and wait in order when there are none`() {
        var machine = LookUpStateMachine(threadCount: 2)
        #expect(machine.requested("a").startsThread)
        #expect(machine.requested("b").startsThread)
        let third = machine.requested("c")
        let fourth = machine.requested("d")
        #expect(!third.startsThread && !fourth.startsThread)
        #expect(machine.counts == (waiting: 4, queued: 2))
        #expect(machine.finished("b").next == "c")
        let (waiters, next) = machine.finished("c")
        #expect(waiters == [third.waiter])
        #expect(next == "d")
        #expect(machine.finished("a").next == nil)
        #expect(machine.finished("d").waiters == [fourth.waiter])
        #expect(machine.counts == (waiting: 0, queued: 0))
        #expect(machine.runningCount == 0)
    }

    @Test func `calls that want equal names at the same time share one look-up`() {
        var machine = LookUpStateMachine(threadCount: 1)
        let running = [machine.requested("a"), machine.requested("a")]
        let queued = [machine.requested("b"), machine.requested("b"), machine.requested("b")]
        #expect((running + queued).map(\.startsThread) == [true, false, false, false, false])
        #expect(machine.counts == (waiting: 5, queued: 1))
        let (first, next) = machine.finished("a")
        #expect(Set(first) == Set(running.map(\.waiter)))
        #expect(next == "b")
        let (second, none) = machine.finished("b")
        #expect(Set(second) == Set(queued.map(\.waiter)))
        #expect(none == nil)
    }

    @Test func `a name that was looked up is looked up again by the next call`() {
        var machine = LookUpStateMachine(threadCount: 1)
        _ = machine.requested("a")
        _ = machine.finished("a")
        #expect(machine.requested("a").startsThread)
    }

    @Test func `a queued look-up that no call waits for is never started`() {
        var machine = LookUpStateMachine(threadCount: 1)
        _ = machine.requested("a")
        let left = [machine.requested("b").waiter, machine.requested("b").waiter]
        let kept = machine.requested("c").waiter
        for waiter in left { machine.abandoned(waiter) }
        #expect(machine.counts == (waiting: 2, queued: 1))
        #expect(machine.finished("a").next == "c")
        #expect(machine.finished("c").waiters == [kept])
    }

    @Test func `a look-up goes on while one call waits for it`() {
        var machine = LookUpStateMachine(threadCount: 1)
        _ = machine.requested("a")
        let (left, kept) = (machine.requested("b").waiter, machine.requested("b").waiter)
        machine.abandoned(left)
        machine.abandoned(left)
        #expect(machine.finished("a").next == "b")
        #expect(machine.finished("b").waiters == [kept])
    }

    @Test func `a look-up that runs keeps its thread though no call waits, and later calls join it`() {
        var machine = LookUpStateMachine(threadCount: 1)
        machine.abandoned(machine.requested("a").waiter)
        #expect(machine.counts == (waiting: 0, queued: 0))
        #expect(machine.runningCount == 1)
        let late = machine.requested("a")
        #expect(!late.startsThread)
        #expect(machine.finished("a").waiters == [late.waiter])
    }

    @Test func `a name that was given up and is wanted again goes behind the others, once`() {
        var machine = LookUpStateMachine(threadCount: 1)
        _ = machine.requested("a")
        machine.abandoned(machine.requested("b").waiter)
        _ = machine.requested("c")
        let again = machine.requested("b").waiter
        #expect(machine.finished("a").next == "c")
        #expect(machine.finished("c").next == "b")
        let (waiters, next) = machine.finished("b")
        #expect(waiters == [again])
        #expect(next == nil)
    }

    @Test func `giving up after the look-up has ended changes nothing`() {
        var machine = LookUpStateMachine(threadCount: 1)
        let first = machine.requested("a").waiter
        _ = machine.finished("a")
        let second = machine.requested("a").waiter
        machine.abandoned(first)
        #expect(machine.counts == (waiting: 1, queued: 0))
        #expect(machine.finished("a").waiters == [second])
    }

    @Test func `calls that come and go do not make the queue grow`() {
        var machine = LookUpStateMachine(threadCount: 1)
        _ = machine.requested("running")
        let kept = machine.requested("kept").waiter
        for number in 0..<10_000 {
            machine.abandoned(machine.requested("left \(number)").waiter)
            #expect(machine.turnCount < 100)
        }
        #expect(machine.finished("running").next == "kept")
        #expect(machine.finished("kept").waiters == [kept])
    }

    @Test func `less than one thread counts as one`() {
        var machine = LookUpStateMachine(threadCount: 0)
        #expect(machine.requested("a").startsThread)
        #expect(!machine.requested("b").startsThread)
    }
}
