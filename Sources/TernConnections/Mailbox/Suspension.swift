// SPDX-License-Identifier: Apache-2.0
import Synchronization

/// One wait of one task for one value: of the awaited event, a timer and a cancellation, the first resumes the task.
///
/// For the others, ``resume(with:)`` returns `false`, so that they can dispose of their values.
package final class Suspension<Value: Sendable>: Sendable {
    private enum State {
        /// Until a value arrives, the task suspends, or ``finish()`` is called.
        case pending
        case waiting(UnsafeContinuation<Value, Never>)
        /// The value arrived before the task had suspended.
        case early(Value)
        case finished
    }

    private let state = Mutex<State>(.pending)

    package init() {}

    /// Resumes the waiting task, or keeps the value for a later wait; returns `false` if a value arrived earlier.
    @discardableResult
    package func resume(with value: Value) -> Bool {
        SlowWork.begins()
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

    /// Ends a suspension for which no task waits, now or later, and returns the value that has arrived.
    package func finish() -> Value? {
        self.state.withLock { state in
            defer { state = .finished }
            if case .early(let value) = state { return value }
            return nil
        }
    }

    package var isResolved: Bool {
        self.state.withLock { state in
            switch state {
            case .pending, .waiting: false
            case .early, .finished: true
            }
        }
    }

    /// Waits for the value, in one task and only once; `cancellation` is the value if the task is cancelled first.
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

    /// Waits for a success; throws the failure, or `timedOut` or `cancelled` if the deadline or a cancellation comes first.
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
