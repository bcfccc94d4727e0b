// SPDX-License-Identifier: Apache-2.0

extension Suspension {
    /// Waits for the value, as ``wait(onCancel:)`` does, but no longer than until an instant.
    ///
    /// - Parameters:
    ///   - instant: when to stop; `nil` for never.
    ///   - clock: what the instant goes by.
    ///   - lateness: the value when the instant has come.
    ///   - cancellation: the value when the task is cancelled.
    /// - Returns: the value that came first.
    package func wait(
        until instant: Instant?,
        on clock: any TransportClock,
        late lateness: @Sendable @escaping @autoclosure () -> Value,
        onCancel cancellation: @Sendable @escaping @autoclosure () -> Value
    ) async -> Value {
        let timer = instant.map { clock.schedule(at: $0) { self.resume(with: lateness()) } }
        defer { timer?.cancel() }
        return await self.wait(onCancel: cancellation())
    }

    /// Waits for the value, but no longer than until a deadline, which makes the value that comes then.
    ///
    /// - Parameters:
    ///   - deadline: when to stop; `nil` for never.
    ///   - clock: what the deadline goes by.
    ///   - lateness: makes the value when the deadline is over.
    ///   - cancellation: the value when the task is cancelled.
    /// - Returns: the value that came first.
    package func wait(
        until deadline: Deadline?,
        on clock: any TransportClock,
        late lateness: @Sendable @escaping (Deadline) -> Value,
        onCancel cancellation: @Sendable @escaping @autoclosure () -> Value
    ) async -> Value {
        guard let deadline else { return await self.wait(onCancel: cancellation()) }
        return await self.wait(until: deadline.instant, on: clock, late: lateness(deadline), onCancel: cancellation())
    }

    /// Waits for an outcome, but no longer than until a deadline.
    ///
    /// - Parameters:
    ///   - deadline: when to stop; `nil` for never.
    ///   - clock: what the deadline goes by.
    /// - Returns: what succeeded.
    /// - Throws: what failed; `ConnectionError.timedOut` or `ConnectionError.cancelled` if that came first.
    package func success<Success>(
        until deadline: Deadline?,
        on clock: any TransportClock
    ) async throws(ConnectionError) -> Success where Value == Result<Success, ConnectionError> {
        try await self.wait(
            until: deadline,
            on: clock,
            late: { .failure(.timedOut($0)) },
            onCancel: .failure(.cancelled)
        ).get()
    }
}
