// SPDX-License-Identifier: Apache-2.0
// Compiled and run over stand-ins on Linux (scripts/test --apple-shape); never on an Apple platform.

#if canImport(Darwin)
import TernCLibrary

extension LoopbackPort {
    /// Creates a socket; programs that another thread starts meanwhile may inherit it.
    static func makeSocket() -> CInt { socket(AF_INET, CLibrary.streamSocket, 0) }
}
#endif
