// SPDX-License-Identifier: Apache-2.0
import TernErrors
import TernTransport

/// Runs code of the application that a call waits for, no longer than the call may take.
enum Bounded {
    private enum Outcome<Value: Sendable>: Sendable {
        case value(Value)
        case cancelled
        case timedOut(Deadline)
    }

    /// Runs the work in a task of its own, which is cancelled when the call no longer waits for it.
    ///
    /// - Parameters:
    ///   - call: the call.
    ///   - phase: the step of the call; that of answering a challenge by default.
    ///   - work: what to do.
    /// - Returns: what came of it.
    /// - Throws: `ClientError.cancelled` or `ClientError.timedOut`, at once, whatever the work does.
    static func run<Value: Sendable>(
        for call: Call,
        in phase: ClientError.Phase = .authenticate,
        _ work: @escaping @Sendable () async -> Value
    ) async throws(ClientError) -> Value {
        let suspension = Suspension<Outcome<Value>>()
        let task = Task { suspension.resume(with: .value(await work())) }
        let timer = call.deadline.map { deadline in
            call.clock.schedule(at: deadline.instant) { suspension.resume(with: .timedOut(deadline)) }
        }
        defer { timer?.cancel() }
        switch await suspension.wait(onCancel: .cancelled) {
        case .value(let value):
            return value
        case .cancelled:
            task.cancel()
            throw .cancelled(call.context(phase))
        case .timedOut(let deadline):
            task.cancel()
            throw .timedOut(deadline.timeout, limit: deadline.limit, call.context(phase))
        }
    }
}
