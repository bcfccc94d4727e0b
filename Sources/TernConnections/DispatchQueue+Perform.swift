// SPDX-License-Identifier: Apache-2.0
package import Dispatch

extension DispatchQueue {
    /// Runs blocking work, such as disk access, which cancellation does not interrupt, without blocking the caller's thread.
    package func perform<Value: Sendable>(_ work: @escaping @Sendable () -> Value) async -> Value {
        await withUnsafeContinuation { (continuation: UnsafeContinuation<Value, Never>) in
            self.async { continuation.resume(returning: work()) }
        }
    }
}
