// SPDX-License-Identifier: Apache-2.0
import TernRetry
import Testing

@Suite("RetryBudget")
struct RetryBudgetTests {
    @Test func `a host has a bucket of tokens, which calls and time fill`() {
        let budget = RetryBudget(maximumTokenCount: 2, tokensPerCall: 0.5, tokensPerSecond: 0.25)
        var machine = RetryBudgetStateMachine<String>()
        func take(_ seconds: Int) -> Bool { machine.take("a", budget, now: .seconds(seconds)) }
        #expect([take(0), take(0), take(0)] == [true, true, false])
        #expect(machine.take("b", budget, now: .zero) == true, "another host has its own")
        #expect([take(3), take(4), take(4)] == [false, true, false])
        for _ in 0..<2 { machine.begin("a", budget, now: .seconds(4)) }
        #expect([take(4), take(4)] == [true, false])
        #expect([take(1000), take(1000), take(1000)] == [true, true, false], "a purse holds no more than its maximum")
    }

    @Test func `time that runs back, and more hosts than there is room for, do no harm`() {
        let budget = RetryBudget(maximumTokenCount: 1)
        var machine = RetryBudgetStateMachine<Int>()
        let first = machine.take(0, budget, now: .seconds(5))
        let second = machine.take(0, budget, now: .zero)
        #expect(first && !second)
        for host in 0..<3000 { _ = machine.take(host, budget, now: .seconds(host)) }
        let last = machine.take(2999, budget, now: .seconds(2999))
        #expect(!last)
    }
}
