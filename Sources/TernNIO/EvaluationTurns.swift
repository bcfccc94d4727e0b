// SPDX-License-Identifier: Apache-2.0
import NIOCore
import Synchronization
import TernConnections

/// Tracks which evaluations of certificates run, and which wait.
///
/// An evaluation keeps a thread of Swift concurrency busy. The servers choose their certificates, so they decide for how
/// long. A few evaluations run at the same time, and the hosts take turns: many handshakes with servers whose
/// certificates take long do not delay those with other servers by more than one evaluation each.
struct EvaluationStateMachine: Sendable {
    /// The number of an evaluation.
    typealias Number = Int

    /// The number of abandoned evaluations that may stay even in a short queue.
    private static let toleratedCount = 32

    /// The evaluations that wait, and some that were abandoned.
    private var queue = RotatingQueue<String, Number>()
    private var waiting: Set<Number> = []
    private var lastNumber = 0
    private(set) var runningCount = 0
    private let maximumCount: Int

    /// Creates a state machine without evaluations.
    ///
    /// - Parameter maximumCount: The maximum number of evaluations that run. Values below 1 count as 1.
    init(maximumCount: Int) { self.maximumCount = max(1, maximumCount) }

    /// The number of evaluations that wait.
    var waitingCount: Int { self.waiting.count }

    /// Handles a handshake that needs an evaluation.
    ///
    /// - Returns: The number of the evaluation, and whether it begins now.
    mutating func requested(for host: String) -> (number: Number, begins: Bool) {
        self.lastNumber += 1
        guard self.runningCount >= self.maximumCount else {
            self.runningCount += 1
            return (self.lastNumber, true)
        }
        self.waiting.insert(self.lastNumber)
        self.queue.append(self.lastNumber, to: host)
        return (self.lastNumber, false)
    }

    /// Handles a handshake that no longer waits for its evaluation.
    ///
    /// - Returns: `false` if the evaluation has begun, so that ``ended()`` must follow.
    mutating func abandoned(_ number: Number) -> Bool {
        guard self.waiting.remove(number) != nil else { return false }
        if self.queue.count > 2 * self.waiting.count + Self.toleratedCount {
            let waiting = self.waiting
            self.queue.keep { waiting.contains($0) }
        }
        return true
    }

    /// Handles the end of an evaluation.
    ///
    /// - Returns: The evaluation that begins now; `nil` if none waits.
    mutating func ended() -> Number? {
        while let next = self.queue.popFirst(where: { _ in true }) {
            if self.waiting.remove(next) != nil { return next }
        }
        self.runningCount -= 1
        return nil
    }
}

/// Lets a few evaluations of certificates run at the same time.
final class EvaluationTurns: Sendable {
    /// The turns of all connectors of the process: at least one processor remains for everything else.
    static let shared = EvaluationTurns(maximumCount: System.coreCount - 1)

    private typealias Turn = Suspension<Bool>

    private struct Locked {
        var machine: EvaluationStateMachine
        var turns: [EvaluationStateMachine.Number: Turn] = [:]
    }

    private let locked: Mutex<Locked>

    /// Creates turns, none of which is taken.
    init(maximumCount: Int) {
        self.locked = Mutex(Locked(machine: EvaluationStateMachine(maximumCount: maximumCount)))
    }

    /// The numbers of evaluations that run and that wait; for tests.
    var counts: (running: Int, waiting: Int) {
        self.locked.withLock { ($0.machine.runningCount, $0.machine.waitingCount) }
    }

    /// Runs an evaluation when its turn has come.
    ///
    /// - Parameters:
    ///   - host: The host whose certificates are evaluated.
    ///   - evaluate: The evaluation.
    /// - Returns: The result of the evaluation; `nil` if the task was cancelled before.
    func run<Value>(for host: String, _ evaluate: () async -> Value) async -> Value? {
        guard await self.wait(for: host) else { return nil }
        let value = await evaluate()
        self.end()
        return value
    }

    /// Waits for a turn; returns `false` if the task was cancelled before.
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
