// SPDX-License-Identifier: Apache-2.0
public import TernTesting
import TestSupport

extension ManualClock {
    /// Moves the clock on, second by second, until the task is done, and gives its result.
    ///
    /// For timers that are armed lazily, so that none can be waited for by name.
    public func advance<Value: Sendable>(until task: Task<Value, any Error>) async -> Result<Value, any Error> {
        async let result = task.result
        let isDone = Flag()
        let watching = Task {
            _ = await task.result
            isDone.raise()
        }
        var stepCount = 0
        while !isDone.isRaised, !Task.isCancelled {
            self.advance(by: .seconds(1))
            stepCount += 1
            // A task that takes long gets the core, rather than hours by this clock.
            if stepCount < 100 { await Task.yield() } else { try? await Task.sleep(for: .milliseconds(1)) }
        }
        if Task.isCancelled { task.cancel() }
        await watching.value
        return await result
    }
}
