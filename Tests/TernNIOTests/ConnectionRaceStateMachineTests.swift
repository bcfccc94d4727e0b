// SPDX-License-Identifier: Apache-2.0
import TernErrors
import Testing

@testable import TernNIO

@Suite("Which addresses are tried, and when (RFC 8305)")
struct ConnectionRaceStateMachineTests {
    private typealias Effects = ConnectionRaceStateMachine.Effects

    @Test func `a single address is tried without a timer`() {
        var machine = ConnectionRaceStateMachine(addressCount: 1)
        let effects = machine.begin()
        #expect(effects == Effects(attempt: 0))
        let second = machine.connected(0)
        #expect(second == Effects())
    }

    @Test func `the next address is tried after the delay, and the timer is set while there are more`() {
        var machine = ConnectionRaceStateMachine(addressCount: 3)
        let effects = machine.begin()
        #expect(effects == Effects(attempt: 0, armsTimer: true))
        let second = machine.delayPassed()
        #expect(second == Effects(attempt: 1, armsTimer: true))
        let third = machine.delayPassed()
        #expect(third == Effects(attempt: 2))
        let fourth = machine.delayPassed()
        #expect(fourth == Effects())
    }

    @Test func `a failure makes the next address be tried at once`() {
        var machine = ConnectionRaceStateMachine(addressCount: 2)
        _ = machine.begin()
        let effects = machine.failed(0, .refused)
        #expect(effects == Effects(attempt: 1))
        #expect(machine.isRunning(1) && !machine.isRunning(0))
    }

    @Test func `the first success ends the other attempts`() {
        var machine = ConnectionRaceStateMachine(addressCount: 3)
        _ = machine.begin()
        _ = machine.delayPassed()
        let effects = machine.connected(1)
        #expect(effects == Effects(abandons: [0]))
        let second = machine.delayPassed()
        #expect(second == Effects())
        let third = machine.failed(0, .refused)
        #expect(third == Effects())
        let fourth = machine.connected(0)
        #expect(fourth == nil, "another connection has won")
    }

    @Test func `the race fails with its last attempt, for the most informative reason`() {
        var machine = ConnectionRaceStateMachine(addressCount: 2)
        _ = machine.begin()
        _ = machine.failed(0, .refused)
        let effects = machine.failed(1, .noNetwork)
        #expect(effects == Effects(failure: .refused))
        let second = machine.delayPassed()
        #expect(second == Effects())
    }

    @Test func `a failure does not end the race while another attempt runs`() {
        var machine = ConnectionRaceStateMachine(addressCount: 2)
        _ = machine.begin()
        _ = machine.delayPassed()
        let effects = machine.failed(1, .refused)
        #expect(effects == Effects())
        let second = machine.failed(0, .unreachable)
        #expect(second == Effects(failure: .refused))
    }

    @Test func `a caller that gives up ends all attempts, and later results change nothing`() {
        var machine = ConnectionRaceStateMachine(addressCount: 3)
        _ = machine.begin()
        _ = machine.delayPassed()
        let effects = machine.gaveUp()
        #expect(effects == Effects(abandons: [0, 1]))
        let second = machine.connected(0)
        #expect(second == nil)
        let third = machine.failed(1, .refused)
        #expect(third == Effects())
        let fourth = machine.delayPassed()
        #expect(fourth == Effects())
        let fifth = machine.gaveUp()
        #expect(fifth == Effects())
    }
}
