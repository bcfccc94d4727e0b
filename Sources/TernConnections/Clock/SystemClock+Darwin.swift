// SPDX-License-Identifier: Apache-2.0
// Compiled against stand-ins (scripts/check-apple); never run.

#if canImport(Darwin)
import TernCLibrary

extension SystemClock {
    /// The clock of the system that continues during sleep.
    static var source: clockid_t { CLOCK_MONOTONIC }
}
#endif
