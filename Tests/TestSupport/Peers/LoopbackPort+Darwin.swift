// SPDX-License-Identifier: Apache-2.0
// Compiled against stand-ins (scripts/check-apple); never run.

#if canImport(Darwin)
import TernCLibrary

extension LoopbackPort {
    /// Creates a socket; programs that another thread starts meanwhile may inherit it.
    static func makeSocket() -> CInt { socket(AF_INET, CLibrary.streamSocket, 0) }
}
#endif
