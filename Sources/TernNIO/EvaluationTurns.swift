// SPDX-License-Identifier: Apache-2.0
import NIOCore
import Synchronization
import TernConnections

final class EvaluationTurns: Sendable {
    /// The turns of the process, which leave one processor for everything else, if there are several.
    static let shared = EvaluationTurns(maximumCount: System.coreCount - 1)

    private typealias Turn = Suspension<Bool>

    private struct Locked {
        var machine: EvaluationStateMachine
        var turns: [EvaluationStateMachine.Number: Turn] = [:]
    }

    private let locked: Mutex<Locked>

    init(maximumCount: Int) {
        self.locked = Mutex(Locked(machine: EvaluationStateMachine(maximumCount: maximumCount)))
    }

    var counts: (running: Int, waiting: Int) {
        self.locked.withLock { ($0.machine.runningCount, $0.machine.waitingCount) }
    }

    /// Runs an evaluation when its turn has come; returns `nil` if the task was cancelled before.
    func run<Value>(for host: String, _ evaluate: () async -> Value) async -> Value? {
        guard await self.wait(for: host) else { return nil }
        let value = await evaluate()
        self.end()
        return value
    }

    private func wait(for host: String) async -> Bool {
        let turn = Turn()
        let (number, begins) = self.locked.withLock { locked in
            let (number, begins) = locked.machine.requested(for: host)
            if !begins { locked.turns[number] = turn }
            return (number, begins)
        }
        if begins { return true }
        if await turn.wait(onCancel: false) { return true }
        let wasWaiting = self.locked.withLock { locked in
            locked.turns[number] = nil
            return locked.machine.abandoned(number)
        }
        // The turn came at the moment of the cancellation.
        if !wasWaiting { self.end() }
        return false
    }

    private func end() {
        let next = self.locked.withLock { locked in
            locked.machine.ended().flatMap { locked.turns.removeValue(forKey: $0) }
        }
        // If that task has just been cancelled, it gives the turn back itself.
        next?.resume(with: true)
    }
}
