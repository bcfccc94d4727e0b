// SPDX-License-Identifier: Apache-2.0
import TestSupport
import Testing

@testable import TernNIO

@Suite("When readers poll")
struct PollingStateMachineTests {
    private var machine = PollingStateMachine()

    /// Lets readers wait until one polls; returns the number of readers that did not.
    private mutating func waitsBeforePoll() -> Int {
        var count = 0
        while !self.machine.begins() { count += 1 }
        return count
    }

    @Test mutating func `the first reader polls`() {
        let polls = self.machine.begins()
        #expect(polls)
    }

    @Test mutating func `readers poll as long as answers come quickly, and one of 65 lets other tasks run`() {
        for _ in 0..<10 {
            for _ in 0..<64 {
                let polls = self.machine.begins()
                #expect(polls)
                self.machine.ended(succeeds: true)
            }
            let polls = self.machine.begins()
            #expect(!polls)
        }
    }

    @Test mutating func `a failure before any success begins a pause, and each further failure a longer one`() {
        let polls = self.machine.begins()
        #expect(polls)
        var pauses: [Int] = []
        for _ in 0..<10 {
            self.machine.ended(succeeds: false)
            pauses.append(self.waitsBeforePoll())
        }
        #expect(pauses == [8, 16, 32, 64, 128, 256, 512, 1024, 1024, 1024])
    }

    @Test mutating func `after successes, a few slow answers do not end the polling`() {
        for _ in 0..<20 { self.machine.ended(succeeds: true) }
        for _ in 0..<7 {
            self.machine.ended(succeeds: false)
            let polls = self.machine.begins()
            #expect(polls)
        }
        self.machine.ended(succeeds: false)
        let pause = self.waitsBeforePoll()
        #expect(pause == 8)
    }

    @Test mutating func `a success after long pauses makes the next pause short`() {
        for _ in 0..<5 { self.machine.ended(succeeds: false) }
        self.machine.ended(succeeds: true)
        self.machine.ended(succeeds: false)
        self.machine.ended(succeeds: false)
        _ = self.waitsBeforePoll()
        self.machine.ended(succeeds: true)
        for _ in 0..<2 { self.machine.ended(succeeds: false) }
        let pause = self.waitsBeforePoll()
        #expect(pause == 8)
    }
}
