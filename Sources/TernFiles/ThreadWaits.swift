// SPDX-License-Identifier: Apache-2.0
package enum ThreadWaits {
    /// Returns how often this thread has given up its processor to wait, for example for a disk; `nil` if the system does not
    /// say.
    package static func count() -> Int? { self.systemCount() }
}
