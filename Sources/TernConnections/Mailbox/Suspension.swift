// SPDX-License-Identifier: Apache-2.0
import Synchronization

/// One wait of one task for one value.
///
/// The first value wins, and ends the wait.
///
/// A suspension connects callbacks with `async` code. The awaited event, a timer, and the cancellation of the task may
/// race, but only the first of them resumes the task. For the others, ``resume(with:)`` returns `false`, so that they
/// can dispose of their values.
package final class Suspension<Value: Sendable>: Sendable {
    private enum State {
        /// No task is waiting yet, and there is no value.
        case pending
        /// The task is suspended.
        case waiting(UnsafeContinuation<Value, Never>)
        /// The value arrived before the task had suspended.
        case early(Value)
        /// The task was resumed.
        case finished
    }

    private let state = Mutex<State>(.pending)

    /// Creates a suspension without a value.
    package init() {}

    /// Resumes the waiting task with a value.
    ///
    /// If no task waits yet, keeps the value for a later wait.
    ///
    /// - Returns: `false` if a value arrived earlier, or if ``finish()`` was called. Then this method does nothing.
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

    /// Ends a suspension for which no task waits, now or later: ``resume(with:)`` refuses each later value.
    ///
    /// - Returns: The value that has arrived; `nil` if there was none.
    package func finish() -> Value? {
        self.state.withLock { state in
            defer { state = .finished }
            if case .early(let value) = state { return value }
            return nil
        }
    }

    /// Whether a value has arrived, or `finish()` was called.
    package var isResolved: Bool {
        self.state.withLock { state in
            switch state {
            case .pending, .waiting: false
            case .early, .finished: true
            }
        }
    }

    /// Waits for the value.
    ///
    /// Only one task may call this method, and only once.
    ///
    /// If the task is cancelled first, the value is `cancellation`.
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
    ///   - instant: The instant at which the wait ends; `nil` sets no limit.
    ///   - clock: The clock of the instant.
    ///   - onTimeout: The value if the instant comes first.
    ///   - cancellation: The value if the task is cancelled first.
    /// - Returns: The value that came first.
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

    /// Waits for the value like ``wait(onCancel:)``, but only until a deadline.
    ///
    /// - Parameters:
    ///   - deadline: The deadline; `nil` sets no limit.
    ///   - clock: The clock of the deadline.
    ///   - onTimeout: Returns the value if the deadline passes first.
    ///   - cancellation: The value if the task is cancelled first.
    /// - Returns: The value that came first.
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
    /// - Returns: The value of a successful result.
    /// - Throws: The error of a failed result. `ConnectionError.timedOut` if the deadline passed first, and
    ///   `ConnectionError.cancelled` if the task was cancelled first.
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
