// SPDX-License-Identifier: Apache-2.0
import Testing

@testable import Tern

@Suite("Delegates: the queue")
struct DelegateQueueTests {
    /// Takes all events from the queue, up to the end.
    private func drain(_ machine: inout DelegateQueueStateMachine<String>) -> (said: [String], isReleased: Bool) {
        var said: [String] = []
        while true {
            switch machine.next() {
            case .say(let message): said.append(message)
            case .handOver: continue
            case .stop(let isReleased): return (said, isReleased)
            }
        }
    }

    private func starts(_ action: DelegateQueueStateMachine<String>.Action) -> Bool {
        if case .startDelivering = action { true } else { false }
    }

    @Test func `only the first message starts to speak`() {
        var machine = DelegateQueueStateMachine<String>()
        let starts = [self.starts(machine.post("a")), self.starts(machine.post("b"))]
        #expect(starts == [true, false])
        let (said, isReleased) = self.drain(&machine)
        #expect(said == ["a", "b"])
        #expect(!isReleased)
        let again = self.starts(machine.post("c"))
        #expect(again)
    }

    @Test func `events of a kind become one, unless something was said between`() {
        var machine = DelegateQueueStateMachine<String>()
        _ = machine.post("1 of 3", kind: 1)
        _ = machine.post("2 of 3", kind: 1)
        _ = machine.post("hint")
        _ = machine.post("3 of 3", kind: 1)
        _ = machine.post("received", kind: 2)
        let said = self.drain(&machine).said
        #expect(said == ["2 of 3", "hint", "3 of 3", "received"])
    }

    @Test func `nothing follows the last message`() {
        var machine = DelegateQueueStateMachine<String>()
        _ = machine.post("a")
        _ = machine.finish(["metrics", "completed"])
        _ = machine.post("late")
        _ = machine.finish(["completed twice"])
        let (said, isReleased) = self.drain(&machine)
        #expect(said == ["a", "metrics", "completed"])
        #expect(isReleased)
        let startsLate = self.starts(machine.post("later"))
        #expect(!startsLate)
    }

    @Test func `a flood of events does not fill the memory`() {
        var machine = DelegateQueueStateMachine<String>()
        for number in 0..<10_000 { _ = machine.post("\(number)", isDispensable: true) }
        let said = self.drain(&machine).said
        #expect(said.count == 256)
    }

    @Test func `a flood of hints hides no progress`() {
        var machine = DelegateQueueStateMachine<String>()
        for _ in 0..<10_000 { _ = machine.post("hint", isDispensable: true) }
        _ = machine.post("all sent", kind: 1)
        _ = machine.post("waiting")
        let said = self.drain(&machine).said
        #expect(said.suffix(3) == ["hint", "all sent", "waiting"])
    }

    @Test func `progress in both directions at once does not fill the memory, and the last of it is told`() {
        var machine = DelegateQueueStateMachine<String>()
        for number in 0..<10_000 {
            _ = machine.post("sent \(number)", kind: 1)
            _ = machine.post("received \(number)", kind: 2)
        }
        let said = self.drain(&machine).said
        #expect(said.count == 256)
        #expect(said.suffix(2) == ["sent 9999", "received 9999"])
    }
}
