// SPDX-License-Identifier: Apache-2.0
public import TernTesting
import TestSupport

extension ManualClock {
    /// Advances the clock by one second at a time until the task ends, and returns the task's result.
    ///
    /// Use this method if the code under test sets its timers late, so that a test cannot wait for a certain timer.
    /// Between two steps, the method sleeps, so that other tasks can do what has become due. On a busy machine, the
    /// thread of another task may stand still for many milliseconds. If the clock went on in this time, it would also
    /// end waits that are not under test, such as the wait of an HTTP/2 connection for the answer to a PING.
    public func advance<Value: Sendable>(until task: Task<Value, any Error>) async -> Result<Value, any Error> {
        async let result = task.result
        let isDone = Flag()
        let watching = Task {
            _ = await task.result
            isDone.raise()
        }
        while !isDone.isRaised, !Task.isCancelled {
            self.advance(by: .seconds(1))
            try? await Task.sleep(for: .milliseconds(10))
        }
        if Task.isCancelled { task.cancel() }
        await watching.value
        return await result
    }
}
