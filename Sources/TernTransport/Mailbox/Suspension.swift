// SPDX-License-Identifier: Apache-2.0
import Synchronization

/// One wait by one task for one value; the first value given wins.
///
/// The bridge from callbacks to `async`: cancellation of the task, a timer and the awaited event may race, and exactly
/// one of them resumes it. The loser learns so, and can dispose of what it brought.
package final class Suspension<Value: Sendable>: Sendable {
    private enum State {
        /// Nobody waits yet, and no value came.
        case pending
        /// The task is suspended.
        case waiting(UnsafeContinuation<Value, Never>)
        /// The value came before the task had suspended.
        case early(Value)
        /// The task was resumed.
        case finished
    }

    private let state = Mutex<State>(.pending)

    /// Creates a wait that nobody has begun.
    package init() {}

    /// Gives the value; returns `false`, having done nothing, if one was given before.
    @discardableResult
    package func resume(with value: Value) -> Bool {
        var continuation: UnsafeContinuation<Value, Never>?
        let isFirst = self.state.withLock { state in
            switch state {
            case .pending:
                state = .early(value)
                return true
            case .waiting(let waiting):
                continuation = waiting
                state = .finished
                return true
            case .early, .finished:
                return false
            }
        }
        continuation?.resume(returning: value)
        return isFirst
    }

    /// Whether a value was given.
    package var isResolved: Bool {
        self.state.withLock { state in
            switch state {
            case .pending, .waiting: false
            case .early, .finished: true
            }
        }
    }

    /// Waits for the value, once per object; when the task is cancelled, `cancellation` is the value.
    package func wait(onCancel cancellation: @Sendable @escaping @autoclosure () -> Value) async -> Value {
        await withTaskCancellationHandler {
            await withUnsafeContinuation { continuation in
                let value: Value? = self.state.withLock { state in
                    if case .early(let value) = state {
                        state = .finished
                        return value
                    }
                    state = .waiting(continuation)
                    return nil
                }
                if let value { continuation.resume(returning: value) }
            }
        } onCancel: {
            self.resume(with: cancellation())
        }
    }
}
