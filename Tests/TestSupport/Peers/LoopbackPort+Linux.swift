// SPDX-License-Identifier: Apache-2.0
// Compiled and run on Linux with glibc; never compiled with musl or for Android.

#if !canImport(Darwin)
import TernCLibrary

extension LoopbackPort {
    /// Creates a socket, which no program inherits: Linux defines `SOCK_CLOEXEC` as `O_CLOEXEC`.
    static func makeSocket() -> CInt { socket(AF_INET, CLibrary.streamSocket | O_CLOEXEC, 0) }
}
#endif
