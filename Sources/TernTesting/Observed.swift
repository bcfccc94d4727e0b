// SPDX-License-Identifier: Apache-2.0
import Synchronization

/// A value behind a lock whose changes a task can wait for, so that no test has to sleep.
package final class Observed<Value: Sendable>: Sendable {
    private struct Locked {
        var value: Value
        var lastNumber = 0
        var watchers: [Int: Watcher] = [:]
    }

    private struct Watcher {
        var condition: @Sendable (Value) -> Bool
        var continuation: CheckedContinuation<Bool, Never>
    }

    private let locked: Mutex<Locked>

    /// Creates the first value.
    package init(_ value: Value) { self.locked = Mutex(Locked(value: value)) }

    /// The present value.
    package var value: Value { self.locked.withLock { $0.value } }

    /// Changes the value and wakes the tasks whose condition has come true.
    @discardableResult
    package func update<Result: Sendable>(_ change: (inout Value) -> Result) -> Result {
        let (result, woken) = self.locked.withLock { locked in
            let result = change(&locked.value)
            let value = locked.value
            let met = locked.watchers.filter { $0.value.condition(value) }
            for number in met.keys { locked.watchers[number] = nil }
            return (result, met.values.map(\.continuation))
        }
        for continuation in woken { continuation.resume(returning: true) }
        return result
    }

    /// Waits until the condition holds.
    ///
    /// - Returns: `false` if the task was cancelled before.
    @discardableResult
    package func wait(until condition: @escaping @Sendable (Value) -> Bool) async -> Bool {
        let number = self.locked.withLock { locked in
            locked.lastNumber += 1
            return locked.lastNumber
        }
        return await withTaskCancellationHandler {
            await withCheckedContinuation { continuation in
                let isMet: Bool? = self.locked.withLock { locked in
                    if condition(locked.value) { return true }
                    if Task.isCancelled { return false }
                    locked.watchers[number] = Watcher(condition: condition, continuation: continuation)
                    return nil
                }
                if let isMet { continuation.resume(returning: isMet) }
            }
        } onCancel: {
            self.locked.withLock { $0.watchers.removeValue(forKey: number) }?.continuation.resume(returning: false)
        }
    }
}
