// SPDX-License-Identifier: Apache-2.0
// Compiled and run over stand-ins on Linux (scripts/test --apple-shape); never on an Apple platform.

#if canImport(Darwin)
import TernCLibrary

extension SystemClock {
    /// The clock of the system that continues during sleep.
    static var source: clockid_t { CLOCK_MONOTONIC }
}
#endif
