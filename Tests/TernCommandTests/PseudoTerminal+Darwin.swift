// SPDX-License-Identifier: Apache-2.0
// Compiled and run over stand-ins on Linux (scripts/test --apple-shape); never on an Apple platform.

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
