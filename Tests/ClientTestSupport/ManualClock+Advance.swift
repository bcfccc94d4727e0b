// SPDX-License-Identifier: Apache-2.0
public import TernTesting
import TestSupport

extension ManualClock {
    /// Advances the clock by one second at a time until the task ends, and returns the task's result.
    ///
    /// Use this method if the code under test sets its timers late, so that a test cannot wait for a certain timer.
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
            // If the task takes long, the loop sleeps, so that the task can run and the clock does not advance by
            // hours.
            if stepCount < 100 { await Task.yield() } else { try? await Task.sleep(for: .milliseconds(1)) }
        }
        if Task.isCancelled { task.cancel() }
        await watching.value
        return await result
    }
}
