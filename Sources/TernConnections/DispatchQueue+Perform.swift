// SPDX-License-Identifier: Apache-2.0
package import Dispatch

extension DispatchQueue {
    /// Runs work that may block, such as disk access, on the queue, and waits for its end.
    ///
    /// The threads of Swift concurrency must not wait for a disk. Cancelling the task does not interrupt the work.
    ///
    /// - Parameter work: The work to run.
    /// - Returns: The result of the work.
    package func perform<Value: Sendable>(_ work: @escaping @Sendable () -> Value) async -> Value {
        await withUnsafeContinuation { (continuation: UnsafeContinuation<Value, Never>) in
            self.async { continuation.resume(returning: work()) }
        }
    }
}
