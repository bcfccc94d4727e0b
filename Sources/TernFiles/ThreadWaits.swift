// SPDX-License-Identifier: Apache-2.0
/// Counts the waits of the thread that asks.
package enum ThreadWaits {
    /// Returns how often the present thread has given up its processor to wait, for example for a disk; `nil` if the
    /// system does not say.
    ///
    /// A thread that other threads only interrupt does not wait.
    package static func count() -> Int? { self.systemCount() }
}
