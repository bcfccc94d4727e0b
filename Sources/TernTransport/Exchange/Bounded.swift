// SPDX-License-Identifier: Apache-2.0
import TernConnections
package import TernErrors

/// Runs code of the application, such as a delegate method, and stops waiting for that code when the call is cancelled
/// or times out.
package enum Bounded {
    /// Runs the work in its own task, and cancels that task when the call is cancelled or times out.
    ///
    /// - Parameters:
    ///   - call: The call that waits for the work.
    ///   - phase: The phase that an error names. Defaults to `.authenticate`.
    ///   - work: The work to run.
    /// - Returns: The result of the work.
    /// - Throws: `ClientError.cancelled` or `ClientError.timedOut`, without waiting for the end of the work.
    package static func run<Value: Sendable>(
        for call: HTTPCall,
        in phase: ClientError.Phase = .authenticate,
        _ work: @escaping @Sendable () async -> Value
    ) async throws(ClientError) -> Value {
        let suspension = Suspension<Result<Value, ConnectionError>>()
        let task = Task { suspension.resume(with: .success(await work())) }
        do throws(ConnectionError) {
            return try await suspension.success(until: call.deadline, on: call.clock)
        } catch {
            task.cancel()
            throw ClientError(error, call.context(phase))
        }
    }
}
