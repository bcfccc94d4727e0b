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
}
