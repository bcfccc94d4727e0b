// SPDX-License-Identifier: Apache-2.0
import TernCLibrary

/// Counts the waits of the thread that asks.
package enum ThreadWaits {
    /// Returns how often the present thread has given up its processor to wait, for example for a disk; `nil` if the
    /// system does not say.
    ///
    /// A thread that other threads only interrupt does not wait.
    package static func count() -> Int? {
        #if os(Linux)
        var usage = rusage()
        #if canImport(Glibc)
        let thread = __rusage_who_t(1)  // RUSAGE_THREAD
        #else
        let thread = CInt(1)
        #endif
        return getrusage(thread, &usage) == 0 ? Int(usage.ru_nvcsw) : nil
        #else
        return nil
        #endif
    }
}
