// SPDX-License-Identifier: Apache-2.0
import Synchronization

/// One wait by one task for one value; the first value wins.
///
/// It connects callbacks with `async` code: cancellation of the task, a timer and the awaited event may race, and
/// exactly one of them resumes the task. The others learn that they lost, and can dispose of their values.
package final class Suspension<Value: Sendable>: Sendable {
    private enum State {
        /// No task waits yet, and there is no value.
        case pending
        /// The task is suspended.
        case waiting(UnsafeContinuation<Value, Never>)
        /// The value arrived before the task had suspended.
        case early(Value)
        /// The task was resumed.
        case finished
    }

    private let state = Mutex<State>(.pending)

    /// Creates a wait that no task has begun.
    package init() {}

    /// Resumes the task with a value; returns `false`, and does nothing, if there was a value before.
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

    /// Whether there is a value.
    package var isResolved: Bool {
        self.state.withLock { state in
            switch state {
            case .pending, .waiting: false
            case .early, .finished: true
            }
        }
    }

    /// Waits for the value; call it once for each object.
    ///
    /// When the task is cancelled, `cancellation` is the value.
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

extension Suspension {
    /// Waits for the value like ``wait(onCancel:)``, but only until an instant.
    ///
    /// - Parameters:
    ///   - instant: The instant at which to stop; `nil` sets no limit.
    ///   - clock: The clock of the instant.
    ///   - onTimeout: The value to return when the time is over.
    ///   - cancellation: The value when the task is cancelled.
    /// - Returns: The first value.
    package func wait(
        until instant: ClockInstant?,
        on clock: any TransportClock,
        onTimeout: @Sendable @escaping @autoclosure () -> Value,
        onCancel cancellation: @Sendable @escaping @autoclosure () -> Value
    ) async -> Value {
        let timer = instant.map { clock.schedule(at: $0) { self.resume(with: onTimeout()) } }
        defer { timer?.cancel() }
        return await self.wait(onCancel: cancellation())
    }

    /// Waits for the value, but only until a deadline.
    ///
    /// - Parameters:
    ///   - deadline: The deadline; `nil` sets no limit.
    ///   - clock: The clock of the deadline.
    ///   - onTimeout: Returns the value when the deadline has passed.
    ///   - cancellation: The value when the task is cancelled.
    /// - Returns: The first value.
    package func wait(
        until deadline: CallDeadline?,
        on clock: any TransportClock,
        onTimeout: @Sendable @escaping (CallDeadline) -> Value,
        onCancel cancellation: @Sendable @escaping @autoclosure () -> Value
    ) async -> Value {
        guard let deadline else { return await self.wait(onCancel: cancellation()) }
        return await self.wait(
            until: deadline.instant,
            on: clock,
            onTimeout: onTimeout(deadline),
            onCancel: cancellation()
        )
    }

    /// Waits for a result, but only until a deadline.
    ///
    /// - Parameters:
    ///   - deadline: The deadline; `nil` sets no limit.
    ///   - clock: The clock of the deadline.
    /// - Returns: The success of the result.
    /// - Throws: The failure of the result; `ConnectionError.timedOut` or `ConnectionError.cancelled` if that came
    ///   first.
    package func success<Success>(
        until deadline: CallDeadline?,
        on clock: any TransportClock
    ) async throws(ConnectionError) -> Success where Value == Result<Success, ConnectionError> {
        try await self.wait(
            until: deadline,
            on: clock,
            onTimeout: { .failure(.timedOut($0)) },
            onCancel: .failure(.cancelled)
        ).get()
    }
}
