// SPDX-License-Identifier: Apache-2.0
// Compiled and run on Linux with glibc; never compiled with musl or for Android.

#if !canImport(Darwin)
import TernCLibrary

extension OpenSockets {
    /// Returns whether a socket is connecting, and so has no remote address yet.
    static func isConnecting(_ descriptor: CInt) -> Bool {
        var state: UInt8 = 0  // the first byte of the `tcp_info` that the system has
        var length = socklen_t(1)
        return getsockopt(descriptor, CInt(IPPROTO_TCP), TCP_INFO, &state, &length) == 0 && state == 2  // SYN_SENT
    }
}
#endif
