// SPDX-License-Identifier: Apache-2.0
package import Dispatch

extension DispatchQueue {
    /// Does something on the queue that may wait, for a disk say, and waits for its end.
    ///
    /// The threads of Swift concurrency must not wait for a disk. Cancelling the task does not interrupt the work.
    ///
    /// - Parameter work: what to do.
    /// - Returns: what it returns.
    package func perform<Value: Sendable>(_ work: @escaping @Sendable () -> Value) async -> Value {
        await withUnsafeContinuation { (continuation: UnsafeContinuation<Value, Never>) in
            self.async { continuation.resume(returning: work()) }
        }
    }
}
