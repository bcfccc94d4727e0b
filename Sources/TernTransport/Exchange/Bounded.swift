// SPDX-License-Identifier: Apache-2.0
import TernConnections
package import TernErrors

/// Runs code of the application, such as a delegate method, and stops waiting for it when the call is cancelled or times out.
package enum Bounded {
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
