// SPDX-License-Identifier: Apache-2.0
import TernConnections
import TernTransport
import TestSupport
import Testing

@testable import TernHTTP

@Suite("KeepAliveStateMachine")
struct KeepAliveStateMachineTests {
    private static func at(_ second: Int64) -> ClockInstant { ClockInstant(nanoseconds: second * 1_000_000_000) }

    private func machine(pingsIdleConnections: Bool = false) -> KeepAliveStateMachine {
        KeepAliveStateMachine(
            HTTP2KeepAlive(
                interval: .seconds(30),
                timeout: .seconds(15),
                pingsIdleConnections: pingsIdleConnections
            )
        )
    }

    @Test func `a silent server is asked, and lost if it does not answer`() {
        var machine = self.machine()
        #expect(machine.streamsChanged(to: 1, now: Self.at(0)) == Self.at(30))
        #expect(machine.timerFired(now: Self.at(30)) == .ping(Self.at(45)))
        #expect(machine.timerFired(now: Self.at(40)) == .arm(Self.at(45)))
        #expect(!machine.hasFailed)
        #expect(machine.timerFired(now: Self.at(45)) == .fail)
        #expect(machine.hasFailed)
        #expect(machine.timerFired(now: Self.at(50)) == .rest)
        #expect(machine.streamsChanged(to: 2, now: Self.at(50)) == nil)
    }

    @Test func `everything that arrives starts the silence again, and answers the question`() {
        var machine = self.machine()
        _ = machine.streamsChanged(to: 1, now: Self.at(0))
        machine.received(now: Self.at(20))
        #expect(machine.timerFired(now: Self.at(30)) == .arm(Self.at(50)))
        #expect(machine.timerFired(now: Self.at(50)) == .ping(Self.at(65)))
        machine.received(now: Self.at(60))
        #expect(machine.timerFired(now: Self.at(65)) == .arm(Self.at(90)))
        #expect(!machine.hasFailed)
    }

    @Test func `an idle connection needs no timer, and its silence does not count`() {
        var machine = self.machine()
        #expect(machine.streamsChanged(to: 1, now: Self.at(0)) == Self.at(30))
        #expect(machine.streamsChanged(to: 0, now: Self.at(10)) == nil)
        #expect(machine.timerFired(now: Self.at(30)) == .rest)
        #expect(machine.armedInstant == nil)
        #expect(machine.streamsChanged(to: 1, now: Self.at(100)) == Self.at(130))
    }

    @Test func `one timer serves all streams`() {
        var machine = self.machine()
        #expect(machine.streamsChanged(to: 1, now: Self.at(0)) == Self.at(30))
        #expect(machine.streamsChanged(to: 2, now: Self.at(10)) == nil)
        #expect(machine.streamsChanged(to: 0, now: Self.at(20)) == nil)
        #expect(machine.streamsChanged(to: 1, now: Self.at(25)) == nil)
        #expect(machine.timerFired(now: Self.at(30)) == .arm(Self.at(55)))
    }

    @Test func `an idle connection is asked if that was chosen, and no connection if that was`() {
        var machine = self.machine(pingsIdleConnections: true)
        _ = machine.streamsChanged(to: 1, now: Self.at(0))
        _ = machine.streamsChanged(to: 0, now: Self.at(10))
        #expect(machine.timerFired(now: Self.at(30)) == .ping(Self.at(45)))
        var silent = KeepAliveStateMachine(nil)
        #expect(silent.streamsChanged(to: 1, now: Self.at(0)) == nil)
        #expect(silent.timerFired(now: Self.at(30)) == .rest)
    }

    @Test func `a server that reports an error must close, and is not asked`() {
        var machine = self.machine()
        #expect(machine.streamsChanged(to: 1, now: Self.at(0)) == Self.at(30))
        #expect(machine.serverFailed(now: Self.at(1)) == Self.at(16), "earlier than the timer that was set")
        #expect(machine.serverFailed(now: Self.at(2)) == nil, "a second report changes nothing")
        machine.received(now: Self.at(10))
        #expect(machine.streamsChanged(to: 0, now: Self.at(10)) == nil)
        #expect(machine.timerFired(now: Self.at(16)) == .arm(Self.at(25)))
        #expect(!machine.hasFailed)
        #expect(machine.timerFired(now: Self.at(25)) == .fail)
        #expect(machine.hasFailed)
    }

    @Test(arguments: [10, 29])
    func `an earlier timer serves for the wait for the close`(_ second: Int64) {
        var machine = self.machine()
        _ = machine.streamsChanged(to: 1, now: Self.at(0))
        #expect(machine.serverFailed(now: Self.at(second)) == (second == 10 ? Self.at(25) : nil))
        if second == 29 { #expect(machine.timerFired(now: Self.at(30)) == .arm(Self.at(44))) }
    }

    @Test func `the wait for the close has an end even if no server is asked`() {
        var machine = KeepAliveStateMachine(nil)
        #expect(machine.streamsChanged(to: 1, now: Self.at(0)) == nil)
        #expect(machine.serverFailed(now: Self.at(1)) == Self.at(16))
        #expect(machine.timerFired(now: Self.at(16)) == .fail)
    }

    @Test(arguments: [Duration.zero, .seconds(-1), .milliseconds(999), .seconds(1)])
    func `a time of less than a second counts as a second`(_ time: Duration) {
        var machine = KeepAliveStateMachine(HTTP2KeepAlive(interval: time, timeout: time))
        #expect(machine.streamsChanged(to: 1, now: Self.at(0)) == Self.at(1))
        #expect(machine.timerFired(now: Self.at(1)) == .ping(Self.at(2)))
        #expect(machine.timerFired(now: Self.at(2)) == .fail)
    }
}
