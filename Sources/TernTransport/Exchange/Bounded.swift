// SPDX-License-Identifier: Apache-2.0
import TernConnections
package import TernErrors

/// Runs the application's code for a call, for no longer than the call may take.
package enum Bounded {
    /// Runs the work in its own task, which is cancelled when the call no longer waits for it.
    ///
    /// - Parameters:
    ///   - call: The call.
    ///   - phase: The phase of the call. Defaults to answering a challenge.
    ///   - work: The work to run.
    /// - Returns: The result of the work.
    /// - Throws: `ClientError.cancelled` or `ClientError.timedOut`, at once, whatever the work does.
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
