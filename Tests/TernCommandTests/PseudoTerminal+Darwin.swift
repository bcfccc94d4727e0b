// SPDX-License-Identifier: Apache-2.0
// Compiled against stand-ins (scripts/check-apple); never run.

#if canImport(Darwin)
import TernCLibrary

extension PseudoTerminal {
    /// Unlocks the terminal and returns its path.
    static func unlock(_ descriptor: CInt) -> String? {
        guard grantpt(descriptor) == 0, unlockpt(descriptor) == 0 else { return nil }
        return ptsname(descriptor).map { String(cString: $0) }
    }
}
#endif
