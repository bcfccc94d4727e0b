// SPDX-License-Identifier: Apache-2.0
// Compiled and run on Linux with glibc; never compiled with musl or for Android.

#if !canImport(Darwin)
import TernCLibrary

extension SystemClock {
    /// The clock of the system that continues during sleep.
    static var source: clockid_t { CLOCK_BOOTTIME }
}
#endif
