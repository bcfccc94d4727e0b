// SPDX-License-Identifier: Apache-2.0
import TestSupport
import Testing

@testable import Tern

@Suite("When callers write to files")
struct CallerWritesStateMachineTests {
    private var machine = CallerWritesStateMachine(processorCount: 2)

    /// Lets bytes arrive until a caller writes them; returns how often the queue did.
    private mutating func queuedCount() -> Int {
        var count = 0
        while !self.machine.begins() { count += 1 }
        return count
    }

    @Test mutating func `a caller writes as long as the disk is fast`() {
        for _ in 0..<10_000 {
            let begins = self.machine.begins()
            #expect(begins)
            self.machine.ended(after: CallerWritesStateMachine.slowDuration - .nanoseconds(1), hasWaited: true)
        }
    }

    @Test(arguments: 1...4) func `one processor is left`(processorCount: Int) {
        var machine = CallerWritesStateMachine(processorCount: processorCount)
        for _ in 1..<processorCount {
            let begins = machine.begins()
            #expect(begins)
        }
        for _ in 0..<3 {
            let begins = machine.begins()
            #expect(!begins)
        }
        guard processorCount > 1 else { return }
        machine.ended(after: .zero, hasWaited: true)
        let begins = machine.begins()
        #expect(begins)
    }

    @Test mutating func `a write is not slow if other threads used the processor`() {
        for _ in 0..<100 {
            let begins = self.machine.begins()
            #expect(begins)
            self.machine.ended(after: .seconds(1), hasWaited: false)
        }
    }

    @Test mutating func `after each slow write, the queue writes for longer`() {
        var counts = [self.queuedCount()]
        for _ in 0..<9 {
            self.machine.ended(after: CallerWritesStateMachine.slowDuration, hasWaited: true)
            counts.append(self.queuedCount())
        }
        #expect(counts == [0, 8, 16, 32, 64, 128, 256, 512, 1024, 1024])
        self.machine.ended(after: .zero, hasWaited: true)
        #expect(self.queuedCount() == 0)
        self.machine.ended(after: .seconds(1), hasWaited: true)
        #expect(self.queuedCount() == 8)
    }
}
