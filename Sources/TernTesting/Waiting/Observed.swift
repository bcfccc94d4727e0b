// SPDX-License-Identifier: Apache-2.0
import Synchronization
import TernConnections

package enum WaitOutcome: Sendable {
    case met
    case cancelled
    case late
}

/// A value that a lock protects, and whose changes tasks can wait for.
package final class Observed<Value: Sendable>: Sendable {
    private struct Locked {
        var value: Value
        var lastNumber = 0
        var watchers: [Int: Watcher] = [:]
    }

    private struct Watcher {
        var condition: @Sendable (Value) -> Bool
        var continuation: CheckedContinuation<WaitOutcome, Never>
        var timer: ScheduledAction?
    }

    private let locked: Mutex<Locked>

    package init(_ value: Value) { self.locked = Mutex(Locked(value: value)) }

    package var value: Value { self.locked.withLock { $0.value } }

    /// Changes the value, and wakes the tasks whose condition has become true.
    @discardableResult
    package func update<Result: Sendable>(_ change: (inout Value) -> Result) -> Result {
        let (result, woken) = self.locked.withLock { locked in
            let result = change(&locked.value)
            let value = locked.value
            let met = locked.watchers.filter { $0.value.condition(value) }
            for number in met.keys { locked.watchers[number] = nil }
            return (result, Array(met.values))
        }
        for watcher in woken { watcher.continuation.resume(returning: .met) }
        return result
    }

    /// Returns `false` if the task was cancelled before the condition was true.
    @discardableResult
    package func wait(until condition: @escaping @Sendable (Value) -> Bool) async -> Bool {
        await self.outcome(within: nil, of: condition) == .met
    }

    package func outcome(
        within limit: Duration?,
        of condition: @escaping @Sendable (Value) -> Bool
    ) async -> WaitOutcome {
        let number = self.locked.withLock { locked in
            locked.lastNumber += 1
            return locked.lastNumber
        }
        return await withTaskCancellationHandler {
            await withCheckedContinuation { continuation in
                let outcome: WaitOutcome? = self.locked.withLock { locked in
                    if condition(locked.value) { return .met }
                    if Task.isCancelled { return .cancelled }
                    locked.watchers[number] = Watcher(condition: condition, continuation: continuation)
                    return nil
                }
                if let outcome { return continuation.resume(returning: outcome) }
                if let limit { self.end(number, in: limit) }
            }
        } onCancel: {
            self.end(number, .cancelled)
        }
    }

    /// Ends a wait after a time, which passes only while tasks get a thread.
    ///
    /// On a busy machine, or beside tasks that compute for long, what the wait is for may have had no thread. So the time consists of
    /// many short sleeps, and the task needs a thread after each of them.
    private func end(_ number: Int, in limit: Duration) {
        let sleeping = Task.detached { [weak self] in
            for _ in 0..<Self.sleepCount {
                do { try await Task.sleep(for: limit / Self.sleepCount) } catch { return }
            }
            self?.end(number, .late)
        }
        // If the wait is already over, no watcher keeps the timer, and releasing the timer cancels it.
        let timer = ScheduledAction { sleeping.cancel() }
        self.locked.withLock { $0.watchers[number]?.timer = timer }
    }

    private static var sleepCount: Int { 60 }

    private func end(_ number: Int, _ outcome: WaitOutcome) {
        let watcher = self.locked.withLock { $0.watchers.removeValue(forKey: number) }
        watcher?.continuation.resume(returning: outcome)
    }
}
