// SPDX-License-Identifier: Apache-2.0
import NIOCore
import TernErrors
import Testing

@testable import TernNIO

@Suite("Which addresses are tried, and when (RFC 8305)")
struct ConnectionRaceStateMachineTests {
    private typealias Effects = ConnectionRaceStateMachine.Effects

    @Test func `a single address is tried without a timer`() {
        var machine = ConnectionRaceStateMachine(addressCount: 1)
        #expect(machine.begin() == Effects(attempt: 0))
        #expect(machine.connected(0) == Effects())
    }

    @Test func `the next address is tried after the delay, and the timer is set while there are more`() {
        var machine = ConnectionRaceStateMachine(addressCount: 3)
        #expect(machine.begin() == Effects(attempt: 0, armsTimer: true))
        #expect(machine.delayPassed() == Effects(attempt: 1, armsTimer: true))
        #expect(machine.delayPassed() == Effects(attempt: 2))
        #expect(machine.delayPassed() == Effects())
    }

    @Test func `a failure makes the next address be tried at once`() {
        var machine = ConnectionRaceStateMachine(addressCount: 2)
        _ = machine.begin()
        #expect(machine.failed(0, .refused) == Effects(attempt: 1))
        #expect(machine.isRunning(1) && !machine.isRunning(0))
    }

    @Test func `the first success ends the other attempts`() {
        var machine = ConnectionRaceStateMachine(addressCount: 3)
        _ = machine.begin()
        _ = machine.delayPassed()
        #expect(machine.connected(1) == Effects(abandons: [0]))
        #expect(machine.delayPassed() == Effects())
        #expect(machine.failed(0, .refused) == Effects())
        #expect(machine.connected(0) == nil, "another connection has won")
    }

    @Test func `the race fails with its last attempt, for the most informative reason`() {
        var machine = ConnectionRaceStateMachine(addressCount: 2)
        _ = machine.begin()
        _ = machine.failed(0, .refused)
        #expect(machine.failed(1, .noNetwork) == Effects(failure: .refused))
        #expect(machine.delayPassed() == Effects())
    }

    @Test func `a failure does not end the race while another attempt runs`() {
        var machine = ConnectionRaceStateMachine(addressCount: 2)
        _ = machine.begin()
        _ = machine.delayPassed()
        #expect(machine.failed(1, .refused) == Effects())
        #expect(machine.failed(0, .unreachable) == Effects(failure: .refused))
    }

    @Test func `a caller that gives up ends all attempts, and later results change nothing`() {
        var machine = ConnectionRaceStateMachine(addressCount: 3)
        _ = machine.begin()
        _ = machine.delayPassed()
        #expect(machine.gaveUp() == Effects(abandons: [0, 1]))
        #expect(machine.connected(0) == nil)
        #expect(machine.failed(1, .refused) == Effects())
        #expect(machine.delayPassed() == Effects())
        #expect(machine.gaveUp() == Effects())
    }

    #if os(Linux)
    @Test func `the families of the addresses alternate, and the system's first address stays first`() throws {
        let texts = ["::1", "::2", "::3", "1.1.1.1", "1.1.1.2"]
        let addresses = try texts.map { try SocketAddress(ipAddress: $0, port: 80) }
        let sorted = ConnectionRace.interleaved(addresses).map { $0.ipAddress ?? "" }
        #expect(sorted == ["::1", "1.1.1.1", "::2", "1.1.1.2", "::3"])
        #expect(ConnectionRace.interleaved(addresses.reversed()).first?.ipAddress == "1.1.1.2")
        #expect(ConnectionRace.interleaved([]).isEmpty)
    }
    #endif
}
