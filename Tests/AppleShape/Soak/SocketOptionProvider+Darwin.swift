// SPDX-License-Identifier: Apache-2.0
import Darwin
import Glibc
import NIOCore

// On an Apple platform, the options of swift-nio's sockets are Darwin's structures. The module of the debug build has Linux's.
extension SocketOptionProvider {
    func setSoLinger(_ value: Darwin.linger) -> EventLoopFuture<Void> {
        self.setSoLinger(Glibc.linger(l_onoff: value.l_onoff, l_linger: value.l_linger))
    }
}
