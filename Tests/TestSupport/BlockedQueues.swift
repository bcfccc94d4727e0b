// SPDX-License-Identifier: Apache-2.0
import Dispatch
import Synchronization

/// More than the threads that Dispatch gives to its global queues.
private let blockCount = 600

/// Runs work while blocks occupy every thread of Dispatch's default global queue, and returns its value.
///
/// The work runs as a task on a serial queue with a separate thread, and the calling thread waits: call this function from a test
/// that is not `async`.
///
/// - Parameter work: Code that must run without any of the occupied threads.
/// - Returns: The result of `work`.
/// - Throws: ``NeverHappened`` if `work` does not end, or the error that `work` throws.
public func whileGlobalQueuesBlock<Value: Sendable>(
    _ work: @escaping @Sendable () async throws -> Value
) throws -> Value {
    let release = DispatchSemaphore(value: 0)
    let ended = DispatchSemaphore(value: 0)
    for _ in 0..<blockCount { DispatchQueue.global().async { release.wait() } }
    defer { for _ in 0..<blockCount { release.signal() } }
    let outcome = Outcome<Value>()
    let executor = SerialQueueExecutor()
    Task(executorPreference: executor) {
        do {
            outcome.result.withLock { [value = try await work()] in $0 = .success(value) }
        } catch {
            outcome.result.withLock { $0 = .failure(error) }
        }
        ended.signal()
    }
    // The limit turns a hang into a failure. No test depends on its length.
    _ = ended.wait(timeout: .now() + 300)
    guard let result = outcome.result.withLock({ $0 }) else {
        throw NeverHappened(description: "the work did not end while the global queues were blocked")
    }
    return try result.get()
}

private final class Outcome<Value: Sendable>: Sendable {
    let result = Mutex<Result<Value, any Error>?>(nil)
}
