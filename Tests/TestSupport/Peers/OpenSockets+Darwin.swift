// SPDX-License-Identifier: Apache-2.0
// Compiled and run over stand-ins on Linux (scripts/test --apple-shape); never on an Apple platform.

#if canImport(Darwin)
extension OpenSockets {
    /// Returns `false`, because the system's tables, which the callers read, are Linux's.
    static func isConnecting(_ descriptor: CInt) -> Bool { false }
}
#endif
