// SPDX-License-Identifier: Apache-2.0
package import Dispatch

extension DispatchQueue {
    /// Runs blocking work on the queue, such as disk access, and waits for its end without blocking the caller's
    /// thread.
    ///
    /// Code on the threads of Swift concurrency must not block. Cancelling the task does not interrupt the work.
    ///
    /// - Parameter work: The work to run.
    /// - Returns: The result of the work.
    package func perform<Value: Sendable>(_ work: @escaping @Sendable () -> Value) async -> Value {
        await withUnsafeContinuation { (continuation: UnsafeContinuation<Value, Never>) in
            self.async { continuation.resume(returning: work()) }
        }
    }
}
