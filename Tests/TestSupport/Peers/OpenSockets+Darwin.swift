// SPDX-License-Identifier: Apache-2.0
// Compiled against stand-ins (scripts/check-apple); never run.

#if canImport(Darwin)
extension OpenSockets {
    /// Returns `false`, because the system's tables, which the callers read, are Linux's.
    static func isConnecting(_ descriptor: CInt) -> Bool { false }
}
#endif
